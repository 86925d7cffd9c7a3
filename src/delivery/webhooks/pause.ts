/** The pause of subscriptions to which nothing gets through. */
import { noContent } from "../../core/answer.ts";
import { Stale } from "../../core/errors.ts";
import { formatTimestamp } from "../../core/time.ts";
import { commit } from "../../db/commit.ts";
import { sql, statement, updateVersioned } from "../../db/statements.ts";
import { webhooks } from "../../db/tables.ts";
import type { Deps } from "../../deps.ts";
import { guardChanged, guardThat, type Row } from "../../platform/database/database.ts";
import { notFailing } from "./failing.ts";

/**
 * A subscription is paused when so many milliseconds ago an attempt failed, none has succeeded since, and so many
 * have failed since.
 */
const pausedAfter = 5 * 24 * 3_600_000;
const leastFailures = 20;

/** Subscriptions that one run pauses at most; the next one goes on. */
const mostPaused = 100;

/**
 * Pauses every subscription that has had no success for five days or more at `now` (epoch milliseconds), and twenty
 * failed attempts in them, and tells its user; how many. However many run at once, each is paused once, and its
 * user told once: the notification, with the mail that it brings, is of the same transaction.
 */
export async function pauseFailing(deps: Deps, now: number): Promise<number> {
  const [found] = await deps.db.read([statement(failing, now - pausedAfter)]);
  let paused = 0;
  for (const row of found!.rows) {
    try {
      await pause(deps, now, row as Failing);
      paused++;
    } catch (error) {
      // It succeeded, was changed, or somebody else has paused it.
      if (!(error instanceof Stale)) throw error;
    }
  }
  return paused;
}

type Failing = Row & {
  id: number;
  company_id: number;
  user_id: number;
  version: number;
  failing_since: number;
};

const failing = "select w.id, w.company_id, w.user_id, w.version, w.failing_since " +
  "from webhooks w indexed by webhooks_failing join users u on u.id = w.user_id " +
  "join companies c on c.id = w.company_id " +
  "where w.failing_since <= ? and w.deleted_at is null and w.paused_at is null " +
  "and u.deleted_at is null and c.deleted_at is null " +
  `and w.failures >= ${leastFailures} ` +
  `order by w.failing_since limit ${mostPaused}`;

async function pause(deps: Deps, now: number, webhook: Failing): Promise<void> {
  const at = formatTimestamp(now);
  await commit({ deps, now, at }, {
    companyId: webhook.company_id,
    statements: [
      guardThat(
        "stale",
        sql`exists (select 1 from webhooks where id = ${webhook.id} and failing_since = ${webhook.failing_since})`,
      ),
      updateVersioned(webhooks, { paused_at: at, updated_at: at, ...notFailing }, webhook),
      guardChanged("stale"),
    ],
    notifications: [{ type: "webhook_paused", to: [{ users: [webhook.user_id] }], data: { webhook } }],
    answer: noContent,
  });
}
