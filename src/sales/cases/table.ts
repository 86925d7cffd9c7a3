import { sql } from "drizzle-orm";
import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { timestamps, version } from "../../db/columns.ts";
import { accounts } from "../../customers/accounts/record.ts";
import { contacts } from "../../customers/contacts/record.ts";
import { companies } from "../../identity/companies/table.ts";
import { relationsPaths } from "../relations_paths/table.ts";
import { block, declareReferences, leaveTo } from "../../db/references.ts";

export const cases = sqliteTable("cases", {
  /** The row id of the full-text index. */
  seq: integer().primaryKey(),
  id: text().notNull().unique(),
  company_id: integer().notNull().references(() => companies.id),
  case_number: integer().notNull(),
  team_id: integer(),
  user_id: integer(),
  account_id: text().notNull().references(() => accounts.id),
  contact_id: text().notNull().references(() => contacts.id),
  relations_path_id: text().notNull().references(() => relationsPaths.id),
  status: text({ enum: ["open", "closed", "declined"] }).notNull().default("open"),
  chance_of_success: integer().notNull().default(0),
  estimated_close_date: text(),
  /** Sort key of `estimated_close_date`: cases without a date come last. */
  close_key: text().generatedAlwaysAs(sql`ifnull(estimated_close_date, '~')`, { mode: "virtual" }),
  decline_reason: text(),
  latest_activity_at: text(),
  latest_activity_id: text(),
  activity_count: integer().notNull().default(0),
  /** The highest milestone done, for the filters of lists. */
  highest_milestone_id: text(),
  highest_milestone_type: text(),
  highest_milestone_at: text(),
  /** The lead that opened the case, its type and source. */
  lead_id: text(),
  lead_type_id: text(),
  lead_source: text(),
  stock_vehicle_id: text(),
  /** Sort key of `important`, ascending: without activity first, oldest first, then by latest activity. */
  important_key: text().notNull(),
  /** Sort key of `recent`, descending: open, closed, declined; in each the newest activity first. */
  recent_key: text().notNull(),
  /**
   * The value of the latest activity with product details, and the product ids of all activities as a sorted
   * JSON list.
   */
  offer_value: real().notNull().default(0),
  product_ids: text().notNull().default("[]"),
  /** The moment from which the latest change of status, chance or offer counts. */
  effective_at: text().notNull().default(""),
  created_by: integer(),
  ...timestamps,
  ...version,
}, (table) => [
  uniqueIndex("cases_number").on(table.company_id, table.case_number),
  index("cases_by_important").on(table.company_id, table.important_key, table.id),
  index("cases_by_team_important").on(table.company_id, table.team_id, table.important_key, table.id),
  index("cases_by_recent").on(table.company_id, table.recent_key, table.id),
  index("cases_by_team_recent").on(table.company_id, table.team_id, table.recent_key, table.id),
  index("cases_by_status_important").on(table.company_id, table.status, table.important_key, table.id),
  index("cases_by_team_status_important").on(
    table.company_id,
    table.team_id,
    table.status,
    table.important_key,
    table.id,
  ),
  index("cases_by_account_important").on(table.company_id, table.account_id, table.important_key, table.id),
  index("cases_by_team_created").on(table.company_id, table.team_id, table.created_at, table.id),
  index("cases_by_updated").on(table.company_id, table.updated_at, table.id),
  index("cases_by_team_updated").on(table.company_id, table.team_id, table.updated_at, table.id),
  index("cases_by_close").on(table.company_id, table.close_key, table.id),
  index("cases_by_team_close").on(table.company_id, table.team_id, table.close_key, table.id),
  index("cases_by_value").on(table.company_id, table.offer_value, table.id),
  index("cases_by_team_value").on(table.company_id, table.team_id, table.offer_value, table.id),
  // The board of a path: the cases of each column in order, with what is counted and summed.
  index("cases_on_board").on(
    table.company_id,
    table.relations_path_id,
    table.highest_milestone_id,
    table.important_key,
    table.id,
    table.team_id,
    table.user_id,
    table.offer_value,
    table.chance_of_success,
  ).where(sql`${table.status} = 'open'`),
  index("cases_by_contact").on(table.contact_id, table.status),
  index("cases_by_path").on(table.relations_path_id),
  index("cases_by_stock_vehicle").on(table.company_id, table.stock_vehicle_id).where(
    sql`${table.stock_vehicle_id} is not null`,
  ),
  // With status and team, to count the cases that match a condition of a list.
  index("cases_by_account").on(table.account_id, table.status, table.team_id),
  index("cases_by_user_important").on(
    table.company_id,
    table.user_id,
    table.important_key,
    table.id,
    table.status,
    table.team_id,
  ),
  index("cases_by_created").on(table.company_id, table.created_at, table.id, table.status, table.team_id),
  // The conversion rates of ranks read the cases of a path and a user in a period from this index alone.
  index("cases_by_path_user").on(
    table.company_id,
    table.relations_path_id,
    table.user_id,
    table.created_at,
    table.highest_milestone_id,
    table.id,
  ),
  index("cases_by_path_status").on(table.company_id, table.relations_path_id, table.status, table.team_id),
  index("cases_by_lead_type").on(table.company_id, table.lead_type_id, table.status, table.team_id),
  index("cases_by_lead_source").on(table.company_id, table.lead_source, table.status, table.team_id).where(
    sql`${table.lead_source} is not null`,
  ),
  index("cases_by_milestone").on(table.company_id, table.highest_milestone_id, table.status, table.team_id)
    .where(sql`${table.highest_milestone_id} is not null`),
  index("cases_by_milestone_type").on(
    table.company_id,
    table.highest_milestone_type,
    table.status,
    table.team_id,
  ).where(sql`${table.highest_milestone_type} is not null`),
  index("cases_by_milestone_at").on(table.company_id, table.highest_milestone_at, table.status, table.team_id)
    .where(sql`${table.highest_milestone_at} is not null`),
]);

