import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { flag, timestamps, version } from "../../db/columns.ts";
import { companies } from "../../identity/companies/table.ts";
import { caseFoldSql } from "../../db/case_fold.ts";
import { partySql } from "./party.ts";
import { leadTypes } from "../lead_types/record.ts";
import { identifier } from "../../db/statements.ts";
import { awaitsAgency, isNotAccepted } from "./lifecycle.ts";
import { block, declareReferences, leaveTo } from "../../db/references.ts";

/** The leads in the lists of the agency. */
const waiting = sql.raw(awaitsAgency(identifier("status")).sql);
const notAccepted = sql.raw(isNotAccepted(identifier("state")).sql);

export const leads = sqliteTable("leads", {
  seq: integer().primaryKey(),
  id: text().notNull().unique(),
  company_id: integer().notNull().references(() => companies.id),
  lead_type_id: text().notNull().references(() => leadTypes.id),
  team_id: integer(),
  /** The assigned user. */
  user_id: integer(),
  agency_team_id: integer(),
  /** The state in `lifecycle.ts`; clients see `status`. */
  state: text().notNull(),
  status: text({
    enum: ["assignable", "assigned", "rejected", "accepted", "escalated", "called", "revoked"],
  }).notNull(),
  b2c: flag(),
  interest: text(),
  lead_source: text().notNull(),
  lead_user: text(),
  product_ids: text().notNull().default("[]"),
  lead_data: text().notNull().default("[]"),
  /** The embedded account and contact: JSON {fixed, custom, consent}. */
  account: text(),
  contact: text(),
  /** The existing records that the request named. */
  original_account_id: text(),
  original_contact_id: text(),
  /** The records of the latest acceptance. */
  account_id: text(),
  contact_id: text(),
  case_id: text(),
  expires_at: text(),
  /** Set when the lead is deleted, and by a job once it has expired: counters and lists leave it out. */
  hidden: flag(),
  /** For filters that name `lead.deleted_at`. */
  deleted_at: text(),
  /** JSON: case-folded texts by column, where SQLite's `lower` gives another text. Filters compare them. */
  folded: text(),
  /** The words that the lead brings, for search. Null: a lead of an earlier version, until a job gives it words. */
  words: text(),
  /** 1 to 100; 0 means none, so that the column sorts. */
  external_weight: integer().notNull().default(0),
  /** The end of the running countdown. */
  escalates_at: text(),
  /** Sort key of `escalates_at`: the soonest countdown first, then leads without one, the newest first. */
  countdown_key: text().generatedAlwaysAs(
    sql`case when escalates_at is null then printf('~%012d', 253402300800 - unixepoch(created_at)) else escalates_at end`,
    { mode: "virtual" },
  ),
  created_by: integer(),
  ...timestamps,
  ...version,
}, (table) => [
  index("leads_by_created").on(table.company_id, table.created_at, table.id),
  index("leads_by_team_created").on(table.company_id, table.team_id, table.created_at, table.id),
  index("leads_by_updated").on(table.company_id, table.updated_at, table.id),
  index("leads_by_team_updated").on(table.company_id, table.team_id, table.updated_at, table.id),
  index("leads_by_weight").on(table.company_id, table.external_weight, table.id),
  index("leads_by_team_weight").on(table.company_id, table.team_id, table.external_weight, table.id),
  index("leads_by_agency_updated").on(table.company_id, table.agency_team_id, table.updated_at, table.id),
  index("leads_by_agency_weight").on(table.company_id, table.agency_team_id, table.external_weight, table.id),
  index("leads_by_agency_created").on(table.company_id, table.agency_team_id, table.created_at, table.id),
  index("leads_by_countdown").on(table.company_id, table.countdown_key, table.id),
  index("leads_by_team_countdown").on(table.company_id, table.team_id, table.countdown_key, table.id),
  index("leads_by_agency_countdown")
    .on(table.company_id, table.agency_team_id, table.countdown_key, table.id),
  // The sources of the leads that a caller sees are counted from this index alone.
  index("leads_by_exact_source")
    .on(table.company_id, table.lead_source, table.team_id, table.agency_team_id, table.expires_at)
    .where(sql`${table.hidden} = 0`),
  index("leads_by_status").on(table.company_id, table.status, table.created_at, table.id),
  // The lists of the agency, in their orders. An admin's list by creation uses `leads_by_status`.
  index("leads_waiting_by_updated").on(table.company_id, table.status, table.updated_at, table.id)
    .where(waiting),
  index("leads_waiting_by_weight").on(table.company_id, table.status, table.external_weight, table.id)
    .where(waiting),
  index("leads_waiting_by_agency_created")
    .on(table.company_id, table.agency_team_id, table.status, table.created_at, table.id)
    .where(waiting),
  index("leads_waiting_by_agency_updated")
    .on(table.company_id, table.agency_team_id, table.status, table.updated_at, table.id)
    .where(waiting),
  index("leads_waiting_by_agency_weight")
    .on(table.company_id, table.agency_team_id, table.status, table.external_weight, table.id)
    .where(waiting),
  index("leads_waiting_by_team").on(table.company_id, table.team_id, table.status)
    .where(waiting),
  // For the timer, and for the job that hides expired leads.
  index("leads_due").on(table.escalates_at).where(sql`${table.escalates_at} is not null`),
  index("leads_expiring").on(table.expires_at).where(
    sql`${table.expires_at} is not null and ${table.hidden} = 0`,
  ),
  // Filters: the leads of an account or a contact.
  index("leads_of_account").on(leadParty("account_id")),
  index("leads_of_contact").on(leadParty("contact_id")),
  // Filters and lists with a selective condition.
  index("leads_by_type").on(table.lead_type_id, table.created_at, table.id),
  // The leads that teams have not accepted, and those of a user, are counted from these indexes alone.
  index("leads_not_accepted")
    .on(table.company_id, table.team_id, table.state, table.escalates_at, table.expires_at)
    .where(sql`${table.hidden} = 0 and ${notAccepted}`),
  index("leads_of_user")
    .on(table.company_id, table.user_id, table.team_id, table.agency_team_id, table.expires_at)
    .where(sql`${table.hidden} = 0 and ${table.user_id} is not null`),
  index("leads_by_user").on(table.company_id, table.user_id).where(sql`${table.user_id} is not null`),
  index("leads_by_source").on(table.company_id, foldCase("lead_source")),
  index("leads_by_interest").on(table.company_id, foldCase("interest")).where(
    sql`${foldCase("interest")} is not null`,
  ),
  index("leads_by_expiry").on(table.company_id, table.expires_at).where(
    sql`${table.expires_at} is not null`,
  ),
  index("leads_by_deletion").on(table.company_id, table.deleted_at).where(
    sql`${table.deleted_at} is not null`,
  ),
  index("leads_without_words").on(table.seq).where(sql`${table.words} is null`),
  index("leads_by_case").on(table.case_id).where(sql`${table.case_id} is not null`),
  // The leads of a customer, by acceptance or by the request.
  index("leads_by_account").on(table.account_id).where(sql`${table.account_id} is not null`),
  index("leads_by_contact").on(table.contact_id).where(sql`${table.contact_id} is not null`),
  index("leads_by_original_account").on(table.original_account_id).where(
    sql`${table.original_account_id} is not null`,
  ),
  index("leads_by_original_contact").on(table.original_contact_id).where(
    sql`${table.original_contact_id} is not null`,
  ),
]);

