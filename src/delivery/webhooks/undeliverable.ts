/** Deliveries that will not be sent: their subscription is deleted, or its user or company is. */
import type { Deps } from "../../deps.ts";
import { rawSql, sql, statement } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";
import { live, pendingTargets } from "./claim.ts";

/** How many rows one batch ends, so that it holds the write lock for a few milliseconds only. */
const step = 1_000;

/**
 * Ends what is pending for deleted subscriptions, a bounded number of rows. It is not sent in any case,
 * for a claim takes live subscriptions only; `endUndeliverable` ends what is left.
 */
export function endPending(webhookIds: readonly number[]): Statement {
  return statement(ending("json_each(?) t"), JSON.stringify(webhookIds));
}

/** The same of those subscriptions that are deleted. */
export function endPendingOfGone(webhookIds: readonly number[]): Statement {
  const deleted = "(select w.id as value from json_each(?) j cross join webhooks w on w.id = j.value " +
    "where w.deleted_at is not null) t";
  return statement(ending(deleted), JSON.stringify(webhookIds));
}

/** Why a delivery ended that waited. */
export const unsubscribed = "the subscription was deleted";

function ending(webhooks: string): string {
  return `update deliveries set status = 'failed', error = '${unsubscribed}' where id in (` +
    `select d.id from ${webhooks} cross join deliveries d indexed by deliveries_due ` +
    `on d.webhook_id = t.value where d.status = 'pending' limit ${step})`;
}

/** Ends everything that waits for a subscription that is deleted, or whose user or company is. */
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
