/** Records that fail alone are set aside, so that they hold up no others, and retried later. */
import { clockSkew } from "../core/clocks.ts";
import { literal, type Sql, sql } from "../db/statements.ts";
import { type Database, DatabaseUnavailable, type Statement } from "../platform/database/database.ts";
import { errorFields, type Log } from "../platform/log.ts";

const minute = 60_000;
/** A power of two: of the minutes until the next attempt. */
const longestPause = 10;

/** The latest moment that a pause made at `now` can end; a later one is of a clock that was ahead. */
export function latestDue(now: number): number {
  return now + (minute << longestPause) + clockSkew;
}

/** SQL: the moment of the next attempt, after `attempts` (an expression) have failed: 1 minute to 17 hours. */
export function nextDue(now: number, attempts: Sql): Sql {
  return sql`${now} + ${minute} * (1 << min(${attempts} - 1, ${literal(longestPause)}))`;
}

/** SQL: the records that a queue skips at `now` (epoch milliseconds). */
export function asideIn(queue: string, now: number): Sql {
  return sql`select record from set_aside where queue = ${queue} and due_at > ${now} and due_at <= ${
    latestDue(now)
  }`;
}

/** SQL: whether a record (its id and version, SQL) is set aside. One that has changed since is not. */
export function isAside(queue: string, record: Sql, version: Sql, now: number): Sql {
  return sql`exists (select 1 from set_aside s where s.queue = ${queue} and s.record = ${record}
    and s.version = ${version} and s.due_at > ${now} and s.due_at <= ${latestDue(now)})`;
}

export interface Failure {
  readonly queue: string;
  readonly record: string | number;
  readonly company_id: number;
  /** Of the record, a value or SQL, where the queue knows it. */
  readonly version?: number | Sql;
  readonly error: unknown;
}

/** Sets a record aside, for twice as long each time in a row, and logs it; a changed version begins anew. */
export async function putAside(
  { db, log }: { readonly db: Database; readonly log: Log },
  { queue, record, company_id, version, error }: Failure,
  now: number,
): Promise<void> {
  const reason = errorFields(error);
  const [row] = await db.write([
    sql`insert into set_aside (queue, record, company_id, version, attempts, error, due_at)
      values (${queue}, ${String(record)}, ${company_id}, ${version ?? null}, 1, ${reason.error}, ${
      nextDue(now, sql`1`)
    }) on conflict (queue, record) do update set
      attempts = iif(version is excluded.version, attempts + 1, 1), error = excluded.error,
      due_at = ${
      nextDue(now, sql`iif(version is excluded.version, attempts + 1, 1)`)
    }, version = excluded.version
      returning attempts`,
  ]);
  const attempts = Number(row!.rows[0]!.attempts);
  log.error({ event: "record_set_aside", queue, record, company_id, attempts, ...reason });
}

/** The records have succeeded since, or are gone. */
export function notAside(queue: string, records: readonly (string | number)[]): Statement {
  return sql`delete from set_aside where queue = ${queue}
    and record in (select value from json_each(${JSON.stringify(records.map(String))}))`;
}

/** How `bisect` treats what fails. */
interface Bisection<T> {
  /** Does the rows together. */
  readonly act: (rows: readonly T[]) => Promise<number>;
  /** Takes a row that failed alone. */
  readonly failed: (row: T, error: unknown) => Promise<void>;
  /** Errors that end the bisection; an unavailable database always does. */
  readonly ends?: (error: unknown) => boolean;
}

/** Does the rows together; where that fails, a half and then the other. Returns the sum of what `act` returned. */
export async function bisect<T>(rows: readonly T[], how: Bisection<T>): Promise<number> {
  try {
    return await how.act(rows);
  } catch (error) {
    if (error instanceof DatabaseUnavailable || how.ends?.(error)) throw error;
    if (rows.length > 1) {
      const half = rows.length >> 1;
      return await bisect(rows.slice(0, half), how) + await bisect(rows.slice(half), how);
    }
    await how.failed(rows[0]!, error);
    return 0;
  }
}