/** The transitions of a lead, as its record lists them. */
export const leadTransitions = sqliteTable("lead_transitions", {
  id: integer().primaryKey({ autoIncrement: true }),
  lead_id: text().notNull().references(() => leads.id),
  /** `assignment`, `acception`, `rejection`, `escalation`, `call` or `revocation`. */
  kind: text().notNull(),
  at: text().notNull(),
  team_id: integer(),
  user_id: integer(),
  /** The user who did it; null for a timer, and for what was recorded by an earlier version. */
  made_by: integer(),
  rejection_reason: text(),
  /** `accept` or `activity`: the countdown that ran out. */
  escalation_type: text({ enum: ["accept", "activity"] }),
  case_id: text(),
  account_id: text(),
  contact_id: text(),
  first_activity_at: text(),
  first_activity_by: integer(),
}, (table) => [
  index("lead_transitions_by_lead").on(table.lead_id, table.id),
  index("lead_transitions_by_case").on(table.case_id).where(sql`${table.case_id} is not null`),
  // Filters: the leads that a team was assigned, accepted or rejected.
  index("lead_transitions_by_team").on(table.team_id, table.kind, table.lead_id),
]);

/** The account or contact of a lead: that of its acceptance, else the original one. */
function leadParty(column: "account_id" | "contact_id") {
  return sql.raw(partySql(null, column).sql);
}

/** A case-folded text, as filters compare it. */
function foldCase(column: "lead_source" | "interest") {
  return sql.raw(caseFoldSql(null, column).sql);
}

export type LeadRow = Omit<typeof leads.$inferSelect, "countdown_key">;
export type LeadTransitionRow = typeof leadTransitions.$inferSelect;

/** What its columns name, and what happens when that is removed. */
export const leadReferences = declareReferences(leads, {
  lead_type_id: { lead_type: block("lead") },
  // An open lead blocks the deletion of its team or agency; the successor takes all.
  team_id: { team: leaveTo("sales/deletion/leads_of_teams.ts#reassignLead", "reassign", "step") },
  agency_team_id: { team: leaveTo("sales/deletion/leads_of_teams.ts#reassignLead", "reassign", "step") },
  user_id: { user: "keep" },
  product_ids: { product: "keep" },
  // A lead that was accepted for another customer stays, without the removed one.
  original_account_id: {
    account: leaveTo("sales/deletion/leads_of_customers.ts#removeCustomerLeads", "step"),
  },
  original_contact_id: {
    contact: leaveTo("sales/deletion/leads_of_customers.ts#removeCustomerLeads", "step"),
  },
  account_id: { account: leaveTo("sales/deletion/leads_of_customers.ts#removeCustomerLeads", "step") },
  contact_id: { contact: leaveTo("sales/deletion/leads_of_customers.ts#removeCustomerLeads", "step") },
  case_id: { case: leaveTo("sales/leads/without_case.ts#detachLeads", "step") },
  created_by: { user: "keep" },
});
export const leadTransitionReferences = declareReferences(leadTransitions, {
  lead_id: { lead: "keep" },
  team_id: { team: "keep" },
  user_id: { user: "keep" },
  made_by: { user: "keep" },
  first_activity_by: { user: "keep" },
  case_id: { case: leaveTo("sales/leads/without_case.ts#detachLeads", "step") },
  account_id: { account: leaveTo("sales/deletion/leads_of_customers.ts#removeCustomerLeads", "step") },
  contact_id: { contact: leaveTo("sales/deletion/leads_of_customers.ts#removeCustomerLeads", "step") },
});
