/**
 * Claims the next push message to send. A claim moves the due time past the longest attempt, so that no other
 * sender takes the message. If its sender dies, the message becomes due again.
 */
import { furthestDue } from "../../core/retries.ts";
import { stepRows } from "../../db/expiry.ts";
import { isReleased } from "../../db/hold.ts";
import { jsonMembers, literal, type Sql, sql } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";
import type { Once } from "../../staged/worker_pool.ts";
import { noticeData } from "./notice_data.ts";
import { noticeJoins } from "./present.ts";

/** Milliseconds of a claim, longer than the longest attempt. */
const leaseMs = 60_000;
/** Milliseconds of a lease that are kept for the longest attempt: a login and a message. */
const attemptMs = 30_000;

/** A claimed push message. */
export interface Claimed {
  readonly push_id: number;
  /** Number of this attempt, from 1. */
  readonly attempts: number;
  readonly device_id: number;
  readonly token: string;
  /** JSON: the row of the notification. */
  readonly notice: string;
}

/**
 * Claims the push message that has been due longest at `now` (epoch milliseconds), and reports whether there
 * are more.
 */
export function claimStatements(now: number): Statement[] {
  return [
    sql`update pushes set due_at = ${now + leaseMs}, attempts = attempts + 1
      where id = (select id ${due(now)} order by due_at, id limit 1)
      returning id as push_id, attempts, device_id,
      (select d.token from devices d where d.id = pushes.device_id) as token,
      (select json_object(${noticeParts}) from notifications notice ${noticeJoins}
      where notice.seq = pushes.notification_seq) as notice`,
    sql`select exists (select 1 ${due(now)}) as more`,
  ];
}

/** How push messages are sent once: see `WorkerPool`. */
export const pushesOnce: Once<Claimed> = {
  beginWithin: leaseMs - attemptMs,
  keysOf: ({ push_id }) => [`push ${push_id}`],
  giveBack: (push, due) => [giveBack(push, due)],
};

/** Makes a message that was not tried due at `due`, and does not count the attempt. */
export function giveBack({ push_id, attempts }: Claimed, due: number): Statement {
  return sql`update pushes set due_at = ${due}, attempts = attempts - 1
    where id = ${push_id} and attempts = ${attempts}`;
}

function due(now: number): Sql {
  return sql`from pushes indexed by pushes_due where due_at <= ${now} and ${isReleased}`;
}

const noticeParts = sql`${
  jsonMembers(["id", "type", "message", "created_at"], "notice")
}, 'data', ${noticeData},
  'sender_id', sender.id, ${jsonMembers(["first_name", "last_name", "profile_picture"], "sender")}`;

/**
 * Makes messages due at `now` if they are due later than any retry could be: a clock that was ahead wrote
 * that time. Changes a limited number of rows; see `changes`.
 */
export function bringSomeBack(now: number): Statement {
  return sql`update pushes set due_at = ${now} where id in (select id from pushes indexed by pushes_due
    where due_at > ${furthestDue(now)} limit ${literal(stepRows)})`;
}
