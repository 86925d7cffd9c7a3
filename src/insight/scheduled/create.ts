/** Creates a scheduled report. */
import { ok } from "../../core/answer.ts";
import { makeId } from "../../core/ids.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { guardNumber } from "../../db/numbers.ts";
import { insert } from "../../db/statements.ts";
import { makeInitial } from "../../records/members.ts";
import { checkMayFilter, pickFilters } from "./filters.ts";
import { presentSchedule } from "./present.ts";
import { type ScheduledReportBody, scheduledReportMembers, scheduledReports } from "./record.ts";
import {
  checkReferences,
  guardReferences,
  nextDelivery,
  selectScheduleReferences,
  storeRecipients,
} from "./write.ts";

/** Placeholders: `shown` replaces them, or the answer for a new report does not use them. */
const nothing = {
  indicator_set: null,
  recipients: "[]",
  recipients_count: 0,
  names: "{}",
  is_recipient: 0,
  maker_rights: null,
};

/** Returns 200 with the scheduled report, whose first delivery is on the first day of the next period. */
export async function createScheduledReport(ctx: Context, body: ScheduledReportBody) {
  const { caller, deps, now, at } = ctx;
  const filters = pickFilters(body.filters);
  checkMayFilter(caller, filters);
  const named = { indicator_set_id: body.indicator_set_id, recipients: body.recipient_user_ids, filters };
  const found = await deps.db.read(selectScheduleReferences(caller.companyId, named));
  const { zone, shown } = checkReferences(caller, named, found);
  const row = {
    id: makeId(now),
    company_id: caller.companyId,
    user_id: caller.userId,
    ...makeInitial(scheduledReportMembers, body),
    frequency: body.delivery_frequency,
    filters: JSON.stringify(filters),
    ...nextDelivery(body.delivery_frequency, zone, now),
    wanted_at: null,
    due_at: null,
    attempt_at: null,
    attempts: 0,
    failure: null,
    created_at: at,
    updated_at: at,
  };
  return await commit(ctx, {
    statements: [
      guardNumber("scheduled_reports", caller.companyId),
      guardReferences(named),
      insert(scheduledReports, row),
      storeRecipients(row.id, named.recipients),
    ],
    answer: ok(presentSchedule(caller, { ...row, ...nothing, ...shown }, false)),
  });
}
