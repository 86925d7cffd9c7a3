import { createClient, type ResultSet, type Value as Remote } from "@libsql/client/web";
import {
  type Database,
  DatabaseUnavailable,
  type Result,
  type Row,
  type Statement,
  type Value,
} from "./database.ts";
import { whileBusy, whileUnavailable } from "./patience.ts";
import { noting, type Room } from "./room.ts";
import { bound } from "./sqlite.ts";

export interface RemoteOptions {
  /** Milliseconds until an answer is no longer waited for; 15,000 unless told. */
  readonly timeout?: number;
  /** Where it is noted whether writes find room; its own unless given. */
  readonly room?: Room;
}

/** A libSQL database over HTTP, as on Turso: each `read` and each `write` is one request. */
export function openRemote(url: string, authToken?: string, options: RemoteOptions = {}): Database {
  const { timeout = 15_000, room = { full: false } } = options;
  const client = createClient({
    url,
    authToken,
    concurrency,
    fetch: (request: Request) => send(request, timeout),
  });

  async function batch(statements: readonly Statement[], mode: "read" | "write"): Promise<Result[]> {
    if (statements.length === 0) return [];
    const sent = statements.map(({ sql, args }) => ({ sql, args: args.map(bound) }));
    return (await client.batch(sent, mode)).map(toResult);
  }

  const read = (statements: readonly Statement[]) =>
    whileUnavailable(readPatience, () => whileBusy(readPatience, () => batch(statements, "read")));
  return {
    kind: "remote",
    read,
    // Whoever waits for a far database keeps nobody else here waiting.
    readAside: read,
    // Only a refused lock is tried again, for then nothing was done. When an answer is lost the batch may
    // have been kept, and doing it twice would be worse than not knowing.
    write: (statements) => noting(room, whileBusy(writePatience, () => batch(statements, "write"))),
    script: (sql) => whileBusy(0, () => client.executeMultiple(sql)),
    stamp: () => null,
    isFull: () => room.full,
    close: () => Promise.resolve(client.close()),
  };
}

/** Milliseconds for which a call is tried again. */
const readPatience = 2_000;
const writePatience = 10_000;

/** How many requests are under way at once; the client's own limit of 20 is short for a far database. */
const concurrency = 100;

/** Sends a request and takes its whole answer; whatever goes wrong on the way has one name. */
async function send(request: Request, timeout: number): Promise<Response> {
  let response: Response;
  let body: ArrayBuffer;
  try {
    response = await fetch(request, { signal: AbortSignal.timeout(timeout) });
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
