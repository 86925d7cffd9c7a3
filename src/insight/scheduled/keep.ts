/** Keeps a report with its PDF and sends it to its recipients. */
import { noContent } from "../../core/answer.ts";
import { Stale } from "../../core/errors.ts";
import { makeId } from "../../core/ids.ts";
import { formatTimestamp } from "../../core/time.ts";
import { type Author, commit } from "../../db/commit.ts";
import { informingKind } from "../../db/mails.ts";
import { announceObjects, takeObjects, withStored } from "../../db/objects.ts";
import { sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import { composeReportMail } from "../../identity/mails.ts";
import { type Content, makeContent } from "../../library/content.ts";
import { guardQuota } from "../../library/usage.ts";
import { insertFile, makeFile } from "../../library/write.ts";
import { guardChanged, guardThat } from "../../platform/database/database.ts";
import { describeError } from "../../platform/log.ts";
import { TooManyPages } from "../../platform/pdf/pdf.ts";
import { type DeliveryFailure, deliveryFailures } from "../kept_reports/failures.ts";
import { keepReport } from "../kept_reports/write.ts";
import type { MetricRow } from "../reports/answers.ts";
import { metricMembers } from "../reports/present.ts";
import type { Claimed } from "./claim.ts";
import { composeFiguresTable, periodText, printPdf, type Report } from "./document.ts";
import { onceKey } from "./periods.ts";
import type { ScheduledReportRow } from "./record.ts";
import { failureNotice, moveOn } from "./write.ts";

/** The most attempts to make the PDF. After them the report is delivered without it. */
const mostPdfAttempts = 3;

/** The day of the delivery, null if it was asked for outside of the calendar, and the day of the next one. */
interface Dates {
  readonly date: string | null;
  readonly next: string;
}

/**
 * Stores the PDF. Then stores the report and sends it, in one commit. If the company's files have no room for
 * the PDF, the report has none.
 */
export async function keep(
  deps: Deps,
  claimed: Claimed,
  report: Report,
  dates: Dates,
  now: number,
): Promise<void> {
  const { company, row } = claimed;
  const author: Author = { deps, now, at: formatTimestamp(now) };
  const content = await tryPrint(deps, report, row);
  if (!content) return await commitReport(author, claimed, report, dates, "internal");
  await deps.db.write([announceObjects(author, company.id, [content.object], sql`select 1`)]);
  try {
    await withStored(author, [content.object], () => commitReport(author, claimed, report, dates, content));
  } catch (error) {
    if (!(error instanceof Stale && error.what === "file_quota")) throw error;
    logWithoutPdf(deps, row, error);
    await commitReport(author, claimed, report, dates, "file_quota");
  }
}

/** Returns the PDF; null after the last attempt, and for too many pages. Throws while there are attempts left. */
async function tryPrint(deps: Deps, report: Report, row: ScheduledReportRow): Promise<Content | null> {
  if (row.attempts > mostPdfAttempts) return null;
  try {
    return makeContent(await printPdf(deps, report));
  } catch (error) {
    // Further attempts would have as many pages.
    if (row.attempts < mostPdfAttempts && !(error instanceof TooManyPages)) throw error;
    logWithoutPdf(deps, row, error);
    return null;
  }
}

function logWithoutPdf({ log }: Deps, { id }: ScheduledReportRow, error: unknown): void {
  log.error({ event: "report_without_pdf", scheduled_report: id, ...describeError(error) });
}

/** `pdf`: its stored content, or the reason why there is none. The maker is notified of the reason. */
async function commitReport(
  author: Author,
  { row, company, set, recipients }: Claimed,
  report: Report,
  { date, next }: Dates,
  pdf: Content | DeliveryFailure,
): Promise<void> {
  const { deps, now, at } = author;
  const failure = typeof pdf === "string" ? pdf : null;
  const content = typeof pdf === "string" ? null : pdf;
  const name = `${fileTitle(report.name) || "report"}.pdf`;
  const file = content &&
    makeFile(author, { company_id: company.id, user_id: row.user_id, name, content: content.columns });
  const id = makeId(now);
  await commit(author, {
    companyId: company.id,
    statements: [
      moveOn(row, company, next, now, null),
      guardChanged("scheduled_report"),
      guardThat(
        "indicator_set",
        sql`exists (select 1 from indicator_sets s where s.id = ${row.indicator_set_id}
          and s.version = ${set?.version ?? null})`,
      ),
      ...(file && content
        ? [...takeObjects(author, [content.object]), ...insertFile(file), ...guardQuota(deps, company.id)]
        : []),
      ...keepReport({
        id,
        company_id: company.id,
        user_id: row.user_id,
        scheduled_report_id: row.id,
        name: row.name,
        once: date === null ? null : onceKey(row, date),
        start_at: formatTimestamp(report.asked.start * 1000),
        end_at: formatTimestamp(report.asked.end * 1000),
        data: JSON.stringify(makeData(report)),
        file_id: file?.id ?? null,
        failure,
        created_at: at,
      }, recipients.map((user) => user.id)),
    ],
    notifications: [
      ...(recipients.length === 0 ? [] : [{
        type: "scheduled_report" as const,
        to: [{ users: recipients.map((user) => user.id) }],
        data: { report: { id }, scheduled_report: { id: row.id } },
        isMailed: true,
      }]),
      ...(failure ? [failureNotice(row, deliveryFailures[failure])] : []),
    ],
    mails: recipients.filter(({ mailed }) => mailed === 1).map(({ id, email }) => ({
      ...composeReportMail(email, {
        name: report.name,
        period: periodText(report),
        figures: composeFiguresTable(report),
        missing: failure && deliveryFailures[failure],
      }),
      lane: "automated" as const,
      about: { kind: informingKind, id: String(id) },
      ...(file && { attachments: [{ name, type: "application/pdf", key: file.object_key }] }),
    })),
    answer: noContent,
  });
}

/**
 * Returns the name of the report as part of a file name: at most 200 characters, no half of a surrogate pair.
 */
function fileTitle(name: string): string {
  return name.replaceAll(/[\\/\p{Cc}]/gu, " ").trim().slice(0, 200).replace(/[\ud800-\udbff]$/, "");
}

function makeData({ totals, users }: Report) {
  const presentRows = (by: readonly "user"[], rows: readonly MetricRow[]) =>
    rows.map((row) => metricMembers(by, row));
  return { totals: presentRows([], totals), users: presentRows(["user"], users) };
}
