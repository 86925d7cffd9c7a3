/** Redelivers a delivery, and sends a test event. */
import { accepted } from "../../core/answer.ts";
import { testEvent } from "../../core/events.ts";
import { makeId } from "../../core/ids.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { missed } from "../../db/outbox.ts";
import { guardVersions, type Sql, sql } from "../../db/statements.ts";
import { guardChanged } from "../../platform/database/database.ts";
import { requireDelivery, selectDeliveryById } from "./deliveries.ts";
import { presentDelivery } from "./present_delivery.ts";
import { presentWebhook } from "./present.ts";
import { readWebhook } from "./queries.ts";
import { unsubscribed } from "./undeliverable.ts";

/**
 * SQL assignments that restart deliveries at `now` (epoch milliseconds) with a full set of attempts. Ids,
 * bodies and past attempts stay.
 */
export function restartDelivery(now: number): Sql {
  return sql`status = 'pending', due_at = ${now}, begun_after = attempts, parked = 0, again = 1,
    error = iif(error in (${missed}, ${unsubscribed}), null, error)`;
}

/**
 * 202 with the delivery, which is due now with the same id and bytes. Its earlier state does not matter. A
 * running attempt is not doubled. While the subscription is paused, the delivery waits.
 */
export async function redeliver(ctx: Context, id: string) {
  const { caller, deps } = ctx;
  const [found] = await deps.db.read([selectDeliveryById(ctx, id)]);
  const delivery = requireDelivery(ctx, found!);
  const anew = restartDelivery(ctx.now);
  const error = [missed, unsubscribed].includes(delivery.error ?? "") ? null : delivery.error;
  const answer = await commit(ctx, {
    statements: [
      guardVersions("webhooks", [{ id: delivery.webhook_id, version: delivery.webhook_version }]),
      sql`update deliveries set ${anew} where id = ${id} and status = ${delivery.status} and attempts = ${delivery.attempts}`,
      guardChanged("stale"),
    ],
    answer: accepted(presentDelivery({ ...delivery, status: "pending", due_at: ctx.now, error })),
  });
  deps.wakeDeliveries([caller.companyId]);
  return answer;
}

/**
 * 202 with the delivery of a test event to this subscription only. Its body is the subscription without the
 * token.
 */
export async function testWebhook(ctx: Context, id: number) {
  const { caller, deps } = ctx;
  const webhook = await readWebhook(ctx, id);
  const delivery_id = makeId(ctx.now);
  const fresh = {
    id: delivery_id,
    event_name: testEvent,
    entity_id: String(id),
    status: "pending" as const,
    attempts: 0,
    response_status: null,
    error: null,
    duration_ms: null,
    due_at: ctx.now,
    created_at: ctx.at,
    delivered_at: null,
  };
  return await commit(ctx, {
    statements: [guardVersions("webhooks", [webhook])],
    events: [{
      name: testEvent,
      entity: { type: "webhook", id, team_id: null, created_by: webhook.user_id },
      body: presentWebhook({ ...webhook, verification_token: null }, caller, deps.secretsKey),
      only: { webhook_id: id, delivery_id },
    }],
    answer: accepted(presentDelivery(fresh)),
  });
}
