/** Moves due and creation times back to the current time if a clock that was ahead wrote them. */
import { computeFurthest } from "../../core/clocks.ts";
import { longestRetry } from "../../core/retries.ts";
import { formatTimestamp } from "../../core/time.ts";
import { runInSteps, stepRows } from "../../db/expiry.ts";
import { literal, type Sql, sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import type { Statement } from "../../platform/database/database.ts";
import { pendingTargets } from "./claim.ts";

/** Rows per batch, which holds the write lock for a few milliseconds. */
const step = 500;

/** SQL: selects deliveries of the subscription that are due later than any retry could be. */
function selectFarDeliveries(webhookId: Sql, now: number): Sql {
  return sql`select d.rowid from deliveries d indexed by deliveries_ready
    where d.webhook_id = ${webhookId} and d.status = 'pending' and d.parked = 0
    and d.due_at > ${computeFurthest(now, longestRetry)}`;
}

/** Reads `id` of every subscription with such deliveries at `now` (epoch milliseconds). */
export function selectFarTargets(now: number): Statement {
  return sql`with recursive ${pendingTargets} select p.id from pending p
    where p.id is not null and exists (${selectFarDeliveries(sql`p.id`, now)})`;
}

/** Makes some of the subscription's deliveries due at `now`; `changes` has their number. */
export function bringSomeBack(webhookId: number, now: number): Statement {
  return sql`update deliveries set due_at = ${now}
    where rowid in (${selectFarDeliveries(sql`${webhookId}`, now)} limit ${literal(step)})`;
}

/** Makes all such deliveries of the subscriptions due at `now`. */
export async function bringBack(
  { db }: Pick<Deps, "db">,
  webhookIds: readonly number[],
  now: number,
): Promise<void> {
  for (const id of webhookIds) {
    for (;;) {
      const [changed] = await db.write([bringSomeBack(id, now)]);
      if (changed!.changes < step) break;
    }
  }
}

/**
 * Moves future creation times of ended deliveries to `now` (epoch milliseconds), so that they are removed in
 * time. Returns their number.
 */
export async function dateBack({ db }: Pick<Deps, "db">, now: number): Promise<number> {
  return await runInSteps(db, [
    sql`update deliveries set created_at = ${formatTimestamp(now)} where rowid in (
      select rowid from deliveries indexed by deliveries_by_age
      where status <> 'pending' and created_at > ${formatTimestamp(computeFurthest(now, 0))}
      limit ${literal(stepRows)})`,
  ]);
}
