/**
 * The rate of mail that nobody waits for: automated communications and campaigns of all companies and processes
 * together (`MAIL_RATE`). A sender takes slots with each claim and waits until their time.
 */
import { type Sql, sql } from "./statements.ts";
import type { Row, Statement } from "../platform/database/database.ts";

/** Milliseconds that slots are taken ahead at most. A longer way ahead was written while the clock was ahead. */
export const furthestSlot = 30_000;

/**
 * Epoch milliseconds by the clock of the database, the same for all processes, whose own clocks may disagree. Not
 * the time that a job looks ahead to: the mail server lives in this one.
 */
const databaseNow = sql`(unixepoch('subsec') * 1000.0)`;

/** Takes slots for `count` mails (SQL; none for 0) at `rate` mails a second, which is not 0; see `slotsOf`. */
export function takeSlots(rate: number, count: Sql): Statement {
  return sql`insert into mail_rate (id, next_at)
    select 1, ${databaseNow} + n * ${1_000 / rate} from (select ${count} as n) where n > 0
    on conflict (id) do update set next_at = iif(next_at > ${databaseNow} + ${furthestSlot}, ${databaseNow},
      max(next_at, ${databaseNow})) + (excluded.next_at - ${databaseNow})
    returning next_at - ${databaseNow} as ahead`;
}

/**
 * Reads a result of `takeSlots`, as soon as it is there. Returns the milliseconds to wait, at most `furthestSlot`,
 * until the slot that has `left` slots from itself to the last.
 */
export function slotsOf(rows: readonly Row[], rate: number): (left: number) => number {
  const ahead = rows[0]?.ahead;
  if (typeof ahead !== "number") return () => 0;
  const end = performance.now() + ahead;
  return (left) => Math.min(Math.max(end - left * 1_000 / rate - performance.now(), 0), furthestSlot);
}

/** SQL: the milliseconds to wait, at most `furthestSlot`, until the slot that was just taken for one mail. */
export function slotWait(rate: number): Sql {
  return sql`(select min(max(next_at - ${databaseNow} - ${
    1_000 / rate
  }, 0), ${furthestSlot}) from mail_rate)`;
}
