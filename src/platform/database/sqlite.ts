/** The meaning of SQLite's errors, for both drivers. */

import { DatabaseFull, DatabaseUnavailable, GuardRefused, NotUnique, ReferenceGone } from "./database.ts";

/** True when another connection had the lock and nothing was done. */
export function isBusy(error: unknown): boolean {
  return /database (table |schema )?is locked|SQLITE_(BUSY|LOCKED)/.test(readMessage(error));
}

/** The last pattern is the error of Turso for an account without free storage. */
const diskFull = /database or disk is full|SQLITE_FULL|SQL write operations are forbidden/;
const diskFault =
  /disk I\/O error|unable to open database file|readonly database|SQLITE_(?:IOERR|CANTOPEN|READONLY)/;

/** Translates an error into one of the port. Returns other errors unchanged. */
export function translateError(error: unknown): unknown {
  const message = readMessage(error);
  const guard = /bad JSON path: '((?:[^']|'')*)'/.exec(message)?.[1];
  if (guard !== undefined) return new GuardRefused(guard.replaceAll("''", "'"));
  const columns = /UNIQUE constraint failed: (index '[^']*'|[^\s,]+(?:, [^\s,]+)*)/.exec(message)?.[1];
  if (columns !== undefined) return new NotUnique(columns);
  if (message.includes("FOREIGN KEY constraint failed")) return new ReferenceGone(message);
  if (isBusy(error)) return new DatabaseUnavailable("the database stayed busy", { cause: error });
  if (diskFull.test(message)) return new DatabaseFull("the disk of the database is full", { cause: error });
  if (diskFault.test(message)) {
    return new DatabaseUnavailable(`the disk of the database fails: ${message}`, { cause: error });
  }
  return error;
}

function readMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
