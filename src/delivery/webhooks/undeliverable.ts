/** Ends deliveries whose subscription, user or company is deleted. */
import type { Deps } from "../../deps.ts";
import { rawSql, sql, statement } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";
import { live, pendingTargets } from "./claim.ts";

/** Rows per batch, which holds the write lock for a few milliseconds. */
const step = 1_000;

/**
 * Ends some pending deliveries of deleted subscriptions. Claims skip these anyway; `endUndeliverable` ends
 * the rest.
 */
export function endPending(webhookIds: readonly number[]): Statement {
  return statement(ending("json_each(?) t"), JSON.stringify(webhookIds));
}

/** The same, for subscriptions that are deleted. */
export function endPendingOfGone(webhookIds: readonly number[]): Statement {
  const deleted = "(select w.id as value from json_each(?) j cross join webhooks w on w.id = j.value " +
    "where w.deleted_at is not null) t";
  return statement(ending(deleted), JSON.stringify(webhookIds));
}

/** Stored error of such a delivery. */
export const unsubscribed = "the subscription was deleted";

function ending(webhooks: string): string {
  return `update deliveries set status = 'failed', error = '${unsubscribed}' where id in (` +
    `select d.id from ${webhooks} cross join deliveries d indexed by deliveries_due ` +
    `on d.webhook_id = t.value where d.status = 'pending' limit ${step})`;
}

/** Ends all deliveries that wait for a deleted subscription, user or company. */
export async function endUndeliverable(deps: Pick<Deps, "db">): Promise<void> {
  const [dead] = await deps.db.read([
    sql`with recursive ${
      rawSql(pendingTargets)
    } select p.id from pending p where p.id is not null and not exists (${rawSql(live("p.id"))})`,
  ]);
  for (const { id } of dead!.rows) {
    for (;;) {
      const [ended] = await deps.db.write([endPending([Number(id)])]);
      if (ended!.changes < step) break;
    }
  }
}
