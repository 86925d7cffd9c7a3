/**
 * Delivers scheduled reports: each period once, after an outage only the last one. They are no queue of `later/`: a
 * report has no end, its due time is the calendar's, and a run delivers each at most once, so that one which is asked
 * for again and again does not hold up the others.
 */
import { noContent } from "../../core/answer.ts";
import { Problem, Stale } from "../../core/errors.ts";
import { planRetry } from "../../core/retries.ts";
import { formatTimestamp, parseTimestamp } from "../../core/time.ts";
import { memberOfRow } from "../../db/caller_guard.ts";
import { commit } from "../../db/commit.ts";
import { isReleased } from "../../db/hold.ts";
import { type Sql, sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import { makeFixedClock } from "../../platform/clock.ts";
import { guardChanged, type Row } from "../../platform/database/database.ts";
import { errorFields } from "../../platform/log.ts";
import { findIndicator, type IndicatorDefinition } from "../indicators/catalogue.ts";
import { seesSet } from "../indicator_sets/record.ts";
import { isKept } from "../kept_reports/write.ts";
import { metricRows } from "../reports/answers.ts";
import type { Question, ReportCompany } from "../reports/question.ts";
import { asClaimed, claim, type Claimed, dueReports } from "./claim.ts";
import { questionFilters, type ReportFilters } from "./filters.ts";
import { dayAt, dueAt, firstDay, onceKey, periodBefore, plannedDay } from "./periods.ts";
import { type ScheduleFailure, scheduleFailures } from "./failures.ts";
import type { ScheduledReportRow } from "./record.ts";
import { failureNotice, movedOn } from "./write.ts";

/** Milliseconds after which a run begins no more deliveries; the next run continues. */
const jobBudget = 50_000;
/** Deliveries of one run. */
const mostDelivered = 500;
/** The most attempts. After them the period is left out, so that the next one is delivered. */
const mostAttempts = 8;

/** Returns the number of deliveries begun at `now` (epoch milliseconds). */
export async function deliverReports(deps: Deps, now: number): Promise<number> {
  const until = performance.now() + jobBudget;
  // Each claim asks for the hold, too. This saves the claims of all due reports in each run during a hold.
  const [found, free] = await deps.db.read([
    dueReports(now, mostDelivered),
    sql`select ${isReleased("scheduled-reports")} as released`,
  ]);
  if (free!.rows[0]!.released !== 1) return 0;
  let begun = 0;
  for (const { id } of found!.rows) {
    if (deps.stopping?.aborted || performance.now() > until) break;
    const claimed = await claim(deps, String(id), now);
    if (!claimed) continue;
    begun++;
    await attempt(deps, claimed, now);
  }
  return begun;
}

async function attempt(deps: Deps, claimed: Claimed, now: number): Promise<void> {
  try {
    await deliver(deps, claimed, now).catch((error) => postpone(deps, claimed, error, now));
  } catch (error) {
    // The report was changed, deleted or delivered by another process meanwhile. The next run checks it
    // again.
    if (!(error instanceof Stale)) throw error;
    await giveBack(deps, claimed.row);
  }
}

/** Tries again later, or leaves the period out after the last attempt. */
async function postpone(deps: Deps, claimed: Claimed, error: unknown, now: number): Promise<void> {
  if (error instanceof Stale) throw error;
  const { row } = claimed;
  // The report has too many figures. Another attempt would have too many, too.
  if (error instanceof Problem && error.status === 422) {
    return await leaveOut(deps, claimed, "too_large", now);
  }
  const retry = planRetry(row.attempts, makeFixedClock(now, deps.clock), { most: mostAttempts });
  deps.log.error({
    event: retry === null ? "report_left_out" : "report_delayed",
    scheduled_report: row.id,
    ...errorFields(error),
  });
  if (retry === null) return await leaveOut(deps, claimed, "internal", now);
  await deps.db.write([
    sql`update scheduled_reports set attempt_at = ${retry.due},
      attempts = attempts - ${retry.counts ? 0 : 1} where ${asClaimed(row)}`,
  ]);
}

/** Releases a claim that led to no delivery, unless another process has taken it over. */
async function giveBack({ db }: Deps, { id, attempts, attempt_at }: ScheduledReportRow): Promise<void> {
  await db.write([
    sql`update scheduled_reports set attempt_at = null, attempts = attempts - 1
      where id = ${id} and attempts = ${attempts} and attempt_at = ${attempt_at}`,
  ]);
}

async function deliver(deps: Deps, claimed: Claimed, now: number): Promise<void> {
  const { row, company, maker, set } = claimed;
  const member = maker === null ? null : memberOfRow(JSON.parse(maker) as Row);
  if (member === null) return await end(deps, row, "maker_deleted", now);
  if (!member.rights.has("reports.schedule")) return await end(deps, row, "right_missing", now);
  if (set === null) return await end(deps, row, "indicator_set_deleted", now);
  if (!seesSet(member, set)) return await end(deps, row, "indicator_set_hidden", now);
  if (row.next_date === null) return await end(deps, row, row.failure, now);
  const { due: passed, next } = calendar(row, company, row.next_date, now);
  // If a company's local time goes back, the same day can come a second time when its report gets a new date.
  const due = passed !== null && await isKept(deps, onceKey(row, passed)) ? null : passed;
  // Nothing is due in the company's present time zone: only the moment of the next delivery changes.
  if (due === null && row.wanted_at === null) {
    return void await deps.db.write([movedOn(row, company, next, now, row.failure)]);
  }
  // Without this limit a report that crashes each process would be begun again and again.
  if (row.attempts > mostAttempts) throw new Error("the process ended during each attempt");
  const date = due ?? firstDay(row.frequency, dayAt(company.timezone, now));
  const asked: Omit<Question, "groupBy"> = {
    indicators: (JSON.parse(set.indicators) as string[]).map(findIndicator).filter((
      known,
    ): known is IndicatorDefinition => known !== undefined),
    ...periodBefore(row.frequency, company.timezone, date),
    filters: questionFilters(JSON.parse(row.filters) as ReportFilters),
    at: "" as const,
  };
  const reader = { deps, caller: member, company };
  const report = {
    name: row.name,
    company,
    asked,
    totals: await metricRows(reader, { ...asked, groupBy: [] }),
    users: await metricRows(reader, { ...asked, groupBy: ["user"] }),
  };
  // Loaded with the first report, because it loads the code that draws charts.
  const { keep } = await import("./keep.ts");
  await keep(deps, claimed, report, { date: due, next }, now);
}

/** Ends the deliveries of a report. Its maker is notified of the reason, once. */
async function end(deps: Deps, row: ScheduledReportRow, failure: ScheduleFailure | null, now: number) {
  await saveChange(
    deps,
    row,
    failure,
    sql`update scheduled_reports set next_date = null, next_at = null, wanted_at = null, attempt_at = null,
      failure = ${failure}, updated_at = ${formatTimestamp(now)}, version = version + 1
      where ${asClaimed(row)}`,
    now,
  );
}

/** Leaves out a period that cannot be delivered. Its maker is notified of each. */
async function leaveOut(deps: Deps, { row, company }: Claimed, why: LeftOut, now: number): Promise<void> {
  const { next } = calendar(row, company, row.next_date!, now);
  await saveChange(deps, row, why, movedOn(row, company, next, now, why), now);
}

/** Leaves out the period that a report waits with, without a failure. Returns the number of reports. */
export async function leavePeriodOut(deps: Deps, id: string, now: number): Promise<number> {
  const claimed = await claim(deps, id, now, sql`1`);
  if (claimed === null) return 0;
  const { row, company } = claimed;
  if (row.next_date === null) {
    await giveBack(deps, row);
    return 0;
  }
  const { next } = calendar(row, company, row.next_date, now);
  const [moved] = await deps.db.write([movedOn(row, company, next, now, row.failure)]);
  return moved!.changes;
}

const leftOut = ["internal", "too_large"] as const satisfies readonly ScheduleFailure[];
type LeftOut = typeof leftOut[number];

async function saveChange(
  deps: Deps,
  row: ScheduledReportRow,
  failure: ScheduleFailure | null,
  statement: Sql,
  now: number,
): Promise<void> {
  const isNew = failure !== null && (failure !== row.failure || leftOut.some((why) => why === failure));
  await commit({ deps, now, at: formatTimestamp(now) }, {
    companyId: row.company_id,
    statements: [statement, guardChanged("scheduled_report")],
    notifications: isNew ? [failureNotice(row, scheduleFailures[failure])] : [],
    answer: noContent,
  });
}

/**
 * Returns the day that is due of a report whose next delivery is stored as `next`, and the day of the
 * delivery after it.
 */
function calendar(
  { frequency, created_at }: ScheduledReportRow,
  { timezone }: ReportCompany,
  next: string,
  now: number,
) {
  const made = parseTimestamp(created_at)!;
  return dueAt(frequency, timezone, plannedDay(frequency, timezone, next, made, now), now);
}
