/**
 * The database port: the operations that the service needs of SQLite, on a file or a remote database.
 *
 * There are no interactive transactions. Reads are sent together and see one state; writes are one
 * atomic batch. A batch cannot branch, but it can fail: see `guardChanged` and `guardThat`.
 */
import type { Refusal } from "../../core/errors.ts";

export type Value = string | number | null | Uint8Array;

/** One SQL statement with its bound values in order. Keep the number of different texts bounded. */
export interface Statement {
  readonly sql: string;
  readonly args: readonly Value[];
  /**
   * May run at the end of the shared commit, after other batches' statements. Full-text indexes then write
   * their pages once.
   */
  readonly late?: true;
  /** May take too long for the serving thread: `read` then runs its batch like `readOnThread`. */
  readonly threaded?: ThreadedRead;
  /** The guard in it, whose refusal has this answer. Without one, the verb runs again from its reads. */
  readonly refusal?: { readonly guard: string; readonly answer: Refusal };
  /** Whether it gives a row other values than those that were read; undefined: unless it only reads. */
  readonly alters?: boolean;
}

/** Values by column name; give each selected column a name of its own. */
export type Row = Record<string, Value>;

export interface Result {
  readonly rows: Row[];
  /** Rows changed by an insert, update or delete. */
  readonly changes: number;
}

/** `few`: an index selects few rows. `scan`: many rows, perhaps all of a company. */
export type Effort = "few" | "scan";

/** How a read runs beside other calls. */
export interface ThreadedRead {
  readonly effort: Effort;
  /** The company of the read; 0 for the service itself. Companies take turns. */
  readonly company: number;
  /** The most characters of all rows together; by default there is no limit. A remote database does not judge it. */
  readonly most?: number;
}

/**
 * Takes the milliseconds for which the statements of one batch ran inside the write lock, without the wait for the
 * lock, the batches that share the commit, and the disk.
 */
export type OnRan = (ms: number) => void;

export interface Database {
  readonly kind: "file" | "remote";
  /**
   * Runs the statements against one snapshot, in one round trip. Has a deadline of `readDeadline` on a remote
   * database.
   */
  read(statements: readonly Statement[]): Promise<Result[]>;
  /**
   * Like `read`, for statements that may take long: on a file they run in another thread. Reads of a small
   * effort do not wait for scans, and companies take turns. Ends with `TookTooLong` after `readDeadline`, and
   * with `ReadTooMuch`; throws `DatabaseUnavailable` when too many reads wait.
   */
  readOnThread(statements: readonly Statement[], how: ThreadedRead): Promise<Result[]>;
  /**
   * Runs the statements as one atomic batch in one round trip. It is on disk when this resolves. Reports to `onRan`
   * before; a remote database has no such figure.
   */
  write(statements: readonly Statement[], onRan?: OnRan): Promise<Result[]>;
  /**
   * Runs a script of several statements without values, outside of a transaction. Rolls back a transaction
   * that the script leaves open. May block the process for seconds: for migrations and maintenance.
   */
  script(sql: string): Promise<void>;
  /**
   * A number that changes when another process or connection writes to the database; null for a remote
   * database, which cannot report it. Writes of this process change it only while the writer thread runs.
   */
  stamp(): number | null;
  /** True when the last write failed because the disk was full or the database did not take it. */
  isRefusing(): boolean;
  /** Gives back memory that is needed only while there are calls: caches, and threads without work. */
  release(): void;
  /** Bytes that are free on the disk of the database; null when unknown. */
  freeBytes(): number | null;
  close(): Promise<void>;
}

/** A guard inside a write batch refused; nothing of the batch was kept. */
export class GuardRefused extends Error {
  constructor(readonly guard: string) {
    super(`guard refused: ${guard}`);
  }
}

/** A unique index refused; `columns` as SQLite names them, such as `users.email`. */
export class NotUnique extends Error {
  constructor(readonly columns: string) {
    super(`not unique: ${columns}`);
  }
}

/** A foreign key refused: a referenced row does not exist. */
export class ReferenceGone extends Error {}

/**
 * The database did not answer or stayed busy. The call can be repeated. A write can have happened only if the
 * answer of a remote database was lost.
 */
export class DatabaseUnavailable extends Error {}

/** There is no room on the disk of the database; nothing of the batch was kept. */
export class DatabaseFull extends DatabaseUnavailable {}

/**
 * Reports whether a statement failed because the database lacks a table or column, so it is not migrated yet.
 */
export function lacksTable(error: unknown): boolean {
  return error instanceof Error && /no such (?:table|column)/.test(error.message);
}

/** A read took longer than its deadline and was ended. A retry would usually take as long. */
export class TookTooLong extends DatabaseUnavailable {
  constructor() {
    super("a read took longer than its deadline");
  }
}

/** The rows of a read have more characters than they may have together. */
export class ReadTooMuch extends Error {}

/** Milliseconds for a read in another thread or of a remote database, from the call to the answer. */
export const readDeadline = 2_000;

/**
 * Returns a statement that fails with `GuardRefused(name)` exactly when the statement before it changed no
 * row. It uses a bad JSON path that contains the name, because SQLite quotes the path in its error on every
 * engine.
 */
export function guardChanged(name: string): Statement {
  return { sql: `select iif(changes() > 0, 1, json_extract('{}', '${name}'))`, args: [] };
}

/**
 * Returns a statement that fails with `GuardRefused(name)` unless the condition holds. `answer`: what the caller then
 * gets, when another run of the verb would be refused, too.
 */
export function guardThat(name: string, { sql, args }: Statement, answer?: Refusal): Statement {
  const guard = { sql: `select iif(${sql}, ${guardEnd(name)}`, args };
  return answer ? { ...guard, refusal: { guard: name, answer } } : guard;
}

const guardEnd = (name: string) => `1, json_extract('{}', '${name}'))`;

/** Whether a statement is a guard of this name. Several that are equal, in one batch, say the same. */
export function isGuard({ sql }: Statement, name: string): boolean {
  return sql.endsWith(guardEnd(name));
}

/**
 * Returns a value in the form to bind: whole numbers as integers. Both engines bind a JavaScript number as
 * REAL, so that a text column, a concatenation or a JSON value would read "5.0".
 */
export function bindValue(value: Value): null | string | number | bigint | Uint8Array {
  if (typeof value !== "number") return value;
  if (Number.isSafeInteger(value)) return BigInt(value);
  if (!Number.isFinite(value)) throw new RangeError(`${value} cannot be stored`);
  return value;
}

/** Whether the database refused the last write. */
export interface Refusals {
  refused: boolean;
}

/** Records whether the database takes a write. A write without changes needs neither a lock for long nor room. */
export async function noting(last: Refusals, write: Promise<Result[]>): Promise<Result[]> {
  try {
    const results = await write;
    if (last.refused && results.some(({ changes }) => changes > 0)) last.refused = false;
    return results;
  } catch (error) {
    if (error instanceof DatabaseUnavailable) last.refused = true;
    throw error;
  }
}
