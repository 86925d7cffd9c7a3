/**
 * The rate of mail that no user waits for: automated communications and campaigns of all companies and
 * processes together (`MAIL_RATE`). A sender takes slots with each claim, and sends each mail at the time of
 * its slot.
 */
import { type Sql, sql } from "./statements.ts";
import type { Row, Statement } from "../platform/database/database.ts";

/**
 * Most milliseconds that slots are taken in advance. A slot further away was written while the clock was
 * ahead.
 */
export const furthestSlot = 30_000;

/**
 * Epoch milliseconds by the clock of the database, which is the same for all processes; their own clocks may
 * differ. Not the future time to which a job can look ahead, because the mail server works in real time.
 */
const databaseNow = sql`(unixepoch('subsec') * 1000.0)`;

/** Takes slots for `count` mails (SQL; none for 0) at `rate` mails a second, which is not 0; see `readSlots`. */
export function takeSlots(rate: number, count: Sql): Statement {
  return sql`insert into mail_rate (id, next_at)
    select 1, ${databaseNow} + n * ${1_000 / rate} from (select ${count} as n) where n > 0
    on conflict (id) do update set next_at = iif(next_at > ${databaseNow} + ${furthestSlot}, ${databaseNow},
      max(next_at, ${databaseNow})) + (excluded.next_at - ${databaseNow})
    returning next_at - ${databaseNow} as ahead`;
}

/**
 * Reads the result of `takeSlots`. Call it as soon as the result arrives, because the waits count from this
 * call. Returns a function of the milliseconds to wait, at most `furthestSlot`, until the slot of the next
 * mail. `left`: the mails that are left to send, including that one.
 */
export function readSlots(rows: readonly Row[], rate: number): (left: number) => number {
  const ahead = rows[0]?.ahead;
  if (typeof ahead !== "number") return () => 0;
  const end = performance.now() + ahead;
  return (left) => Math.min(Math.max(end - left * 1_000 / rate - performance.now(), 0), furthestSlot);
}

/** SQL: the milliseconds to wait, at most `furthestSlot`, until the slot that was just taken for one mail. */
export function selectSlotWait(rate: number): Sql {
  return sql`(select min(max(next_at - ${databaseNow} - ${1_000 / rate}, 0), ${furthestSlot})
    from mail_rate)`;
}
