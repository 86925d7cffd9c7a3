/** Notifications and push messages that wait during a hold. */
import { formatTimestamp } from "../../core/time.ts";
import type { HeldKind } from "../../db/hold.ts";
import { stepRows } from "../../db/expiry.ts";
import { literal, sql } from "../../db/statements.ts";

/**
 * Notifications that are still to be sent by mail or push: they are due when they are made. A dropped one stays in
 * the list of its user.
 */
export const heldNotifications: HeldKind = {
  queue: "notifications",
  waiting: () =>
    sql`select count(*) as n, min(created_at) as oldest from notifications indexed by notifications_unsent
      where unsent > 0`,
  async drop({ deps }, before) {
    const [dropped] = await deps.db.write([
      sql`update notifications set unsent = 0 where seq in (select seq from notifications
        indexed by notifications_unsent where unsent > 0 and created_at <= ${formatTimestamp(before)}
        limit ${literal(stepRows)})`,
    ]);
    return dropped!.changes;
  },
};

export const heldPushes: HeldKind = {
  queue: "push-messages",
  waiting: () =>
    sql`select count(*) as n, min(n.created_at) as oldest from pushes p
      join notifications n on n.seq = p.notification_seq`,
  async drop({ deps }, before) {
    const [dropped] = await deps.db.write([
      sql`delete from pushes where id in (select id from pushes indexed by pushes_due where due_at <= ${before}
        limit ${literal(stepRows)})`,
    ]);
    return dropped!.changes;
  },
};