/** The last case number of a company; the batch that opens a case increments it. */
export const caseNumbers = sqliteTable("case_numbers", {
  company_id: integer().primaryKey(),
  last: integer().notNull(),
});

/** Milestones that a case has done, each with the activity that did it. */
export const caseMilestones = sqliteTable("case_milestones", {
  case_id: text().notNull().references(() => cases.id),
  activity_type_id: text().notNull(),
  activity_id: text().notNull(),
  done_at: text().notNull(),
  /** Columns of the case, for filters; triggers maintain them. */
  contact_id: text(),
  account_id: text(),
  team_id: integer(),
}, (table) => [
  primaryKey({ columns: [table.case_id, table.activity_type_id] }),
  index("case_milestones_by_contact").on(table.activity_type_id, table.contact_id, table.team_id),
  index("case_milestones_by_account").on(table.activity_type_id, table.account_id, table.team_id),
]);

/** Changes of a case's status. The creation of an open case is not a change. */
export const caseStatusChanges = sqliteTable("case_status_changes", {
  id: text().primaryKey(),
  case_id: text().notNull().references(() => cases.id),
  at: text().notNull(),
  from_status: text({ enum: ["open", "closed", "declined"] }).notNull(),
  to_status: text({ enum: ["open", "closed", "declined"] }).notNull(),
  /** The reason of a decline. */
  reason: text(),
  /** The acting user; null for a change by a job. */
  user_id: integer(),
}, (table) => [index("case_status_changes_by_case").on(table.case_id, table.at, table.id)]);

export type CaseRow = Omit<typeof cases.$inferSelect, "close_key">;

/** What its columns name, and what happens when that is removed. */
export const caseReferences = declareReferences(cases, {
  // An open case blocks the deletion of its team; the successor takes all.
  team_id: { team: leaveTo("sales/deletion/cases_of_teams.ts#reassignCase", "reassign", "step") },
  // The successor takes open cases.
  user_id: { user: leaveTo("sales/tasks/deletion.ts#caseReassignment", "step", "keep") },
  account_id: { account: leaveTo("sales/deletion/cases_of_customers.ts#removeCustomerCases", "cascade") },
  contact_id: { contact: leaveTo("sales/deletion/cases_of_customers.ts#removeCustomerCases", "cascade") },
  relations_path_id: { relations_path: block("case") },
  latest_activity_id: "a copy of its activities', kept by triggers",
  highest_milestone_id: { activity_type: "keep" },
  lead_id: { lead: leaveTo("sales/leads/delete.ts#removedLead", "step") },
  lead_type_id: { lead_type: block("case", { company: "company_id" }) },
  stock_vehicle_id: { case: "keep" },
  product_ids: { product: "keep" },
  created_by: { user: "keep" },
});
export const caseMilestoneReferences = declareReferences(caseMilestones, {
  case_id: { case: leaveTo("sales/deletion/remove_cases.ts#caseRows", "cascade") },
  activity_type_id: { activity_type: "keep" },
  activity_id: { activity: leaveTo("sales/deletion/remove_cases.ts#caseRows", "cascade") },
  contact_id: "a copy of the case's, kept by triggers",
  account_id: "a copy of the case's, kept by triggers",
  team_id: "a copy of the case's, kept by triggers",
});
export const caseStatusChangeReferences = declareReferences(caseStatusChanges, {
  case_id: { case: leaveTo("sales/deletion/remove_cases.ts#caseRows", "cascade") },
  user_id: { user: "keep" },
});
