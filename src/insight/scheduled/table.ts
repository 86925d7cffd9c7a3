import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamps, version } from "../../db/columns.ts";
import { companies } from "../../identity/tables/companies.ts";
import { frequencies } from "./periods.ts";
import type { ScheduleFailure } from "./failures.ts";

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
  /** The moment of it, epoch milliseconds, in this time zone; 0: the company has another one by now. */
  next_at: integer(),
  zone: text().notNull(),
  /** When a delivery was asked for; epoch milliseconds. */
  wanted_at: integer(),
  /** When it is begun, or begun again if its process died; epoch milliseconds, null while nothing is due. */
  attempt_at: integer(),
  attempts: integer().notNull().default(0),
  /** Null while reports come by the calendar. */
  failure: text().$type<ScheduleFailure>(),
  ...timestamps,
  ...version,
}, (table) => [
  index("scheduled_reports_by_created").on(table.company_id, table.created_at, table.id),
  index("scheduled_reports_by_user").on(table.company_id, table.user_id),
  index("scheduled_reports_by_set").on(table.indicator_set_id),
  index("scheduled_reports_next").on(table.next_at).where(sql`${table.next_at} is not null`),
  // For those that a clock that was ahead has set.
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
