/** Removes notifications that nobody can read. */
import { runInSteps, stepRows } from "../../db/expiry.ts";
import { literal, type Sql, sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";

/**
 * Removes, in bounded steps, unlisted notifications that have been sent, and those of deleted users. `now`:
 * epoch milliseconds. Returns the number of rows.
 */
export async function removeOldNotifications(deps: Pick<Deps, "db">, now: number): Promise<number> {
  const sent = sql`select seq from notifications indexed by notifications_expiring
    where expires_at <= ${now} and unsent = 0
    and not exists (select 1 from pushes p where p.notification_seq = notifications.seq)`;
  const ofDeleted = sql`select n.seq from notification_counts c indexed by notification_counts_of_deleted
    cross join notifications n on n.user_id = c.user_id where c.user_deleted = 1`;
  const removed = await runInSteps(deps.db, without(sent)) + await runInSteps(deps.db, without(ofDeleted));
  const bare = sql`from notification_counts where user_deleted = 1 and not exists
    (select 1 from notifications n where n.user_id = notification_counts.user_id)`;
  await deps.db.write([
    sql`delete from notification_reads where user_id in (select user_id ${bare})`,
    sql`delete ${bare}`,
  ]);
  return removed;
}

function without(seqs: Sql) {
  const some = sql`${seqs} limit ${literal(stepRows)}`;
  return [
    sql`delete from pushes where notification_seq in (${some})`,
    sql`delete from notifications where seq in (${some})`,
  ];
}
