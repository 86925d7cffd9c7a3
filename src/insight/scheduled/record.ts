/** The scheduled report, described once: figures that are delivered by the calendar. */
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { z } from "zod";
import { UserSummary } from "../../identity/users/user_summary.ts";
import { block, cascadeAtOnce, declareReferences, stop } from "../../db/references.ts";
import { orShownAs } from "../../http/as_shown.ts";
import { describePage, paging, sorting } from "../../http/lists.ts";
import { refusal } from "../../http/validate.ts";
import { integerId, optional, uuid } from "../../http/zod.ts";
import { companies } from "../../identity/companies/table.ts";
import {
  computed,
  internal,
  readOnly,
  requiredLine,
  stamps,
  versioned,
  writeOnly,
} from "../../records/kinds.ts";
import { columns, forAnswer, forChange, forCreate, type Members } from "../../records/members.ts";
import { failureSchema } from "../failures.ts";
import { endings } from "./endings.ts";
import { type ScheduleFailure, scheduleFailures } from "./failures.ts";
import { exampleId, GivenFilters, makeListSchema, ShownFilters } from "./filters_schema.ts";
import { frequencies } from "./periods.ts";

const frequency = z.enum(frequencies).meta({
  description: "Delivered on the first day of the next day, week (Monday), month, quarter or year.",
  example: "week",
});
const recipients = makeListSchema(integerId).refine(
  (list) => list.length > 0,
  refusal("required", "At least one recipient."),
).meta({ example: [3, 4] });

export const scheduledReportMembers = {
  id: readOnly(text().primaryKey(), z.string().meta({ example: exampleId })),
  company_id: internal(integer().notNull().references(() => companies.id)),
  name: requiredLine(255, { example: "Sales of the week" }),
  indicator_set: computed(z.object({
    id: z.string().meta({ example: exampleId }),
    name: z.string().nullable().meta({
      description: "Null when the caller does not see the indicator set, or it was deleted.",
      example: "Sales",
    }),
  })),
  indicator_set_id: { column: text().notNull(), create: uuid, change: uuid.optional() },
  frequency: internal(text({ enum: frequencies }).notNull()),
  delivery_frequency: { shown: frequency, create: frequency, change: frequency.optional() },
  recipient_user_ids: { create: recipients, change: recipients.optional() },
  /** JSON of `ReportFilters`. Lists do not show it. */
  filters: { column: text().notNull(), ...writeOnly(optional(GivenFilters)), stored: "code" },
  next_delivery: computed(
    z.string().nullable().meta({
      description:
        "By the company's calendar; null when none comes, because its maker was deleted, lost the right or no " +
        "longer sees the indicator set.",
      example: "2026-01-12",
    }),
  ),
  error: computed(
    failureSchema(scheduleFailures, "right_missing").meta({
      description: "Why none comes, or why the last one was left out; null otherwise.",
      example: null,
    }),
  ),
  user_id: readOnly(
    integer().notNull(),
    z.int().meta({ description: "The maker, whose rights decide on the figures.", example: 3 }),
  ),
  recipients_count: computed(z.int().meta({ example: 2 })),
  /** The day of the next delivery by the company's calendar, `Y-m-d`; null: none comes. */
  next_date: internal(text()),
  /**
   * The moment of the next delivery in this time zone, epoch milliseconds; 0: the company's zone has changed
   * since.
   */
  next_at: internal(integer()),
  zone: internal(text().notNull()),
  /** When a delivery was asked for, outside of the calendar; epoch milliseconds. */
  wanted_at: internal(integer()),
  /**
   * When the report is attempted next, epoch milliseconds: since it was found due, the end of a claim, or the time
   * of a retry. Null: nothing was found to deliver.
   */
  due_at: internal(integer()),
  /** Not used: 0.1.0 reads it, and migrations only add. */
  attempt_at: internal(integer()),
  attempts: internal(integer().notNull().default(0)),
  /** Why the report has ended, or why the last one was left out; null otherwise. */
  failure: internal(text().$type<ScheduleFailure>()),
  ...stamps({ example: "2026-01-05 10:00:00" }),
  ...versioned,
} satisfies Members;

