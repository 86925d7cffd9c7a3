/** The key of a box: the configured one, or the one beside its database file. */
import { existsSync, linkSync, readFileSync, rmSync } from "node:fs";
import { type Config, ConfigError, requireSecretsKey } from "../config.ts";
import { placeFault } from "./open_database.ts";
import { keyFileOf } from "./places.ts";
import { writeDurably } from "./write_durably.ts";

/** Beside a database file a key is made at the first start, for its owner's eyes only. Throws ConfigError. */
export function secretsKeyOf(config: Config): Uint8Array {
  if (config.secretsKey || !config.databaseUrl.startsWith("file:")) return requireSecretsKey(config);
  const file = keyFileOf(config);
  try {
    return readKeyFile(file) ?? makeKeyFile(file);
  } catch (error) {
    const fault = placeFault(error);
    if (fault === null) throw error;
    throw new ConfigError(`The key ${file} cannot be used: ${fault}`, { cause: error });
  }
}

/** Null when there is none. Throws ConfigError for a file without a key. */
export function readKeyFile(file: string): Uint8Array | null {
  if (!existsSync(file)) return null;
  const text = readFileSync(file, "utf8").trim();
  if (!/^[A-Za-z0-9+/]{43}=$/.test(text)) {
    throw new ConfigError(`${file} does not hold a key: 32 bytes in base64`);
  }
  return Uint8Array.fromBase64(text);
}

/** Another process may be first: then its key counts. */
function makeKeyFile(file: string): Uint8Array {
  const incoming = `${file}.${crypto.randomUUID()}`;
  writeDurably(incoming, `${crypto.getRandomValues(new Uint8Array(32)).toBase64()}\n`);
  try {
    linkSync(incoming, file);
  } catch (error) {
    if ((error as { code?: string }).code !== "EEXIST") throw error;
  } finally {
    rmSync(incoming, { force: true });
  }
  return readKeyFile(file)!;
}
