/** Statements that create or change a scheduled report, and the checks of its references. */
import { type FieldError, forbidden, invalid, missingReference } from "../../core/errors.ts";
import { type Caller, isAdmin } from "../../core/access.ts";
import type { NotificationDraft } from "../../db/notifications.ts";
import { insertAll, remove, type Sql, sql } from "../../db/statements.ts";
import { guardThat, type Result, type Row, type Statement } from "../../platform/database/database.ts";
import { formatTimestamp } from "../../core/time.ts";
import type { ReportCompany } from "../reports/question.ts";
import { asClaimed } from "./claim.ts";
import { type IndicatorSetRow, seesSet } from "../indicator_sets/record.ts";
import { selectIndicatorSetById } from "../indicator_sets/queries.ts";
import { checkFilters, keepDeletedFilters, type ReportFilters, selectFilterNames } from "./filters.ts";
import { dayAt, deliveryMoment, type Frequency, nextDay } from "./periods.ts";
import type { ScheduleFailure } from "./failures.ts";
import { scheduledReportRecipients, type ScheduledReportRow } from "./record.ts";

/** The references in a request body. An absent one keeps its value. */
export interface Referenced {
  readonly indicator_set_id?: string | undefined;
  readonly recipients?: readonly number[] | undefined;
  readonly filters?: ReportFilters | undefined;
}

/** Reads of `checkReferences`: the set, the recipients and the filters; then the company's `timezone`. */
export function selectScheduleReferences(
  companyId: number,
  { indicator_set_id = "", recipients = [], filters = {} }: Referenced,
): Statement[] {
  return [
    selectIndicatorSetById(companyId, indicator_set_id),
    sql`select u.id, trim(u.first_name || ' ' || u.last_name) as name from users u where u.id in (
      select value from json_each(${JSON.stringify(recipients)})) and +u.company_id = ${companyId}
      and u.deleted_at is null order by u.id`,
    selectFilterNames(companyId, filters),
    sql`select timezone from companies where id = ${companyId}`,
  ];
}

/**
 * Throws 422 for each reference that the caller does not see, and for a private set of another user than the
 * maker. A report may keep its set (`before`). Returns the time zone, and the references as `presentSchedule`
 * shows them.
 */
export function checkReferences(
  caller: Caller,
  { indicator_set_id, recipients, filters }: Referenced,
  [sets, users, names, company]: readonly Result[],
  before: Partial<Pick<ScheduledReportRow, "user_id" | "indicator_set_id" | "filters">> = {},
) {
  const errors: FieldError[] = [];
  const set = sets!.rows[0] as (IndicatorSetRow & Row) | undefined;
  const { user_id: makerId = caller.userId } = before;
  const isPrivate = set?.private === 1 && set.user_id !== makerId;
  const mayUse = set && (set.id === before.indicator_set_id || (seesSet(caller, set) && !isPrivate));
  if (indicator_set_id !== undefined && !mayUse) {
    errors.push(missingReference("indicator_set_id", "indicator set"));
  }
  const there = new Set(users!.rows.map(({ id }) => id));
  recipients?.forEach((id, index) => {
    if (!there.has(id)) errors.push(missingReference(`recipient_user_ids[${index}]`, "user"));
  });
  const kept = before.filters && filters ? keepDeletedFilters(JSON.parse(before.filters), filters) : {};
  if (filters) checkFilters(caller, filters, names!, errors, kept);
  if (errors.length > 0) throw invalid(...errors);
  return {
    zone: String(company!.rows[0]!.timezone),
    shown: {
      ...(set && { indicator_set: JSON.stringify(set) }),
      ...(recipients && {
        recipients: JSON.stringify(users!.rows),
        recipients_count: users!.rows.length,
      }),
      ...(filters && { names: String(names!.rows[0]!.names) }),
    },
  };
}

/** Refuses the batch when the set or a recipient was deleted meanwhile. */
export function guardReferences({ indicator_set_id, recipients = [] }: Referenced): Statement {
  const isSetThere = indicator_set_id === undefined
    ? sql`1`
    : sql`exists (select 1 from indicator_sets s where s.id = ${indicator_set_id})`;
  return guardThat(
    "references",
    sql`${isSetThere} and not exists (
      select 1 from json_each(${JSON.stringify(recipients)}) r left join users u on u.id = r.value
        and u.deleted_at is null where u.id is null)`,
  );
}

/** The next delivery after a moment (epoch milliseconds), by the clock of the zone. */
export function nextDelivery(frequency: Frequency, zone: string, now: number) {
  const next_date = nextDay(frequency, dayAt(zone, now));
  return { next_date, next_at: deliveryMoment(zone, next_date), zone };
}

/**
 * Moves a report to its next delivery, and takes it out of the queue. A delivery that was asked for after the
 * claim stays due.
 */
export function moveOn(
  row: ScheduledReportRow,
  { timezone }: Pick<ReportCompany, "timezone">,
  next: string,
  now: number,
  failure: ScheduleFailure | null,
): Sql {
  const isChanged = sql`(next_date <> ${next} or failure is not ${failure})`;
  return sql`update scheduled_reports set next_date = ${next}, next_at = ${deliveryMoment(timezone, next)},
    zone = ${timezone}, wanted_at = iif(wanted_at is ${row.wanted_at}, null, wanted_at), due_at = null, attempts = 0,
    failure = ${failure}, updated_at = iif(${isChanged}, ${formatTimestamp(now)}, updated_at),
    version = version + ${isChanged} where ${asClaimed(row)}`;
}

/** Returns the notification of a failure to the maker, unless deleted. `reason`: a sentence. */
export function failureNotice(
  { id, user_id, name }: Pick<ScheduledReportRow, "id" | "user_id" | "name">,
  reason: string,
): NotificationDraft {
  return {
    type: "scheduled_report_failed",
    to: [{ users: [user_id] }],
    data: { scheduled_report: { id } },
    message: `${name}: ${reason}`,
  };
}

export function storeRecipients(id: string, users: readonly number[]): Statement {
  return insertAll(scheduledReportRecipients, users.map((user_id) => ({ report_id: id, user_id })));
}

export function withoutRecipients(id: string): Statement {
  return remove(scheduledReportRecipients, { report_id: id });
}

/** Throws 403 unless the caller, who sees the report, may change it. */
export function checkMayWriteSchedule(
  caller: Caller,
  { user_id }: Pick<ScheduledReportRow, "user_id">,
): void {
  if (user_id === caller.userId || isAdmin(caller)) return;
  throw forbidden("Only its maker and admins may change or send the scheduled report.");
}