/** Figures that are delivered by the calendar. */
export const scheduledReports = sqliteTable("scheduled_reports", columns(scheduledReportMembers), (table) => [
  index("scheduled_reports_by_created").on(table.company_id, table.created_at, table.id),
  index("scheduled_reports_by_user").on(table.company_id, table.user_id),
  index("scheduled_reports_by_set").on(table.indicator_set_id),
  index("scheduled_reports_next").on(table.next_at).where(sql`${table.next_at} is not null`),
  // For next deliveries that a clock that was ahead has set.
  index("scheduled_reports_next_by_frequency").on(table.frequency, table.next_at)
    .where(sql`${table.next_at} is not null`),
  index("scheduled_reports_wanted").on(table.wanted_at).where(sql`${table.wanted_at} is not null`),
  // The few that are due.
  index("scheduled_reports_due").on(table.due_at).where(sql`${table.due_at} is not null`),
  // The same in turns by company.
  index("scheduled_reports_in_turn").on(table.company_id, table.due_at, table.id)
    .where(sql`${table.due_at} is not null`),
]);

export const scheduledReportRecipients = sqliteTable("scheduled_report_recipients", {
  report_id: text().notNull().references(() => scheduledReports.id),
  user_id: integer().notNull(),
}, (table) => [
  primaryKey({ columns: [table.report_id, table.user_id] }),
  index("scheduled_report_recipients_by_user").on(table.user_id, table.report_id),
]);

export type ScheduledReportRow = typeof scheduledReports.$inferSelect;

/** What its columns name, and what happens when that is deleted. */
export const scheduledReportReferences = declareReferences(scheduledReports, {
  user_id: { user: stop(endings.maker, { by: "insight/scheduled/deletion.ts#scheduledReportDeletion" }) },
  indicator_set_id: { indicator_set: block("scheduled_reports") },
  // Figures still count a deleted team, path or lead type; without its teams a group counts nothing.
  filters: {
    team: "keep",
    group: stop(endings.group, { by: "insight/scheduled/group_deletion.ts#reportsOfGroup" }),
    relations_path: "keep",
    lead_type: "keep",
  },
});
export const reportRecipientReferences = declareReferences(scheduledReportRecipients, {
  report_id: { scheduled_report: cascadeAtOnce },
  user_id: { user: cascadeAtOnce },
});

export const scheduleSorts = { created_at: "created_at" };

export const ScheduledReportListQuery = z.object({
  indicator_set_id: uuid.optional(),
  ...paging,
  ...sorting(scheduleSorts),
});
export type ScheduledReportListQuery = z.output<typeof ScheduledReportListQuery>;

export const ScheduledReportBody = z.object(forCreate(scheduledReportMembers)).meta({
  id: "ScheduledReportBody",
  example: {
    name: "Sales of the week",
    indicator_set_id: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a001",
    delivery_frequency: "week",
    recipient_user_ids: [3, 4],
  },
});
export type ScheduledReportBody = z.output<typeof ScheduledReportBody>;

export const ScheduledReportChange = orShownAs(
  z.object(forChange(scheduledReportMembers)),
  { indicator_set_id: ["indicator_set", uuid], recipient_user_ids: ["recipients", integerId] },
).meta({
  id: "ScheduledReportChange",
  description: "An absent member keeps its value; `filters` are replaced together, null removes them.",
  example: { name: "Sales of the month", delivery_frequency: "month" },
});
export type ScheduledReportChange = z.output<typeof ScheduledReportChange>;

export const ScheduledReportSummary = z.object(forAnswer(scheduledReportMembers))
  .meta({ id: "ScheduledReportSummary" });
export const ScheduledReportPage = describePage(ScheduledReportSummary, "ScheduledReportPage");

export const ScheduledReport = z.object({
  ...ScheduledReportSummary.shape,
  recipients: z.array(UserSummary),
  filters: ShownFilters,
}).meta({ id: "ScheduledReport", description: "A report that is delivered by the calendar." });
