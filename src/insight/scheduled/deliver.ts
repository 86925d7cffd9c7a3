/** Delivers scheduled reports: each period once, after an outage only the last one. */
import { Stale } from "../../core/errors.ts";
import { noContent } from "../../core/answer.ts";
import { newId } from "../../core/ids.ts";
import { nextAttempt } from "../../core/retries.ts";
import { formatTimestamp, parseTimestamp } from "../../core/time.ts";
import { type Author, commit } from "../../db/commit.ts";
import { announceObjects, takeObjects, withStored } from "../../db/objects.ts";
import { type Sql, sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import { memberOfRow } from "../../db/caller_guard.ts";
import { reportMail } from "../../identity/mails.ts";
import { contentOf } from "../../library/content.ts";
import { guardRoom } from "../../library/usage.ts";
import { insertedFile, newFile } from "../../library/write.ts";
import { guardChanged, guardThat, type Row } from "../../platform/database/database.ts";
import { errorFields } from "../../platform/log.ts";
import { type Indicator, indicatorOf } from "../indicators/catalogue.ts";
import { isKept, keptReport } from "../kept_reports/write.ts";
import { type MetricRow, metricRows } from "../reports/answers.ts";
import { metricMembers } from "../reports/present.ts";
import type { Question, ReportCompany } from "../reports/question.ts";
import { asClaimed, claim, type Claimed, isDue } from "./claim.ts";
import { figuresTable, pdfOf, periodText, type Report } from "./document.ts";
import { questionFilters, type ReportFilters } from "./filters.ts";
import { dayAt, deliveryMoment, dueAt, firstDay, periodBefore, plannedDay } from "./periods.ts";
import type { ScheduledReportRow } from "./table.ts";

/** Milliseconds after which a run begins no more deliveries; the next run continues. */
const jobBudget = 50_000;
/** Deliveries of one run. */
const mostDelivered = 500;
/** Attempts after which a period is left out, so that the next one comes. */
const mostAttempts = 8;
/** Attempts after which a report comes without its PDF. */
const mostPdfAttempts = 3;

/** Returns the number of deliveries begun at `now` (epoch milliseconds). */
export async function deliverReports(deps: Deps, now: number): Promise<number> {
  const until = performance.now() + jobBudget;
  const [found] = await deps.db.read([
    sql`select s.id from scheduled_reports s join companies c on c.id = s.company_id
      where c.deleted_at is null and ${isDue(now)} order by coalesce(s.attempt_at, 0), s.next_at
      limit ${mostDelivered} + 0`,
  ]);
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
  const { row } = claimed;
  try {
    await deliver(deps, claimed, now);
  } catch (error) {
    // Changed or deleted meanwhile, or delivered by another process: the next run looks again.
    if (error instanceof Stale && error.what !== "file_quota") return await giveBack(deps, row);
    const isLast = row.attempts >= mostAttempts;
    deps.log.error({
      event: isLast ? "report_left_out" : "report_delayed",
      scheduled_report: row.id,
      ...errorFields(error),
    });
    if (!isLast) {
      await deps.db.write([
        sql`update scheduled_reports set attempt_at = ${nextAttempt(row.attempts, now)} where ${
          asClaimed(row)
        }`,
      ]);
    } else await moveOn(deps, claimed, now);
  }
}

/** Ends a claim that came to nothing, unless another process has taken it over. */
async function giveBack({ db }: Deps, { id, attempts, attempt_at }: ScheduledReportRow): Promise<void> {
  await db.write([
    sql`update scheduled_reports set attempt_at = null, attempts = attempts - 1
      where id = ${id} and attempts = ${attempts} and attempt_at = ${attempt_at}`,
  ]);
}

async function deliver(deps: Deps, claimed: Claimed, now: number): Promise<void> {
  const { row, company, maker, indicators } = claimed;
  const member = maker === null ? null : memberOfRow(JSON.parse(maker) as Row);
  if (!member?.rights.has("reports.schedule") || indicators === null || row.next_date === null) {
    return void await deps.db.write([
      sql`update scheduled_reports set next_date = null, next_at = null, wanted_at = null, attempt_at = null,
        updated_at = ${formatTimestamp(now)}, version = version + 1 where ${asClaimed(row)}`,
    ]);
  }
  const { due: passed, next } = calendar(row, company, row.next_date, now);
  // A company whose clock was put back comes to a day a second time when its report is dated anew.
  const due = passed !== null && await isKept(deps, onceKey(row, passed)) ? null : passed;
  // Nothing is due by the present clock of the company: only the moment changes.
  if (due === null && row.wanted_at === null) return await moveOn(deps, claimed, now);
  const date = due ?? firstDay(row.frequency, dayAt(company.timezone, now));
  const asked: Omit<Question, "groupBy"> = {
    indicators: (JSON.parse(indicators) as string[]).map(indicatorOf).filter((known): known is Indicator =>
      known !== undefined
    ),
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
  await keep(deps, claimed, report, { date: due, next }, now);
}

/** The frequency is part of it, since a day and the week that ends with it are two periods. */
function onceKey({ id, frequency }: ScheduledReportRow, date: string): string {
  return `${id} ${frequency} ${date}`;
}

/** Stores the PDF, then keeps the report and sends it, in one commit. */
async function keep(
  deps: Deps,
  claimed: Claimed,
  report: Report,
  { date, next }: { date: string | null; next: string },
  now: number,
): Promise<void> {
  const { row, company, recipients } = claimed;
  const at = formatTimestamp(now);
  const author: Author = { deps, now, at };
  const name = `${fileTitle(report.name) || "report"}.pdf`;
  const content = await printed(deps, report, row);
  const file = content &&
    newFile(author, { company_id: company.id, user_id: row.user_id, name, content: content.columns });
  const id = newId(now);
  const commitAll = () =>
    commit(author, {
      companyId: company.id,
      statements: [
        movedOn(row, company, next, now),
        guardChanged("scheduled_report"),
        guardThat(
          "indicator_set",
          sql`exists (select 1 from indicator_sets s where s.id = ${row.indicator_set_id})`,
        ),
        ...(file && content
          ? [...takeObjects(author, [content.object]), ...insertedFile(file), ...guardRoom(deps, company.id)]
          : []),
        ...keptReport({
          id,
          company_id: company.id,
          user_id: row.user_id,
          scheduled_report_id: row.id,
          name: row.name,
          once: date === null ? null : onceKey(row, date),
          start_at: formatTimestamp(report.asked.start * 1000),
          end_at: formatTimestamp(report.asked.end * 1000),
          data: JSON.stringify(dataOf(report)),
          file_id: file?.id ?? null,
          failure: null,
          created_at: at,
        }, recipients.map((user) => user.id)),
      ],
      notifications: recipients.length === 0 ? [] : [{
        type: "scheduled_report",
        to: [{ users: recipients.map((user) => user.id) }],
        data: { report: { id }, scheduled_report: { id: row.id } },
        isMailed: true,
      }],
      mails: recipients.filter(({ mailed }) => mailed === 1).map(({ email }) => ({
        ...reportMail(email, {
          name: report.name,
          period: periodText(report),
          figures: figuresTable(report),
        }),
        lane: "automated" as const,
        ...(file && { attachments: [{ name, type: "application/pdf", key: file.object_key }] }),
      })),
      answer: noContent,
    });
  if (!content) return void await commitAll();
  await deps.db.write([announceObjects(author, company.id, [content.object], sql`select 1`)]);
  await withStored(author, [content.object], commitAll);
}

/** The name of a report in the name of its file: 200 characters, no half of a surrogate pair. */
function fileTitle(name: string): string {
  return name.replaceAll(/[\\/\p{Cc}]/gu, " ").trim().slice(0, 200).replace(/[\ud800-\udbff]$/, "");
}

/** Null: the report comes without a PDF, since none could be made, or the company has no room for files. */
async function printed(deps: Deps, report: Report, { id, attempts }: ScheduledReportRow) {
  if (attempts > mostPdfAttempts) return null;
  try {
    return contentOf(await pdfOf(deps, report));
  } catch (error) {
    if (attempts < mostPdfAttempts) throw error;
    deps.log.error({ event: "report_without_pdf", scheduled_report: id, ...errorFields(error) });
    return null;
  }
}

function dataOf({ totals, users }: Report) {
  const shown = (by: readonly "user"[], rows: readonly MetricRow[]) =>
    rows.map((row) => metricMembers(by, row));
  return { totals: shown([], totals), users: shown(["user"], users) };
}

async function moveOn({ db }: Deps, { row, company }: Claimed, now: number): Promise<void> {
  const { next } = calendar(row, company, row.next_date!, now);
  await db.write([movedOn(row, company, next, now)]);
}

/** What is due of a report whose next delivery is stored as `next`, and the delivery after it. */
function calendar(
  { frequency, created_at }: ScheduledReportRow,
  { timezone }: ReportCompany,
  next: string,
  now: number,
) {
  const made = parseTimestamp(created_at)!;
  return dueAt(frequency, timezone, plannedDay(frequency, timezone, next, made, now), now);
}

/** The next delivery; what was asked for until the claim is done. */
function movedOn(row: ScheduledReportRow, { timezone }: ReportCompany, next: string, now: number): Sql {
  return sql`update scheduled_reports set next_date = ${next}, next_at = ${deliveryMoment(timezone, next)},
    zone = ${timezone}, wanted_at = iif(wanted_at is ${row.wanted_at}, null, wanted_at), attempt_at = null, attempts = 0,
    updated_at = iif(next_date = ${next}, updated_at, ${formatTimestamp(now)}),
    version = version + (next_date <> ${next}) where ${asClaimed(row)}`;
}
