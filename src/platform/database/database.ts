/**
 * The database port: what the service asks of SQLite, on a file or far away.
 *
 * There are no interactive transactions. Reads are sent together and see one state; writes are one
 * atomic batch. A batch cannot branch, but it can refuse: see `guard`.
 */

export type Value = string | number | null | Uint8Array;

/** One SQL statement with its bound values in order. Keep the number of different texts bounded. */
export interface Statement {
  readonly sql: string;
  readonly args: readonly Value[];
  /**
   * May run at the end of the commit that the batch is in, after other batches' statements: for the full-text
   * indexes, which write whatever they were given anew whenever something else is written in between.
   */
  readonly late?: true;
  /** May take longer than others should wait: `read` then treats its batch as `readAside` does. */
  readonly aside?: Aside;
}

/** Values by column name; give each selected column a name of its own. */
export type Row = Record<string, Value>;

export interface Result {
  readonly rows: Row[];
  /** Rows changed by an insert, update or delete. */
  readonly changes: number;
}

/** `few`: an index leaves few rows to read. `scan`: many, perhaps all of a company. */
export type Effort = "few" | "scan";

/** How a read is made beside other calls. */
export interface Aside {
  readonly effort: Effort;
  /** The company that it reads for; 0: the service itself. Companies take turns. */
  readonly company: number;
}

export interface Database {
  readonly kind: "file" | "remote";
  /**
   * Runs the statements against one state of the database, in one round trip. A far database has `readDeadline`
   * for it.
   */
  read(statements: readonly Statement[]): Promise<Result[]>;
  /**
   * As `read`, for what may take longer than others should wait: on a file it runs in a thread beside. The
   * reads of a small effort do not wait for scans, and no company waits for all the scans of another one. After
   * `readDeadline` it is ended with `TookTooLong`; throws `DatabaseUnavailable` when too many reads wait.
   */
  readAside(statements: readonly Statement[], aside: Aside): Promise<Result[]>;
  /** Runs the statements as one atomic batch in one round trip; it is on disk when this resolves. */
  write(statements: readonly Statement[]): Promise<Result[]>;
  /**
   * Runs a script of several statements without values, outside of any transaction but its own; one that it
   * leaves open is rolled back. It may stop the process for seconds: for migrations and upkeep.
   */
  script(sql: string): Promise<void>;
  /**
   * A number that stays the same as long as no other process or connection wrote to the database;
   * null where that cannot be known (a remote database). Own writes change it when a thread makes them.
   */
  stamp(): number | null;
  /** Whether the last write found no room on the disk. */
  isFull(): boolean;
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

/** A foreign key refused: a row that the batch names is gone. */
export class ReferenceGone extends Error {}

/**
 * The database did not answer, or stayed busy; the call can be repeated. Only when the answer of a far
 * database was lost may a write have happened all the same.
 */
export class DatabaseUnavailable extends Error {}

/** There is no room on the disk of the database; nothing of the batch was kept. */
export class DatabaseFull extends DatabaseUnavailable {}

/** Whether a statement failed since the database lacks a table or a column: it is not migrated yet. */
export function lacksTable(error: unknown): boolean {
  return error instanceof Error && /no such (?:table|column)/.test(error.message);
}

/** A read took longer than its deadline and was ended; it would as a rule take as long again. */
export class TookTooLong extends DatabaseUnavailable {
  constructor() {
    super("a read took longer than its deadline");
  }
}

/** Milliseconds that a read beside others, or of a far database, may take from the call to its answer. */
export const readDeadline = 2_000;

/**
 * A statement that fails with `GuardRefused(name)` exactly when the statement before it changed no row.
 * SQLite quotes the path of a bad JSON path error, on every engine: that carries the name out.
 */
export function guardChanged(name: string): Statement {
  return { sql: `select iif(changes() > 0, 1, json_extract('{}', '${name}'))`, args: [] };
}

/** A statement that fails with `GuardRefused(name)` unless the condition holds. */
export function guardThat(name: string, { sql, args }: Statement): Statement {
  return { sql: `select iif(${sql}, 1, json_extract('{}', '${name}'))`, args };
}
