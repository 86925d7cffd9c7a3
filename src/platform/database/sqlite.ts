/** What both drivers know of SQLite: how values are bound and what its errors mean. */

import {
  DatabaseFull,
  DatabaseUnavailable,
  GuardRefused,
  NotUnique,
  ReferenceGone,
  type Value,
} from "./database.ts";

/**
 * Whole numbers are bound as integers. Both engines take a JavaScript number for a REAL, and then a text
 * column, a concatenation or a JSON value would read "5.0".
 */
export function bound(value: Value): null | string | number | bigint | Uint8Array {
  if (typeof value !== "number") return value;
  if (Number.isSafeInteger(value)) return BigInt(value);
  if (!Number.isFinite(value)) throw new RangeError(`${value} cannot be stored`);
  return value;
}

/** True when the database was locked by somebody else and nothing was done. */
export function isBusy(error: unknown): boolean {
  return /database (table |schema )?is locked|SQLITE_(BUSY|LOCKED)/.test(messageOf(error));
}

/** The last one is Turso's, for an account that has used up its storage. */
const noRoom = /database or disk is full|SQLITE_FULL|SQL write operations are forbidden/;
const diskFault =
  /disk I\/O error|unable to open database file|readonly database|SQLITE_(?:IOERR|CANTOPEN|READONLY)/;

/** The error in the words of the port; one that has no meaning there is returned as it is. */
export function meaningOf(error: unknown): unknown {
  const message = messageOf(error);
  const guard = /bad JSON path: '((?:[^']|'')*)'/.exec(message)?.[1];
  if (guard !== undefined) return new GuardRefused(guard.replaceAll("''", "'"));
  const columns = /UNIQUE constraint failed: (index '[^']*'|[^\s,]+(?:, [^\s,]+)*)/.exec(message)?.[1];
  if (columns !== undefined) return new NotUnique(columns);
  if (message.includes("FOREIGN KEY constraint failed")) return new ReferenceGone(message);
  if (isBusy(error)) return new DatabaseUnavailable("the database stayed busy", { cause: error });
  if (noRoom.test(message)) return new DatabaseFull("the disk of the database is full", { cause: error });
  if (diskFault.test(message)) {
    return new DatabaseUnavailable(`the disk of the database fails: ${message}`, { cause: error });
  }
  return error;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
