/** The files and folders of a box that its settings name. */
import { dirname, join } from "node:path";
import type { Config } from "../config.ts";

/** Returns the path of a `file:` URL. */
export function toFilePath(url: string): string {
  return url.startsWith("file://") ? decodeURIComponent(new URL(url).pathname) : url.slice("file:".length);
}

/** Returns the path of the key file, which is beside the database file. */
export function locateKeyFile(config: Config): string {
  return join(dirname(toFilePath(config.databaseUrl)), "secrets.key");
}

/** Returns the path of a file that exists from before a restore changes anything until it is complete. */
export function locateRestoreMarker(database: string): string {
  return `${database}.restoring`;
}
