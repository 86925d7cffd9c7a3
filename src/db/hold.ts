/**
 * The hold on everything that leaves the service: mail, push messages, webhooks, campaigns, automated communications
 * and scheduled reports. A restore begins it, so that nothing goes out a second time. It is one row of the
 * database, so it holds for all processes, and each sender asks for it in the statement of its claim.
 */
import { formatTimestamp } from "../core/time.ts";
import type { Deps } from "../deps.ts";
import type { Statement } from "../platform/database/database.ts";
import type { Author } from "./commit.ts";
import { type Sql, sql } from "./statements.ts";

/** SQL: nothing is held. Part of each claim. */
export const isReleased = sql`not exists (select 1 from holds where id = 1)`;

/** Reads `since` of the hold, epoch milliseconds; no row: nothing is held. */
export const holdRead: Statement = sql`select since from holds where id = 1`;

/** Begins the hold at `now` (epoch milliseconds). One that exists goes on. */
export function hold(now: number): Statement {
  return sql`insert into holds (id, since) values (1, ${now}) on conflict do nothing`;
}

/** Ends the hold. */
export const release: Statement = sql`delete from holds`;

/**
 * SQL: a row was due at the moment (epoch milliseconds), or its first attempt was under way, which had moved its due
 * time.
 */
export function wasDue(before: number): Sql {
  return sql`(due_at <= ${before} or (attempts > 0 and error is null))`;
}

/** A kind of what waits during a hold. */
export interface HeldKind {
  /** Its name for operators. */
  readonly name: string;
  /**
   * Reads one row: `n`, how much is due at `now` (epoch milliseconds), and `oldest`, since when the first of it
   * waits, as a timestamp or in epoch milliseconds.
   */
  readonly waiting: (now: number) => Statement;
  /**
   * Drops some of what was due at the moment (epoch milliseconds), and records that where it is listed. A retry that
   * is due later stays. Returns the number; 0: nothing is left.
   */
  readonly drop: (author: Author, before: number) => Promise<number>;
}

/** Logs one line while there is a hold. */
export async function reportHold({ db, log }: Pick<Deps, "db" | "log">): Promise<void> {
  const [found] = await db.read([holdRead]);
  const since = found!.rows[0]?.since;
  if (since === undefined) return;
  log.info({
    event: "held",
    since: formatTimestamp(Number(since)),
    note: 'Nothing is sent until "deno task crm release".',
  });
}
