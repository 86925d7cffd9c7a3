/** Changes a scheduled report. */
import { ok } from "../../core/answer.ts";
import { markShown } from "../../db/alters.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { updateVersioned } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { guardChanged } from "../../platform/database/database.ts";
import { makeChanges } from "../../records/members.ts";
import { checkMayFilter, pickFilters, sameFilters } from "./filters.ts";
import { presentSchedule } from "./present.ts";
import { requireSchedule, selectScheduleById } from "./queries.ts";
import { type ScheduledReportChange, scheduledReportMembers, scheduledReports } from "./record.ts";
import {
  checkMayWriteSchedule,
  checkReferences,
  guardReferences,
  nextDelivery,
  selectScheduleReferences,
  storeRecipients,
  withoutRecipients,
} from "./write.ts";

/**
 * Returns the changed report. An absent member keeps its value. Another frequency applies from now on. A
 * report that has ended gets a next delivery, which comes if its maker has the right; one whose group was deleted
 * needs other filters.
 */
export async function updateScheduledReport(ctx: Context, id: string, body: ScheduledReportChange) {
  const { caller, deps, now, at } = ctx;
  const given = {
    indicator_set_id: body.indicator_set_id,
    recipients: body.recipient_user_ids,
    filters: body.filters === undefined ? undefined : pickFilters(body.filters),
  };
  const [first, ...found] = await deps.db.read([
    selectScheduleById(caller, id),
    ...selectScheduleReferences(caller.companyId, given),
  ]);
  const before = requireSchedule(caller, first!);
  checkMayWriteSchedule(caller, before);
  checkMatch(ctx, () => presentSchedule(caller, before));
  if (given.filters) checkMayFilter(caller, given.filters);
  const { zone, shown } = checkReferences(caller, given, found, before);
  const frequency = body.delivery_frequency ?? before.frequency;
  const isSame = !given.filters || sameFilters(JSON.parse(before.filters), given.filters);
  // It needs other filters before it can go on.
  const isStranded = before.failure === "group_deleted" && isSame;
  const isDated = isStranded || frequency === before.frequency && before.next_date !== null;
  const set = {
    ...makeChanges(scheduledReportMembers, body, before),
    frequency,
    filters: given.filters && !isSame ? JSON.stringify(given.filters) : before.filters,
    ...(isDated ? {} : { ...nextDelivery(frequency, zone, now), due_at: null, attempts: 0, failure: null }),
    updated_at: at,
  };
  return await commit(ctx, {
    statements: [
      updateVersioned(scheduledReports, set, before),
      guardChanged("scheduled_report"),
      guardReferences(given),
      ...(given.recipients ? markShown([withoutRecipients(id), storeRecipients(id, given.recipients)]) : []),
    ],
    answer: ok(presentSchedule(caller, { ...before, ...set, ...shown, version: before.version + 1 })),
  });
}
