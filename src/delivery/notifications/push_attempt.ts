/** One attempt to send a push message, with its result in the database and the log. */
import { titles } from "../../core/notifications.ts";
import { planRetry } from "../../core/retries.ts";
import { formatTimestamp } from "../../core/time.ts";
import { sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import type { Attempted, Queue } from "../../later/queue.ts";
import { giveBack, retryAt } from "../../later/rows.ts";
import type { Row } from "../../platform/database/database.ts";
import { describeError } from "../../platform/log.ts";
import { type Pusher, PushFailed } from "../../platform/push/push.ts";
import { readNotificationRow } from "./present.ts";
import { type ClaimedPush, pushRows } from "./push_claim.ts";

/**
 * Returns a function that sends a push message once. It never throws: a failure is a result. It reads `now`
 * after the attempt.
 */
export function makePushAttempt(
  { log, deleteNaming }: Pick<Deps, "log" | "deleteNaming">,
  pusher: Pusher,
): Queue<ClaimedPush, Attempted>["attempt"] {
  return async function attempt(push, moment) {
    const { now, isHeld } = moment;
    const { id: pushId, device_id, token, attempts, notice } = push;
    const { id, type, message } = readNotificationRow(JSON.parse(notice) as Row, "");
    const about = { notification: id, device: device_id, attempt: attempts };
    const removed = sql`delete from pushes where id = ${pushId}`;
    // The claim waited for the database. Another sender may have taken the message over.
    if (!isHeld()) return { serverFailed: false, recording: [giveBack(pushRows, push, now())] };
    try {
      const data = { notification_id: id, type };
      const became = await pusher.send({ token, title: titles[type], body: message.plain, data });
      log.info({ event: became === "sent" ? "push_sent" : "push_unregistered", ...about });
      return {
        serverFailed: false,
        recording: became === "sent" ? [removed] : [
          ...deleteNaming("device", sql`${device_id}`),
          sql`delete from devices where id = ${device_id}`,
        ],
      };
    } catch (error) {
      const failure = error instanceof PushFailed ? error.failure : "deferred";
      const retry = failure === "refused" ? null : planRetry(attempts, moment);
      log.error({
        event: retry === null ? "push_failed" : "push_delayed",
        ...about,
        ...describeError(error),
        ...(retry === null ? {} : { due_at: formatTimestamp(retry.due) }),
      });
      return {
        serverFailed: failure === "server",
        recording: [
          retry === null
            ? removed
            // Another sender that took the message over has counted one more attempt.
            : retryAt(pushRows, push, retry),
        ],
      };
    }
  };
}
