/** The queue of scheduled reports: what puts a report into it, and what its delivery needs. */
import { longestRetry } from "../../core/retries.ts";
import { formatTimestamp } from "../../core/time.ts";
import { selectMemberJson } from "../../db/caller_guard.ts";
import { isSendable } from "../../db/mails.ts";
import { bindRows, selectColumns, type Sql, sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import { wantsMails } from "../../identity/users/fragments.ts";
import type { Rows, RowTask } from "../../later/rows.ts";
import type { Row, Statement } from "../../platform/database/database.ts";
import { readCompanyRow, selectReportCompany } from "../reports/parameters.ts";
import type { IndicatorSetRow } from "../indicator_sets/record.ts";
import type { ReportCompany } from "../reports/question.ts";
import { furthestNext } from "./periods.ts";
import { type ScheduledReportRow, scheduledReports } from "./record.ts";

/**
 * Milliseconds of a claim: longer than a delivery takes. Afterwards another process begins the delivery
 * again.
 */
export const leaseMs = 120_000;

/** The reports that were found due; see `queueReports`. One commit delivers, so a second attempt shows nobody anything. */
export const reportRows: Rows = {
  table: "scheduled_reports",
  held: "scheduled-reports",
  index: "scheduled_reports_due",
  waiting: sql`due_at is not null and ${isSendable(sql`company_id`)}`,
  columns: sql`due_at`,
  turns: { column: "company_id", index: "scheduled_reports_in_turn" },
  mayRepeat: true,
  longestWait: longestRetry,
  rate: 0,
  ms: leaseMs,
  attemptMs: 0,
};

/** A claimed report. `due_at`: the end of the claim. */
export interface ReportTask extends RowTask {
  readonly id: string;
  readonly due_at: number;
}

export interface Claimed {
  readonly row: ScheduledReportRow;
  readonly company: ReportCompany;
  /** JSON for `readMemberRow`; null: the maker was deleted. */
  readonly maker: string | null;
  /** Null: the indicator set was deleted. */
  readonly set: ClaimedSet | null;
  readonly recipients: readonly Recipient[];
}

type ClaimedSet = Pick<
  IndicatorSetRow,
  "user_id" | "private" | "team_id" | "group_id" | "indicators" | "version"
>;

interface Recipient {
  readonly id: number;
  readonly email: string;
  /** Whether the user wants mails of this kind. */
  readonly mailed: number;
}

interface SetColumn {
  readonly indicator_set: string | null;
}

/**
 * Reads what a delivery of a claimed report needs; null when the report or its company was removed meanwhile.
 */
export async function readClaimed(
  { db }: Pick<Deps, "db">,
  { id, attempts, due_at }: ReportTask,
): Promise<Claimed | null> {
  const [rows, companies, users] = await db.read([
    sql`select ${selectColumns(scheduledReports, "s")}, ${selectMemberJson(sql`s.user_id`)} as maker,
      (select json_object('user_id', i.user_id, 'private', i.private, 'team_id', i.team_id,
        'group_id', i.group_id, 'kept_for', i.kept_for, 'indicators', i.indicators, 'version', i.version)
        from indicator_sets i where i.id = s.indicator_set_id) as indicator_set
      from scheduled_reports s where s.id = ${id}`,
    selectReportCompany(sql`(select s.company_id from scheduled_reports s where s.id = ${id})`),
    selectRecipients(id),
  ]);
  const row = rows!.rows[0] as (Row & ScheduledReportRow & Pick<Claimed, "maker"> & SetColumn) | undefined;
  if (!row || companies!.rows.length === 0) return null;
  return {
    row: { ...row, attempts, due_at },
    company: readCompanyRow(companies!.rows[0]!),
    maker: row.maker,
    set: row.indicator_set === null ? null : JSON.parse(row.indicator_set) as ClaimedSet,
    recipients: users!.rows as (Row & Recipient)[],
  };
}

/** Reads the recipients of a report, with whether they want its mails. */
export function selectRecipients(id: string): Statement {
  return sql`select u.id, u.email, ${wantsMails("scheduled_report")} as mailed
    from scheduled_report_recipients r join users u on u.id = r.user_id and u.deleted_at is null
    where r.report_id = ${id} order by u.id`;
}

/** Makes reports that `selectDueReports` found due at their date or their wish, so that they are attempted. */
export function queueReports(ids: readonly string[], now: number): Statement {
  return sql`update scheduled_reports set due_at = min(next_at, coalesce(wanted_at, ${now}), ${now})
    where id in (select value from json_each(${JSON.stringify(ids)})) and due_at is null`;
}

/**
 * Reads the ids of at most `most` reports outside of the queue that have something to deliver, or whose next delivery
 * needs a new date: the time zone of their company has changed, or a clock that was ahead has set the date. A report
 * that was created after `now` keeps a date far ahead, because it shows that this clock is behind. Each of the three
 * conditions is a range of an index, so that reports that are not due cost nothing. Companies take turns: the first
 * report of each comes before the second of any.
 */
export function selectDueReports(now: number, most: number): Statement {
  const furthest = JSON.stringify(furthestNext);
  // A plain union would read all reports in the order of their ids, to merge them.
  return sql`select id from (select s.id, s.next_at, row_number() over
      (partition by s.company_id order by s.next_at) as turn
    from scheduled_reports s cross join companies c on c.id = s.company_id where s.rowid in (
      select n.rowid from scheduled_reports n where n.next_at <= ${now}
      union all select w.rowid from scheduled_reports w where w.wanted_at is not null
      union all select a.rowid from json_each(${furthest}) f cross join scheduled_reports a
        on a.frequency = f.key and a.next_at > ${now} + f.value where a.created_at <= ${formatTimestamp(now)})
    and c.deleted_at is null and s.due_at is null) order by turn, next_at limit ${bindRows(most)}`;
}

/** SQL: nobody has changed, claimed or delivered the report since it was read or claimed. */
export function asClaimed({ id, attempts, version, due_at }: ScheduledReportRow): Sql {
  return sql`id = ${id} and attempts = ${attempts} and version = ${version} and due_at is ${due_at}`;
}
