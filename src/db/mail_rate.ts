/**
 * The rate of mail that nobody waits for: automated communications and campaigns of all companies and processes
 * together (`MAIL_RATE`). A sender takes a slot with each claim and waits until its time.
 */
import { type Sql, sql } from "./statements.ts";
import type { Row, Statement } from "../platform/database/database.ts";

/** Milliseconds that slots are taken ahead at most. A longer way ahead was written by another clock. */
export const furthestSlot = 30_000;

/**
 * Epoch milliseconds by the machine's clock, which a job may look ahead of: the rate protects a mail server that
 * lives in that time.
 */
export function rateClock(): number {
  return performance.timeOrigin + performance.now();
}

/**
 * Takes slots for `count` mails (SQL; none for 0) at `rate` mails a second, which is not 0; see `waitForSlot`.
 */
export function takeSlots(rate: number, count: Sql): Statement {
  const now = rateClock();
  const interval = 1_000 / rate;
  return sql`insert into mail_rate (id, next_at)
    select 1, ${now} + n * ${interval} from (select ${count} as n) where n > 0
    on conflict (id) do update set next_at = iif(next_at > ${
    now + furthestSlot
  }, ${now}, max(next_at, ${now}))
      + (excluded.next_at - ${now})
    returning next_at`;
}

/** Milliseconds to wait until the first of `count` slots of a result of `takeSlots`, at most `furthestSlot`. */
export function waitForSlot(rows: readonly Row[], rate: number, count = 1): number {
  const end = rows[0]?.next_at;
  if (typeof end !== "number") return 0;
  return Math.min(Math.max(end - count * 1_000 / rate - rateClock(), 0), furthestSlot);
}
