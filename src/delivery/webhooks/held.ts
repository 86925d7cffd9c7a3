/** Deliveries that wait during a hold. */
import type { HeldKind } from "../../db/hold.ts";
import { stepRows } from "../../db/expiry.ts";
import { literal, sql } from "../../db/statements.ts";

/** A dropped delivery is a failed one, which its company can send again. */
export const heldDeliveries: HeldKind = {
  queue: "webhook-deliveries",
  waiting: (now) =>
    sql`select count(*) as n, min(created_at) as oldest from deliveries
      where status = 'pending' and due_at <= ${now}`,
  async drop({ deps }, before) {
    const [dropped] = await deps.db.write([
      sql`update deliveries set status = 'failed', error = 'Dropped after a restore.' where rowid in (
        select rowid from deliveries where status = 'pending' and due_at <= ${before}
        limit ${literal(stepRows)})`,
    ]);
    return dropped!.changes;
  },
};
