/** Pauses subscriptions whose targets keep failing. */
import { noContent } from "../../core/answer.ts";
import { Stale } from "../../core/errors.ts";
import { formatTimestamp } from "../../core/time.ts";
import { readPresent } from "../../db/ageing.ts";
import { commit } from "../../db/commit.ts";
import { literal, type Sql, sql, updateVersioned } from "../../db/statements.ts";
import { webhooks } from "./record.ts";
import type { Deps } from "../../deps.ts";
import { guardChanged, guardThat, type Row } from "../../platform/database/database.ts";
import { notFailing } from "./results.ts";

/**
 * A subscription is paused this many milliseconds after its first failure since the last success, if at least
 * `leastFailures` attempts have failed.
 */
const pausedAfter = 5 * 24 * 3_600_000;
const leastFailures = 20;

/** Most subscriptions per run; the next run continues. */
const mostPaused = 100;

/**
 * Pauses every subscription without a success for five days and with twenty failed attempts at `now` (epoch
 * milliseconds), and notifies its user. Returns their number. Simultaneous runs pause and notify once,
 * because the notification is in the same transaction.
 */
export async function pauseFailing(deps: Deps, now: number): Promise<number> {
  const [found] = await deps.db.read([selectFailingSince(now - pausedAfter)]);
  let paused = 0;
  for (const row of found!.rows) {
    try {
      await pause(deps, readPresent(deps, now), row as Failing);
      paused++;
    } catch (error) {
      // The subscription succeeded, changed, or was paused meanwhile.
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

function selectFailingSince(latest: number): Sql {
  return sql`select w.id, w.company_id, w.user_id, w.version, w.failing_since
    from webhooks w indexed by webhooks_failing join users u on u.id = w.user_id
    join companies c on c.id = w.company_id
    where w.failing_since <= ${latest} and w.deleted_at is null and w.paused_at is null
    and u.deleted_at is null and c.deleted_at is null and w.failures >= ${leastFailures}
    order by w.failing_since limit ${literal(mostPaused)}`;
}

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
