import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { type Config, ConfigError } from "../config.ts";
import { diskFull, placeFault } from "./open_database.ts";
import { toFilePath } from "./places.ts";

/** Creates the folder of stored files if it does not exist. Throws ConfigError when it cannot be used. */
export function checkFolder({ databaseUrl, storageUrl }: Config): void {
  if (!storageUrl.startsWith("file:")) return;
  const path = toFilePath(storageUrl);
  if (databaseUrl.startsWith("file:") && isInside(toFilePath(databaseUrl), path)) {
    const example = join(path, "files");
    throw new ConfigError(
      `STORAGE_URL: the folder ${path} holds the database; choose one of its own, such as ${example}`,
    );
  }
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const probe = join(path, `.probe-${crypto.randomUUID()}`);
    writeFileSync(probe, "probe", { mode: 0o600 });
    rmSync(probe);
  } catch (error) {
    const fault = placeFault(error);
    if (fault === null) throw error;
    // Existing files can still be read, and `GET /ready` reports a full disk.
    if (fault === diskFull) return;
    throw new ConfigError(`STORAGE_URL: the folder ${path} cannot be used: ${fault}`, { cause: error });
  }
}

/** Whether the file is in the folder, or in a folder below it. */
function isInside(file: string, folder: string): boolean {
  return !/^\.\.(?:[/\\]|$)/.test(relative(resolve(folder), resolve(file)));
}
