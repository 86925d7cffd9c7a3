/**
 * Claims the next mail to send. A claim moves the due time past the longest attempt, so that no other sender
 * takes the mail, and it becomes due again when its sender dies.
 */
import { furthestDue } from "../../core/retries.ts";
import { stepRows } from "../../db/expiry.ts";
import { furthestSlot, slotWait, takeSlots } from "../../db/mail_rate.ts";
import { type MailLane, mailLanes } from "../../db/mails.ts";
import { literal, sql } from "../../db/statements.ts";
import type { Row, Statement } from "../../platform/database/database.ts";
import type { Sending } from "../../staged/worker_pool.ts";

/** Milliseconds of a claim, longer than the longest attempt. */
export const leaseMs = 60_000;

/** The row of a claimed mail. */
export interface Claimed extends Row {
  readonly id: string;
  /** Number of this attempt, from 1. */
  readonly attempts: number;
  /** When it was written, epoch milliseconds. */
  readonly written_at: number;
  readonly to_address: string;
  readonly subject: string;
  /** Sealed. */
  readonly body: string;
  readonly about_kind: string | null;
  readonly about_id: string | null;
  /** Milliseconds to wait before it is sent. */
  readonly wait: number;
}

/**
 * Returns how to claim the mail of a lane that has been due longest, and to see whether there are more. `rate`: mails a
 * second; 0: no limit.
 */
export function claimsOf(lane: MailLane, rate: number): Sending<Claimed>["claim"] {
  const pending = sql`from mails indexed by mails_due
    where status = 'pending' and lane = ${literal(mailLanes[lane])}`;
  const patience = leaseMs + (rate > 0 ? furthestSlot : 0);
  const wait = rate > 0 ? slotWait(rate) : literal(0);
  return function claim(now) {
    const due = sql`${pending} and due_at <= ${now}`;
    return [
      ...(rate > 0 ? [takeSlots(rate, sql`exists (select 1 ${due})`)] : []),
      sql`update mails set due_at = ${now + patience}, attempts = attempts + 1
        where id = (select id ${due} order by due_at, id limit 1)
        returning id, attempts, unixepoch(created_at) * 1000 as written_at, to_address, subject, body,
        about_kind, about_id, ${wait} as wait`,
      sql`select exists (select 1 ${due}) as more`,
    ];
  };
}

/**
 * Makes mails due at `now` whose due time is further away than any wait: a clock that was ahead wrote it.
 * Limited; see `changes`.
 */
export function bringSomeBack(now: number): Statement {
  const lanes = JSON.stringify(Object.values(mailLanes));
  return sql`update mails set due_at = ${now} where id in (select m.id from json_each(${lanes}) l
    cross join mails m indexed by mails_due on m.lane = l.value
    where m.status = 'pending' and m.due_at > ${furthestDue(now)} limit ${literal(stepRows)})`;
}
