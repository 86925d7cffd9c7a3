/** Counts what waits for the caller, in one round trip. */
import { ok } from "../../core/answer.ts";
import type { Context } from "../../db/context.ts";
import { makeAgencyScope, makeTeamScope } from "../../db/scope.ts";
import { selectUnread } from "../../delivery/notifications/queries.ts";
import { selectZoneOfUser } from "../../identity/users/queries.ts";
import { selectTotal } from "../../lists/totals.ts";
import type { Result } from "../../platform/database/database.ts";
import {
  readLeadCounts,
  selectLeadCounters,
  selectNotAcceptedCounts,
  selectOwnCount,
} from "../../sales/leads/counts.ts";
import { readOwnTaskCounts, selectOwnTaskCounts } from "../../sales/tasks/own_counts.ts";

/** Returns the numbers that the caller's lists have. */
export async function readCounts(ctx: Context) {
  const { caller, deps: { db } } = ctx;
  const isAgency = caller.rights.has("agency");
  const [zone, tasks, open, mine, cases, unread, ...agency] = await db.read([
    selectZoneOfUser(caller.userId),
    selectOwnTaskCounts(ctx),
    selectNotAcceptedCounts(ctx),
    selectOwnCount(ctx),
    selectTotal("cases", makeTeamScope(caller), ["open"]),
    selectUnread(caller.userId),
    ...(isAgency ? selectLeadCounters(makeAgencyScope(caller), ctx.at) : []),
  ]);
  const leads = open!.rows[0]!;
  return ok({
    tasks: readOwnTaskCounts(tasks!, zone!.rows[0]!.timezone as string, ctx.now),
    leads: {
      waiting: Number(leads.waiting),
      mine: readNumber(mine!),
      team: Number(leads.team),
      next_escalates_at: leads.next as string | null,
    },
    agency: isAgency ? readAgencyCounts(agency) : null,
    cases: { open: readNumber(cases!) },
    notifications: { unread: readNumber(unread!) },
  });
}

function readAgencyCounts(results: readonly Result[]) {
  const { assignable, rejected, escalated, called, revoked } = readLeadCounts(results);
  return { assignable, rejected, escalated, called, revoked };
}

function readNumber({ rows: [row] }: Result): number {
  return Number(row?.n ?? 0);
}
