/** Sets aside records that fail alone, so that they do not block others, and retries them later. */
import { minuteMs } from "../core/time.ts";
import { isAhead, isPast } from "../db/moments.ts";
import { literal, type Sql, sql } from "../db/statements.ts";
import { type Database, DatabaseUnavailable, type Statement } from "../platform/database/database.ts";
import { describeError, type Log } from "../platform/log.ts";

/** The longest pause until the next attempt is 2 to this power, in minutes. */
const longestPause = 10;

/** SQL: the pause of what was set aside, or of work, with this due time has ended. */
export function isPauseOver(due: Sql, now: number): Sql {
  return isPast(due, now, minuteMs << longestPause);
}

/** SQL: the pause has not ended. */
export function isPaused(due: Sql, now: number): Sql {
  return isAhead(due, now, minuteMs << longestPause);
}

/** SQL: the moment of the next attempt, after `attempts` (an expression) have failed: 1 minute to 17 hours. */
export function composeNextDue(now: number, attempts: Sql): Sql {
  return sql`${now} + ${minuteMs} * (1 << min(${attempts} - 1, ${literal(longestPause)}))`;
}

/** SQL: the records that a queue skips at `now` (epoch milliseconds). */
export function selectSetAside(queue: string, now: number): Sql {
  return sql`select record from set_aside where queue = ${queue} and ${isPaused(sql`due_at`, now)}`;
}

/** SQL: whether a record (its id and version, SQL) is set aside. A record that has changed since is not. */
export function isSetAside(queue: string, record: Sql, version: Sql, now: number): Sql {
  return sql`exists (select 1 from set_aside s where s.queue = ${queue} and s.record = ${record}
    and s.version = ${version} and ${isPaused(sql`s.due_at`, now)})`;
}

export interface Failure {
  readonly queue: string;
  readonly record: string | number;
  readonly company_id: number;
  /** The version of the record, as a value or SQL, if the queue knows it. */
  readonly version?: number | Sql;
  readonly error: unknown;
}

/**
 * Sets a record aside and logs it. Each failure in a row doubles the pause; a new version of the record
 * starts again with the shortest pause.
 */
export async function setRecordAside(
  { db, log }: { readonly db: Database; readonly log: Log },
  { queue, record, company_id, version, error }: Failure,
  now: number,
): Promise<void> {
  const reason = describeError(error);
  const [row] = await db.write([
    sql`insert into set_aside (queue, record, company_id, version, attempts, error, due_at)
      values (${queue}, ${String(record)}, ${company_id}, ${version ?? null}, 1, ${reason.error},
      ${composeNextDue(now, sql`1`)}) on conflict (queue, record) do update set
      attempts = iif(version is excluded.version, attempts + 1, 1), error = excluded.error,
      due_at = ${composeNextDue(now, sql`iif(version is excluded.version, attempts + 1, 1)`)},
      version = excluded.version
      returning attempts`,
  ]);
  const attempts = Number(row!.rows[0]!.attempts);
  log.error({ event: "record_set_aside", queue, record, company_id, attempts, ...reason });
}

/** Removes records from `set_aside`, because they have succeeded since or are deleted. */
export function deleteSetAside(queue: string, records: readonly (string | number)[]): Statement {
  return sql`delete from set_aside where queue = ${queue}
    and record in (select value from json_each(${JSON.stringify(records.map(String))}))`;
}

/** The functions that `bisect` calls. */
interface Bisection<T> {
  /** Processes the rows together. Returns a number that `bisect` adds up. */
  readonly act: (rows: readonly T[]) => Promise<number>;
  /** Handles a row that failed alone. */
  readonly onFailure: (row: T, error: unknown) => Promise<void>;
  /** Errors that end the bisection; an unavailable database always does. */
  readonly ends?: (error: unknown) => boolean;
}

/**
 * Processes the rows together. If that fails, processes one half and then the other. Returns the sum of the
 * numbers that `act` returned.
 */
export async function bisect<T>(rows: readonly T[], how: Bisection<T>): Promise<number> {
  try {
    return await how.act(rows);
  } catch (error) {
    if (error instanceof DatabaseUnavailable || how.ends?.(error)) throw error;
    if (rows.length > 1) {
      const half = rows.length >> 1;
      return await bisect(rows.slice(0, half), how) + await bisect(rows.slice(half), how);
    }
    await how.onFailure(rows[0]!, error);
    return 0;
  }
}
