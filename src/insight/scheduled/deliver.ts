/**
 * Delivers scheduled reports: each period once, after an outage only the last one. The calendar decides which are due;
 * each run first puts those into the queue, and a delivery takes its report out. So one that is asked for again and
 * again waits for the next run, and does not hold up the others.
 */
import { noContent } from "../../core/answer.ts";
import { Problem, Stale } from "../../core/errors.ts";
import { planRetry, type RetryClock } from "../../core/retries.ts";
import { formatTimestamp, parseTimestamp } from "../../core/time.ts";
import { readMemberRow } from "../../db/caller_guard.ts";
import { commit } from "../../db/commit.ts";
import { type Sql, sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import { PlainLine, plainPace } from "../../later/line.ts";
import { Loop } from "../../later/loop.ts";
import type { Attempted, Queue } from "../../later/queue.ts";
import { RowLease } from "../../later/row_lease.ts";
import { retryAt } from "../../later/rows.ts";
import { makeClockAhead } from "../../platform/clock.ts";
import { guardChanged, type Row, type Statement } from "../../platform/database/database.ts";
import { describeError } from "../../platform/log.ts";
import { findIndicator, type IndicatorDefinition } from "../indicators/catalogue.ts";
import { seesSet } from "../indicator_sets/record.ts";
import { isKept } from "../kept_reports/write.ts";
import { readMetricRows } from "../reports/answers.ts";
import type { Question, ReportCompany } from "../reports/question.ts";
import {
  asClaimed,
  type Claimed,
  queueReports,
  readClaimed,
  reportRows,
  type ReportTask,
  selectDueReports,
} from "./claim.ts";
import { questionFilters, type ReportFilters } from "./filters.ts";
import { dayAt, dueAt, firstDay, onceKey, periodBefore, planDay } from "./periods.ts";
import { type ScheduleFailure, scheduleFailures } from "./failures.ts";
import type { ScheduledReportRow } from "./record.ts";
import { failureNotice, moveOn } from "./write.ts";

/** Milliseconds after which a run begins no more deliveries; the next run continues. */
const jobBudget = 50_000;
/** The most reports that a run finds due. */
const mostQueued = 500;
/** The most attempts. After them the period is left out, so that the next one is delivered. */
const mostAttempts = 8;

/** Returns the number of deliveries begun from `now` (epoch milliseconds) on. */
export async function deliverReports(deps: Deps, now: number): Promise<number> {
  const { db, stopping } = deps;
  // A write would hold the lock of all writes while it looks for them: 0.14 seconds with 100,000 that are due.
  const [found] = await db.read([selectDueReports(now, mostQueued)]);
  const ids = found!.rows.map(({ id }) => String(id));
  if (ids.length > 0) await db.write([queueReports(ids, now)]);
  const queue: Queue<ReportTask, Attempted> = {
    ...plainPace,
    line: () => new PlainLine<ReportTask, Attempted>(1, 0),
    attempt: async (task, moment) => ({
      serverFailed: false,
      recording: await attempt(deps, task, moment),
    }),
  };
  const lease = new RowLease<ReportTask>(reportRows, db);
  const clock = makeClockAhead(now, deps.clock);
  return await new Loop(queue, lease, { db, clock, budget: jobBudget, stopping }).run();
}

/** Delivers a report in commits of its own. Returns the statements that end the claim if it could not. */
async function attempt(deps: Deps, task: ReportTask, clock: RetryClock): Promise<Statement[]> {
  const claimed = await readClaimed(deps, task);
  if (claimed === null) return [];
  try {
    await deliver(deps, claimed, clock.now());
    return [];
  } catch (error) {
    return await postpone(deps, claimed, error, clock).catch((again) => takeOut(claimed.row, again));
  }
}

/** Tries again later, or leaves the period out after the last attempt. */
async function postpone(
  deps: Deps,
  claimed: Claimed,
  error: unknown,
  clock: RetryClock,
): Promise<Statement[]> {
  if (error instanceof Stale) throw error;
  const { row } = claimed;
  // The report has too many figures. Another attempt would have too many, too.
  if (error instanceof Problem && error.status === 422) {
    return await leaveOut(deps, claimed, "too_large", clock.now());
  }
  const retry = planRetry(row.attempts, clock, { most: mostAttempts });
  deps.log.error({
    event: retry === null ? "report_left_out" : "report_delayed",
    scheduled_report: row.id,
    ...describeError(error),
  });
  if (retry === null) return await leaveOut(deps, claimed, "internal", clock.now());
  return [retryAt(reportRows, row, retry)];
}

/**
 * The report was changed, deleted or delivered by another process meanwhile: takes it out of the queue, unless another
 * process has it. The next run checks it again. Throws any other error.
 */
function takeOut({ id, attempts, due_at }: ScheduledReportRow, error: unknown): Statement[] {
  if (!(error instanceof Stale)) throw error;
  return [
    sql`update scheduled_reports set due_at = null, attempts = attempts - 1
      where id = ${id} and attempts = ${attempts} and due_at = ${due_at}`,
  ];
}

async function deliver(deps: Deps, claimed: Claimed, now: number): Promise<void> {
  const { row, company, maker, set } = claimed;
  const member = maker === null ? null : readMemberRow(JSON.parse(maker) as Row);
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
    return void await deps.db.write([moveOn(row, company, next, now, row.failure)]);
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
    totals: await readMetricRows(reader, { ...asked, groupBy: [] }),
    users: await readMetricRows(reader, { ...asked, groupBy: ["user"] }),
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
    sql`update scheduled_reports set next_date = null, next_at = null, wanted_at = null, due_at = null,
      failure = ${failure}, updated_at = ${formatTimestamp(now)}, version = version + 1
      where ${asClaimed(row)}`,
    now,
  );
}

/** Leaves out a period that cannot be delivered. Its maker is notified of each. */
async function leaveOut(
  deps: Deps,
  { row, company }: Claimed,
  why: LeftOut,
  now: number,
): Promise<Statement[]> {
  await saveChange(deps, row, why, leavePeriodOut(row, company, now, why), now);
  return [];
}

/** Moves a report to the delivery after the period that it waits with, unless it was changed since it was read. */
export function leavePeriodOut(
  row: ScheduledReportRow,
  company: Pick<ReportCompany, "timezone">,
  now: number,
  failure = row.failure,
): Statement {
  const { next } = calendar(row, company, row.next_date!, now);
  return moveOn(row, company, next, now, failure);
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
  { timezone }: Pick<ReportCompany, "timezone">,
  next: string,
  now: number,
) {
  const made = parseTimestamp(created_at)!;
  return dueAt(frequency, timezone, planDay(frequency, timezone, next, made, now), now);
}
