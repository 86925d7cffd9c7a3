/** Ends deliveries whose subscription or user is deleted. Those of a deleted company wait: it may come back. */
import type { Deps } from "../../deps.ts";
import { literal, type Sql, sql } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";
import { pendingTargets } from "./claim.ts";

/** Rows per batch, which holds the write lock for a few milliseconds. */
const step = 1_000;

/**
 * Ends some pending deliveries of deleted subscriptions. Claims skip these anyway; `endUndeliverable` ends
 * the rest.
 */
export function endPending(webhookIds: readonly number[]): Statement {
  return endDeliveries(sql`json_each(${JSON.stringify(webhookIds)}) t`);
}

/** Like `endPending`, but only for those of the subscriptions that are deleted. */
export function endPendingOfGone(webhookIds: readonly number[]): Statement {
  return endDeliveries(sql`(select w.id as value from json_each(${JSON.stringify(webhookIds)}) j
    cross join webhooks w on w.id = j.value where w.deleted_at is not null) t`);
}

/** The stored error of a delivery that waited for a deleted subscription. */
export const unsubscribed = "the subscription was deleted";

function endDeliveries(webhooks: Sql): Sql {
  return sql`update deliveries set status = 'failed', error = ${unsubscribed} where id in (
    select d.id from ${webhooks} cross join deliveries d indexed by deliveries_ready
    on d.webhook_id = t.value where d.status = 'pending' limit ${literal(step)})`;
}

/** Ends all deliveries that wait for a deleted subscription or user. */
export async function endUndeliverable(deps: Pick<Deps, "db">): Promise<void> {
  const [dead] = await deps.db.read([
    sql`with recursive ${pendingTargets} select p.id from pending p
      where p.id is not null and not exists (select 1 from webhooks w join users u on u.id = w.user_id
        where w.id = p.id and w.deleted_at is null and u.deleted_at is null)`,
  ]);
  for (const { id } of dead!.rows) {
    for (;;) {
      const [ended] = await deps.db.write([endPending([Number(id)])]);
      if (ended!.changes < step) break;
    }
  }
}
