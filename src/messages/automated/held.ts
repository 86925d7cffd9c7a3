/** Automated communications that wait during a hold. */
import type { HeldKind } from "../../db/hold.ts";
import { sql } from "../../db/statements.ts";
import { selectDueSends } from "../../sales/automated_sends/queue.ts";
import { cancelDue, readDueSend } from "./send.ts";

/** Communications of one step. */
const most = 50;

/** A dropped communication is cancelled. */
export const heldAutomated: HeldKind = {
  queue: "automated-communications",
  waiting: (now) =>
    sql`select count(*) as n, min(due_at) as oldest from automated_sends indexed by automated_sends_due
      where status = 'pending' and due_at <= ${now}`,
  async drop({ deps, now }, before) {
    const [due] = await deps.db.read([selectDueSends(before, most, sql`1`)]);
    let dropped = 0;
    for (const row of due!.rows) dropped += await cancelDue(deps, readDueSend(row), now);
    return dropped;
  },
};
