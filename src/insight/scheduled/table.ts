import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamps, version } from "../../db/columns.ts";
import { companies } from "../../identity/companies/table.ts";
import { frequencies } from "./periods.ts";
import type { ScheduleFailure } from "./failures.ts";
import { endings } from "./endings.ts";
import { block, referencesOf, stop } from "../../db/references.ts";

/** Figures that are delivered by the calendar. */
export const scheduledReports = sqliteTable("scheduled_reports", {
  id: text().primaryKey(),
  company_id: integer().notNull().references(() => companies.id),
  /** The maker, whose rights decide on the figures. */
  user_id: integer().notNull(),
  name: text().notNull(),
  indicator_set_id: text().notNull(),
  frequency: text({ enum: frequencies }).notNull(),
  /** JSON of `ReportFilters`. */
  filters: text().notNull(),
  /** The day of the next delivery by the company's calendar, `Y-m-d`; null: none comes. */
  next_date: text(),
  /**
   * The moment of the next delivery in this time zone, epoch milliseconds; 0: the company's zone has changed
   * since.
   */
  next_at: integer(),
  zone: text().notNull(),
  /** When a delivery was asked for, outside of the calendar; epoch milliseconds. */
  wanted_at: integer(),
  /**
   * Until when no process claims the report, epoch milliseconds: the end of a claim, or the time of the next
   * attempt. Null: neither.
   */
  attempt_at: integer(),
  attempts: integer().notNull().default(0),
  /** Why the report has ended, or why the last one was left out; null otherwise. */
  failure: text().$type<ScheduleFailure>(),
  ...timestamps,
  ...version,
}, (table) => [
  index("scheduled_reports_by_created").on(table.company_id, table.created_at, table.id),
  index("scheduled_reports_by_user").on(table.company_id, table.user_id),
  index("scheduled_reports_by_set").on(table.indicator_set_id),
  index("scheduled_reports_next").on(table.next_at).where(sql`${table.next_at} is not null`),
  // For next deliveries that a clock that was ahead has set.
  index("scheduled_reports_next_by_frequency").on(table.frequency, table.next_at)
    .where(sql`${table.next_at} is not null`),
  index("scheduled_reports_wanted").on(table.wanted_at).where(sql`${table.wanted_at} is not null`),
]);

export const scheduledReportRecipients = sqliteTable("scheduled_report_recipients", {
  report_id: text().notNull().references(() => scheduledReports.id),
  user_id: integer().notNull(),
}, (table) => [
  primaryKey({ columns: [table.report_id, table.user_id] }),
  index("scheduled_report_recipients_by_user").on(table.user_id, table.report_id),
]);

export type ScheduledReportRow = typeof scheduledReports.$inferSelect;

/** What its columns name, and what happens when that is removed. */
export const scheduledReportReferences = referencesOf(scheduledReports, {
  user_id: { user: stop(endings.maker) },
  indicator_set_id: { indicator_set: block("scheduled_reports") },
  // Figures still count a deleted team, path or lead type; without its teams a group counts nothing.
  filters: {
    team: "keep",
    group: stop(endings.group),
    relations_path: "keep",
    lead_type: "keep",
  },
});
export const reportRecipientReferences = referencesOf(scheduledReportRecipients, {
  report_id: { scheduled_report: "cascade" },
  user_id: { user: "cascade" },
});
