/**
 * Which push message to send next. Taking one moves the moment at which it is due past the time that an attempt
 * can take: so nobody else takes it meanwhile, and when its sender dies it becomes due again by itself.
 */
import { furthestDue } from "../../core/retries.ts";
import { stepRows } from "../../db/expiry.ts";
import { statement } from "../../db/statements.ts";
import type { Row, Statement } from "../../platform/database/database.ts";

/** Milliseconds for which a claim holds: longer than an attempt can take. */
const leaseMs = 60_000;

/** A push message that was taken. */
export interface Claimed {
  readonly push_id: number;
  /** Which attempt this is, from 1. */
  readonly attempts: number;
  readonly device_id: number;
  readonly token: string;
  /** What the notification is presented from. */
  readonly notice: Row;
}

/** Takes the push message that has been due for longest at `now` (epoch milliseconds), and looks for more. */
export function claimStatements(now: number): Statement[] {
  return [
    statement(
      `update pushes set due_at = ?, attempts = attempts + 1 where id = (select id ${due} order by due_at, id limit 1) ` +
        "returning id as push_id, attempts, device_id, " +
        "(select d.token from devices d where d.id = pushes.device_id) as token, " +
        `(select json_object(${noticeParts}) from notifications notice ` +
        "left join users sender on sender.id = notice.sender_id " +
        "where notice.seq = pushes.notification_seq) as notice",
      now + leaseMs,
      now,
    ),
    statement(`select exists (select 1 ${due}) as more`, now),
  ];
}

const due = "from pushes indexed by pushes_due where due_at <= ?";

const noticeParts = [
  ...["id", "type", "data", "message", "created_at"].map((name) => `'${name}', notice.${name}`),
  "'sender_id', sender.id",
  ...["first_name", "last_name", "profile_picture"].map((name) => `'${name}', sender.${name}`),
].join(", ");

/** Makes those due at `now` that a clock that was ahead put off longer than any wait is; some of them, see `changes`. */
export function bringSomeBack(now: number): Statement {
  const far = "select id from pushes indexed by pushes_due where due_at > ?";
  return statement(
    `update pushes set due_at = ? where id in (${far} limit ${stepRows})`,
    now,
    furthestDue(now),
  );
}

/** The last results of a batch that ended with `claimStatements`; nothing when no push message is due. */
export function claimed(results: readonly Row[][]): { taken: Claimed | null; more: boolean } {
  const [taken, more] = results.slice(-2);
  const row = taken![0];
  return {
    taken: row ? { ...(row as Row & Claimed), notice: JSON.parse(row.notice as string) as Row } : null,
    more: more![0]!.more === 1,
  };
}
