/** The case, described once. Its answers stand in `schema.ts`; `parts.ts` reads it with what it shows of others. */
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { z } from "zod";
import { accounts } from "../../customers/accounts/record.ts";
import { contacts } from "../../customers/contacts/record.ts";
import { block, declareReferences, leaveTo } from "../../db/references.ts";
import { orShownAs } from "../../http/as_shown.ts";
import { integerId, makeBackdatedTime, optional, uuid } from "../../http/zod.ts";
import { companies } from "../../identity/companies/table.ts";
import { internal, readOnly, stamps, versioned, writeOnly } from "../../records/kinds.ts";
import { columns, forChange, forCreate, type Members } from "../../records/members.ts";
import { relationsPaths } from "../relations_paths/table.ts";
import { storedCaseStatuses } from "./lifecycle.ts";

const { created_at, updated_at } = stamps({});

export const caseMembers = {
  /** The row id of the full-text index. */
  seq: internal(integer().primaryKey()),
  id: readOnly(text().notNull().unique(), z.uuid()),
  company_id: internal(integer().notNull().references(() => companies.id)),
  case_number: readOnly(
    integer().notNull(),
    z.int().meta({ example: 17, description: "Counts from 1 in the company." }),
  ),
  status: {
    ...readOnly(
      text({ enum: storedCaseStatuses }).notNull().default("open"),
      z.enum(storedCaseStatuses),
    ),
    otherwise: "open",
  },
  user_id: {
    column: integer(),
    create: optional(integerId).meta({ description: "The responsible user; default: the caller." }),
    change: integerId.optional().meta({ description: "A member of the case's team." }),
    stored: "code",
  },
  team_id: {
    ...readOnly(integer(), z.int().nullable()),
    create: optional(integerId).meta({
      description: "Default: the caller's active team, else the team of the contact's account.",
    }),
    change: optional(integerId),
    stored: "code",
  },
  account_id: internal(text().notNull().references(() => accounts.id)),
  contact_id: {
    column: text().notNull().references(() => contacts.id),
    create: uuid,
    change: uuid.optional(),
    stored: "code",
  },
  relations_path_id: {
    column: text().notNull().references(() => relationsPaths.id),
    create: uuid,
    stored: "code",
  },
  notify_user: {
    create: optional(z.boolean()).meta({
      description: "Notify the responsible user, unless that is the caller.",
    }),
    change: optional(z.boolean()).meta({
      description: "Notify the new responsible user, unless that is the caller.",
    }),
  },
  latest_activity_at: readOnly(text(), z.string().nullable()),
  latest_activity_id: internal(text()),
  chance_of_success: { ...readOnly(integer().notNull().default(0), z.int()), otherwise: 0 },
  estimated_close_date: readOnly(text(), z.string().nullable()),
  /** Sort key of `estimated_close_date`: cases without a date come last. */
  close_key: internal(
    text().generatedAlwaysAs(sql`ifnull(estimated_close_date, '~')`, { mode: "virtual" }),
  ),
  decline_reason: readOnly(text(), z.string().nullable()),
  activity_count: { ...readOnly(integer().notNull().default(0), z.int()), otherwise: 0 },
  /** The highest milestone done, for the filters of lists. */
  highest_milestone_id: internal(text()),
  highest_milestone_type: internal(text()),
  highest_milestone_at: internal(text()),
  /** The lead that opened the case, its type and source. */
  lead_id: internal(text()),
  lead_type_id: internal(text()),
  lead_source: readOnly(text(), z.string().nullable().meta({ deprecated: true })),
  stock_vehicle_id: {
    ...readOnly(text(), z.uuid().nullable()),
    ...writeOnly(optional(uuid).meta({ description: "The id of a vehicle in another system." })),
  },
  /** Sort key of `important`, ascending: without activity first, oldest first, then by latest activity. */
  important_key: internal(text().notNull()),
  /** Sort key of `recent`, descending: open, closed, declined; in each the newest activity first. */
  recent_key: internal(text().notNull()),
  /**
   * The value of the latest activity with product details, and the product ids of all activities as a sorted
   * JSON list.
   */
  offer_value: { column: real().notNull().default(0), otherwise: 0 },
  product_ids: { column: text().notNull().default("[]"), otherwise: "[]" },
  /** The moment from which the latest change of status, chance or offer counts. */
  effective_at: internal(text().notNull().default("")),
  created_by: internal(integer()),
  created_at: { ...created_at, create: makeBackdatedTime("case"), stored: "code" },
  updated_at,
  ...versioned,
} satisfies Members;

export const cases = sqliteTable("cases", columns(caseMembers), (table) => [
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

export const CreateCaseBody = z.object(forCreate(caseMembers)).meta({
  id: "CaseCreate",
  example: {
    contact_id: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a002",
    relations_path_id: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a001",
  },
});
export type CreateCaseBody = z.output<typeof CreateCaseBody>;

export const CaseChange = orShownAs(
  z.object(forChange(caseMembers)),
  { user_id: ["user", integerId], team_id: ["team", integerId], contact_id: ["contact", uuid] },
).meta({ id: "CaseChange", description: "The relations path never changes.", example: { user_id: 7 } });
export type CaseChange = z.output<typeof CaseChange>;

export type CaseRow = Omit<typeof cases.$inferSelect, "close_key">;

/** What its columns name, and what happens when that is deleted. */
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
  lead_id: { lead: leaveTo("sales/leads/delete.ts#removeLead", "step") },
  lead_type_id: { lead_type: block("case", { company: "company_id" }) },
  stock_vehicle_id: { case: "keep" },
  product_ids: { product: "keep" },
  created_by: { user: "keep" },
});
export const caseMilestoneReferences = declareReferences(caseMilestones, {
  case_id: { case: leaveTo("sales/deletion/remove_cases.ts#deleteCaseRows", "cascade") },
  activity_type_id: { activity_type: "keep" },
  activity_id: { activity: leaveTo("sales/deletion/remove_cases.ts#deleteCaseRows", "cascade") },
  contact_id: "a copy of the case's, kept by triggers",
  account_id: "a copy of the case's, kept by triggers",
  team_id: "a copy of the case's, kept by triggers",
});
export const caseStatusChangeReferences = declareReferences(caseStatusChanges, {
  case_id: { case: leaveTo("sales/deletion/remove_cases.ts#deleteCaseRows", "cascade") },
  user_id: { user: "keep" },
});
