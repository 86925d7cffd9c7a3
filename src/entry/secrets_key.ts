/**
 * Finds the key of a box: the configured one, or the one beside its database file. It must match the
 * database.
 */
import { existsSync, linkSync, readFileSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { type Config, ConfigError, requireSecretsKey } from "../config.ts";
import { contributions } from "../contributions.ts";
import { explainWrongKey, hasKey, keyFits } from "../db/key_check.ts";
import { type Database, DatabaseUnavailable, lacksTable } from "../platform/database/database.ts";
import { placeFault } from "./open_database.ts";
import { locateKeyFile, toFilePath } from "./places.ts";
import { syncPath, writeDurably } from "./write_durably.ts";

/**
 * Returns the key. Creates a key file, readable by its owner only, beside a database file that never had a
 * key. Throws ConfigError for a key that is missing or does not match the database.
 */
export async function ensureSecretsKey(config: Config, db: Database): Promise<Uint8Array> {
  if (!config.databaseUrl.startsWith("file:")) return await readRemoteKey(config, db);
  const file = locateKeyFile(config);
  const key = config.secretsKey ?? readKeyFile(file);
  if (key === null && await hasKey(db, contributions.sealed)) {
    throw new ConfigError(`The key ${file} of the database ${toFilePath(config.databaseUrl)} is missing`);
  }
  const used = key ?? makeKeyFile(file);
  if (!await keyFits(db, used, contributions.sealed)) {
    throw new ConfigError(explainWrongKey(config.secretsKey ? "SECRETS_KEY" : file));
  }
  return used;
}

/** Leaves the check to `GET /ready` when the database does not answer or is not migrated yet. */
async function readRemoteKey(config: Config, db: Database): Promise<Uint8Array> {
  const key = requireSecretsKey(config);
  const fits = await keyFits(db, key, contributions.sealed).catch((error) => {
    if (error instanceof DatabaseUnavailable || lacksTable(error)) return true;
    throw error;
  });
  if (!fits) throw new ConfigError(explainWrongKey("SECRETS_KEY"));
  return key;
}

/** Returns null when there is no file. Throws ConfigError for a file without a key. */
export function readKeyFile(file: string): Uint8Array | null {
  return withPlace(file, () => {
    if (!existsSync(file)) return null;
    const text = readFileSync(file, "utf8").trim();
    if (!/^[A-Za-z0-9+/]{43}=$/.test(text)) {
      throw new ConfigError(`${file} does not hold a key: 32 bytes in base64`);
    }
    return Uint8Array.fromBase64(text);
  });
}

/** Creates the key file and returns its key: that of another process, if it creates the file first. */
function makeKeyFile(file: string): Uint8Array {
  return withPlace(file, () => {
    const incoming = `${file}.${crypto.randomUUID()}`;
    try {
      writeDurably(incoming, `${crypto.getRandomValues(new Uint8Array(32)).toBase64()}\n`);
      linkSync(incoming, file);
      syncPath(dirname(file));
    } catch (error) {
      if ((error as { code?: string }).code !== "EEXIST") throw error;
    } finally {
      rmSync(incoming, { force: true });
    }
    return readKeyFile(file)!;
  });
}

function withPlace<T>(file: string, use: () => T): T {
  try {
    return use();
  } catch (error) {
    const fault = error instanceof ConfigError ? null : placeFault(error);
    if (fault === null) throw error;
    throw new ConfigError(`The key ${file} cannot be used: ${fault}`, { cause: error });
  }
}
