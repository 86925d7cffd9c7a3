/** The push messages that wait, as rows of a queue. Those of a deleted company wait on. */
import { longestRetry } from "../../core/retries.ts";
import { isSendable } from "../../db/mails.ts";
import { composeJsonMembers, sql } from "../../db/statements.ts";
import type { Rows, RowTask } from "../../later/rows.ts";
import { noticeData } from "./notice_data.ts";
import { noticeJoins } from "./present.ts";

/** Milliseconds of a claim, longer than the longest attempt. */
const leaseMs = 60_000;
/** Milliseconds of a lease that are kept for the longest attempt: a login and a message. */
const attemptMs = 30_000;

/** A claimed push message. */
export interface ClaimedPush extends RowTask {
  readonly id: number;
  readonly device_id: number;
  readonly token: string;
  /** JSON: the row of the notification. */
  readonly notice: string;
}

const noticeParts = sql`${composeJsonMembers(["id", "type", "message", "created_at"], "notice")}, 'data',
  ${noticeData},
  'sender_id', sender.id, ${composeJsonMembers(["first_name", "last_name", "profile_picture"], "sender")}`;

export const pushRows: Rows = {
  table: "pushes",
  held: "push-messages",
  index: "pushes_due",
  waiting: isSendable(
    sql`(select n.company_id from notifications n where n.seq = pushes.notification_seq)`,
  ),
  columns: sql`device_id, (select d.token from devices d where d.id = pushes.device_id) as token,
    (select json_object(${noticeParts}) from notifications notice ${noticeJoins}
    where notice.seq = pushes.notification_seq) as notice`,
  longestWait: longestRetry,
  rate: 0,
  ms: leaseMs,
  attemptMs,
};
