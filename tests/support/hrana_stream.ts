import Libsql from "libsql";
import {
  type BatchResult,
  type Condition,
  type EngineValue,
  fromWire,
  type StatementResult,
  type Step,
  type StreamRequest,
  toWire,
  type WireError,
  type WireStatement,
} from "./hrana_protocol.ts";

/** A database connection that serves one stream of a client at a time, and is reset for the next client. */
export class Stream {
  readonly #database: Libsql.Database;
  readonly #texts = new Map<number, string>();
  closed = false;

  constructor(path: string) {
    this.#database = new Libsql(path);
    this.#database.defaultSafeIntegers(true);
    this.#database.exec("pragma journal_mode = wal; pragma foreign_keys = on; pragma busy_timeout = 200");
  }

  /** Answers one request of a pipeline; `closed` is then true if the client is done. */
  answer(request: StreamRequest): unknown {
    try {
      return { type: "ok", response: { type: request.type, ...this.#respond(request) } };
    } catch (error) {
      return { type: "error", error: wireError(error) };
    }
  }

  /** Resets the connection for the next client. */
  reset(): void {
    if (this.#database.inTransaction) this.#database.exec("rollback");
    this.#database.exec("pragma query_only = off; pragma foreign_keys = on");
    this.#texts.clear();
    this.closed = false;
  }

  end(): void {
    this.#database.close();
  }

  #respond(request: StreamRequest): object {
    switch (request.type) {
      case "execute":
        return { result: this.#execute(request.stmt) };
      case "batch":
        return { result: this.#batch(request.batch.steps) };
      case "sequence":
        this.#database.exec(this.#textOf(request));
        return {};
      case "describe":
        return { result: this.#describe(this.#textOf(request)) };
      case "store_sql":
        this.#texts.set(request.sql_id, request.sql);
        return {};
      case "close_sql":
        this.#texts.delete(request.sql_id);
        return {};
      case "get_autocommit":
        return { is_autocommit: !this.#database.inTransaction };
      case "close":
        this.closed = true;
        return {};
    }
  }

  #batch(steps: readonly Step[]): BatchResult {
    const result: BatchResult = { step_results: [], step_errors: [] };
    for (const step of steps) {
      let outcome: StatementResult | null = null;
      let failure: WireError | null = null;
      try {
        if (!step.condition || this.#holds(step.condition, result)) outcome = this.#execute(step.stmt);
      } catch (error) {
        failure = wireError(error);
      }
      result.step_results.push(outcome);
      result.step_errors.push(failure);
    }
    return result;
  }

  #holds(condition: Condition, result: BatchResult): boolean {
    switch (condition.type) {
      case "ok":
        return (result.step_results[condition.step] ?? null) !== null;
      case "error":
        return (result.step_errors[condition.step] ?? null) !== null;
      case "not":
        return !this.#holds(condition.cond, result);
      case "and":
        return condition.conds.every((each) => this.#holds(each, result));
      case "or":
        return condition.conds.some((each) => this.#holds(each, result));
      case "is_autocommit":
        return !this.#database.inTransaction;
    }
  }

  #execute(wire: WireStatement): StatementResult {
    // The engine accepts READONLY but enforces it only in a server.
    const sql = this.#textOf(wire);
    const readOnly = /^\s*begin\s+(transaction\s+)?readonly/i.test(sql);
    if (/^\s*begin/i.test(sql)) this.#database.exec(`pragma query_only = ${readOnly ? "on" : "off"}`);
    if (transactionControl.test(sql)) return this.#control(readOnly ? "begin" : sql);
    const [, before] = this.#counts();
    const statement = this.#database.prepare<[EngineValue[]]>(sql);
    const args = (wire.args ?? []).map(fromWire);
    let rows: EngineValue[][] = [];
    if (statement.reader) rows = toRows(statement.raw().all(args));
    else statement.run(args);
    const [changes, after, last] = this.#counts();
    return {
      cols: statement.reader ? statement.columns().map(({ name, type }) => ({ name, decltype: type })) : [],
      rows: wire.want_rows === false ? [] : rows.map((row) => row.map(toWire)),
      affected_row_count: before === after ? 0 : Number(changes),
      last_insert_rowid: String(last),
    };
  }

  /**
   * Begins or ends a transaction, without a prepared statement: one that is refused a lock stays in progress
   * until it is collected as garbage, and SQLite commits nothing while a statement of the connection is in
   * progress.
   */
  #control(sql: string): StatementResult {
    this.#database.exec(sql);
    if (/^\s*(commit|end|rollback)\b(?!\s+to)/i.test(sql)) this.#database.exec("pragma query_only = off");
    const [, , last] = this.#counts();
    return { cols: [], rows: [], affected_row_count: 0, last_insert_rowid: String(last) };
  }

  /**
   * Returns the changes of the last statement, the changes of all statements, and the id of the last inserted
   * row.
   */
  #counts(): EngineValue[] {
    const statement = this.#database.prepare("select changes(), total_changes(), last_insert_rowid()");
    return toRows(statement.raw().all())[0] ?? [];
  }

  #describe(sql: string): object {
    const statement = this.#database.prepare(sql);
    return {
      params: [],
      cols: statement.columns().map(({ name, type }) => ({ name, decltype: type })),
      is_explain: /^\s*explain/i.test(sql),
      is_readonly: statement.reader && !/\breturning\b/i.test(sql),
    };
  }

  #textOf(named: { sql?: string; sql_id?: number }): string {
    const text = named.sql ?? this.#texts.get(named.sql_id ?? -1);
    if (text === undefined) throw new Error(`SQL text ${named.sql_id} is not stored`);
    return text;
  }
}

const transactionControl = /^\s*(begin|commit|end|rollback|savepoint|release)\b/i;

/** Types the rows, which the engine leaves unknown. In raw mode, each row is an array of values. */
function toRows(rows: unknown[]): EngineValue[][] {
  return rows as EngineValue[][];
}

function wireError(error: unknown): WireError {
  const { message, code } = error instanceof Libsql.SqliteError
    ? error
    : { message: String(error), code: "" };
  const primary = /^SQLITE_[A-Z]+/.exec(code)?.[0] ?? "SQLITE_ERROR";
  return { message: `SQLite error: ${message}`, code: primary };
}
