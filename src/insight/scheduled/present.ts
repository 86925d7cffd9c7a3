/** Scheduled report → wire shape. */
import type { Member } from "../../core/access.ts";
import { seesSet } from "../indicator_sets/record.ts";
import { presenter } from "../../records/members.ts";
import { presentFailure } from "../failures.ts";
import { scheduleFailures } from "./failures.ts";
import { type Named, readFilterNames, type ReportFilters } from "./filters.ts";
import { scheduledReportMembers, ScheduledReportSummary } from "./record.ts";
import { findFailure, type FullScheduleFacts, hasEnded, type NamedSet, type ScheduleFacts } from "./facts.ts";

/** The name of an indicator set that the caller does not see is null. */
export function presentScheduleSummary(caller: Member, row: ScheduleFacts) {
  return summarizeReport(caller, row, hasEnded(row));
}

/** Names of an indicator set and of filters that the caller does not see are null. */
export function presentSchedule(caller: Member, row: FullScheduleFacts, ended = hasEnded(row)) {
  const recipients = JSON.parse(row.recipients) as { readonly id: number; readonly name: string }[];
  const names = readFilterNames(caller, row.names);
  const { lead_sources = [] } = JSON.parse(row.filters) as ReportFilters;
  const pickNames = (found: readonly Named[]) => found.map(({ id, name }) => ({ id, name }));
  return {
    ...summarizeReport(caller, row, ended),
    recipients: recipients.map(({ id, name }) => ({ id, name })),
    filters: {
      relations_paths: pickNames(names.relation_path_ids),
      lead_types: pickNames(names.lead_type_ids),
      lead_sources: [...lead_sources],
      groups: pickNames(names.group_ids),
      teams: pickNames(names.team_ids),
    },
  };
}

const presentSummary = presenter(scheduledReportMembers, ScheduledReportSummary);

function summarizeReport(caller: Member, row: ScheduleFacts, ended: boolean) {
  const set = row.indicator_set === null ? null : JSON.parse(row.indicator_set) as NamedSet;
  return presentSummary({
    ...row,
    indicator_set: { id: row.indicator_set_id, name: set && seesSet(caller, set) ? set.name : null },
    delivery_frequency: row.frequency,
    next_delivery: ended ? null : row.next_date,
    error: presentFailure(scheduleFailures, ended ? findFailure(row) : row.failure),
  });
}
