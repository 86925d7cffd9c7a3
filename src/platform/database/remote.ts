import { createClient, type ResultSet, type Value as Remote } from "@libsql/client/web";
import {
  bindValue,
  type Database,
  DatabaseUnavailable,
  noting,
  readDeadline,
  type Refusals,
  type Result,
  type Row,
  type Statement,
  TookTooLong,
  type Value,
} from "./database.ts";
import { whileBusy, whileUnavailable, withDeadline } from "./retry.ts";

export interface RemoteOptions {
  /** Milliseconds to wait for the answer to a write; 15,000 by default. */
  readonly timeout?: number;
  /** Records whether the database takes writes; a new object by default. */
  readonly last?: Refusals;
  /** Milliseconds for a read; `readDeadline` by default. */
  readonly deadline?: number;
}

/** A libSQL database over HTTP, as on Turso: each `read` and each `write` is one request. */
export function openRemote(url: string, authToken?: string, options: RemoteOptions = {}): Database {
  const { timeout = 15_000, deadline = readDeadline, last = { refused: false } } = options;
  const clientWith = (fetch: (request: Request) => Promise<Response>) =>
    createClient({ url, authToken, concurrency, fetch });
  // The request also has the deadline, so that the server does not work for an abandoned result.
  const reading = clientWith(async (request) => {
    const late = AbortSignal.timeout(deadline);
    try {
      return await send(request, late);
    } catch (error) {
      throw late.aborted ? new TookTooLong() : error;
    }
  });
  const writing = clientWith((request) => send(request, AbortSignal.timeout(timeout)));

  async function batch(statements: readonly Statement[], mode: "read" | "write"): Promise<Result[]> {
    if (statements.length === 0) return [];
    const sent = statements.map(({ sql, args }) => ({ sql, args: args.map(bindValue) }));
    return (await (mode === "read" ? reading : writing).batch(sent, mode)).map(toResult);
  }

  const read = (statements: readonly Statement[]) => {
    const answer = whileUnavailable(deadline, () => whileBusy(deadline, () => batch(statements, "read")));
    return withDeadline(deadline, answer, () => {});
  };
  return {
    kind: "remote",
    read,
    // Waiting for a remote database does not block other calls.
    readOnThread: read,
    // Retries only a refused lock, because then nothing was done. When an answer is lost the batch may have
    // been committed, and must not run twice.
    write: (statements) => noting(last, whileBusy(writePatience, () => batch(statements, "write"))),
    script: (sql) => whileBusy(0, () => writing.executeMultiple(sql)),
    stamp: () => null,
    isRefusing: () => last.refused,
    freeBytes: () => null,
    release: () => {},
    close() {
      reading.close();
      writing.close();
      return Promise.resolve();
    },
  };
}

/** Milliseconds during which a write is retried while the database is locked. */
const writePatience = 10_000;

/** Most simultaneous requests. The client's default of 20 is low for a remote database. */
const concurrency = 100;

/** Sends a request and reads its whole answer. Maps every failure on the way to `DatabaseUnavailable`. */
async function send(request: Request, signal: AbortSignal): Promise<Response> {
  let response: Response;
  let body: ArrayBuffer;
  try {
    response = await fetch(request, { signal });
    body = await response.arrayBuffer();
  } catch (cause) {
    throw new DatabaseUnavailable("the database did not answer", { cause });
  }
  if (!response.ok) {
    const cause = new TextDecoder().decode(body).slice(0, 500);
    throw new DatabaseUnavailable(`the database answered ${response.status}`, { cause });
  }
  return new Response(body, { status: response.status, headers: response.headers });
}

function toResult(set: ResultSet): Result {
  const rows = set.rows.map((values) => {
    const row: Row = {};
    set.columns.forEach((name, i) => row[name] = toValue(values[i]));
    return row;
  });
  return { rows, changes: set.rowsAffected };
}

function toValue(value: Remote | undefined): Value {
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  return typeof value === "bigint" ? Number(value) : value ?? null;
}
