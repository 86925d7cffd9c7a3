/** The lead, described once. Its bodies and its answer stand in `schema.ts`; `parts.ts` reads it with what it shows. */
import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { z } from "zod";
import { Account } from "../../customers/accounts/record.ts";
import { Contact } from "../../customers/contacts/record.ts";
import { foldInIndex } from "../../db/case_fold.ts";
import { flag } from "../../db/columns.ts";
import { block, declareReferences, leaveTo } from "../../db/references.ts";
import { identifier } from "../../db/statements.ts";
import {
  filledLine,
  integerId,
  makeBackdatedTime,
  optional,
  text as longText,
  uuid,
} from "../../http/zod.ts";
import { companies } from "../../identity/companies/table.ts";
import { EmbeddedTeam } from "../../identity/teams/record.ts";
import {
  computed,
  internal,
  optionalLine,
  readOnly,
  stamps,
  versioned,
  writeOnly,
} from "../../records/kinds.ts";
import { columns, type Members } from "../../records/members.ts";
import { LeadDataLine } from "../case_parts/schema.ts";
import { LeadType, leadTypes } from "../lead_types/record.ts";
import { LeadDataInput } from "./lead_data.ts";
import { awaitsAgency, isNotAccepted, leadStatuses } from "./lifecycle.ts";
import {
  history,
  LeadAccount,
  LeadAccountInput,
  LeadContact,
  LeadContactInput,
  longestText,
  momentOrDay,
} from "./member_shapes.ts";
import { composeParty } from "./party.ts";

/** The leads in the lists of the agency. */
const waiting = sql.raw(awaitsAgency(identifier("status")).sql);
const notAccepted = sql.raw(isNotAccepted(identifier("state")).sql);

const time = z.string().meta({ example: "2026-01-31 10:00:00" });
const b2c = z.boolean();
const source = filledLine(255).meta({ example: "website" });
const weight = optional(z.int().min(1, "From 1 to 100.").max(100, "From 1 to 100."));
const agency = optional(integerId).meta({
  description: "The agency team that handles escalations and reassignment; required without a team.",
});
const expiry = optional(momentOrDay).meta({
  description:
    "The lead is hidden from this moment on. A date means the start of that day. Must be after now.",
});
const interest = optional(longText(longestText));
const lines = optional(z.array(LeadDataInput).max(1000, "At most 1000 lines."));

const { created_at, updated_at } = stamps();

export const leadMembers = {
  seq: internal(integer().primaryKey()),
  id: readOnly(text().notNull().unique(), z.uuid()),
  company_id: readOnly(integer().notNull().references(() => companies.id), z.int()),
  /** The assigned user. */
  user_id: readOnly(integer(), z.int().nullable().meta({ description: "The assigned user." })),
  team_id: {
    ...readOnly(integer(), z.int().nullable()),
    create: optional(integerId).meta({ description: "Without a team the agency assigns the lead." }),
    stored: "code",
  },
  team: computed(EmbeddedTeam.nullable()),
  agency_team_id: { ...readOnly(integer(), z.int().nullable()), create: agency, change: agency },
  lead_type_id: {
    ...readOnly(text().notNull().references(() => leadTypes.id), z.uuid()),
    create: uuid,
    change: uuid.optional(),
    stored: "code",
  },
  lead_type: computed(LeadType),
  b2c: { ...readOnly(flag(), b2c), create: b2c, change: b2c.optional(), stored: "flag" },
  interest: { ...readOnly(text(), z.string().nullable()), create: interest, change: interest },
  lead_source: {
    ...readOnly(text().notNull(), z.string().meta({ example: "website" })),
    create: source,
    change: source.optional(),
  },
  lead_user: optionalLine(255),
  product_ids: {
    ...readOnly(text().notNull().default("[]"), z.array(z.uuid())),
    ...writeOnly(
      optional(z.array(uuid).max(100, "At most 100 products.")).meta({
        description: "Duplicates are removed.",
      }),
    ),
    stored: "code",
  },
  lead_data: {
    ...readOnly(text().notNull().default("[]"), z.array(LeadDataLine)),
    ...writeOnly(lines),
    otherwise: "[]",
    stored: "json",
  },
  /** The state in `lifecycle.ts`; clients see `status`. */
  state: internal(text().notNull()),
  status: readOnly(text({ enum: leadStatuses }).notNull(), z.enum(leadStatuses)),
  ...history,
  case_id: readOnly(text(), z.uuid().nullable()),
  original_account: computed(Account.nullable()),
  original_contact: computed(Contact.nullable()),
  /** The existing records that the request named. */
  original_account_id: internal(text()),
  original_contact_id: internal(text()),
  /** The column has the account of the latest acceptance, a body an existing one. */
  account_id: {
    ...readOnly(text(), z.uuid().nullable()),
    ...writeOnly(
      optional(uuid).meta({ description: "An existing account; required without `account`." }),
    ),
    stored: "code",
  },
  /** The column has the embedded data as JSON {fixed, custom}. */
  account: { ...readOnly(text(), LeadAccount), ...writeOnly(optional(LeadAccountInput)), stored: "code" },
  contact_id: {
    ...readOnly(text(), z.uuid().nullable()),
    ...writeOnly(
      optional(uuid).meta({ description: "An existing contact; required without `contact`." }),
    ),
    stored: "code",
  },
  /** The column has the embedded data as JSON {fixed, custom, consent}. */
  contact: { ...readOnly(text(), LeadContact), ...writeOnly(optional(LeadContactInput)), stored: "code" },
  expires_at: { ...readOnly(text(), time.nullable()), create: expiry, change: expiry },
  /** Set when the lead is deleted, and by a job once it has expired: counters and lists leave it out. */
  hidden: { column: flag(), otherwise: 0 },
  /** For filters that name `lead.deleted_at`. */
  deleted_at: internal(text()),
  /** JSON: case-folded texts by column, where SQLite's `lower` gives another text. Filters compare them. */
  folded: internal(text()),
  /** The words that the lead brings, for search. Null: a lead of an earlier version, until a job gives it words. */
  words: internal(text()),
  /** The column has 0 for none, so that it sorts. */
  external_weight: {
    ...readOnly(integer().notNull().default(0), z.int().nullable().meta({ description: "1 to 100." })),
    ...writeOnly(weight),
    otherwise: 0,
  },
  escalates_at: readOnly(text(), time.nullable().meta({ description: "The end of the running countdown." })),
  /** Sort key of `escalates_at`: the soonest countdown first, then leads without one, the newest first. */
  countdown_key: internal(
    text().generatedAlwaysAs(
      sql`case when escalates_at is null then printf('~%012d', 253402300800 - unixepoch(created_at)) else escalates_at end`,
      { mode: "virtual" },
    ),
  ),
  created_by: internal(integer()),
  created_at: { ...created_at, create: makeBackdatedTime("record"), stored: "code" },
  updated_at,
  ...versioned,
} satisfies Members;

export const leads = sqliteTable("leads", columns(leadMembers), (table) => [
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
  index("leads_of_account").on(describeParty("account_id")),
  index("leads_of_contact").on(describeParty("contact_id")),
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
  index("leads_by_source").on(table.company_id, foldInIndex("lead_source")),
  index("leads_by_interest").on(table.company_id, foldInIndex("interest")).where(
    sql`${foldInIndex("interest")} is not null`,
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
function describeParty(column: "account_id" | "contact_id") {
  return sql.raw(composeParty(null, column).sql);
}

export type LeadRow = Omit<typeof leads.$inferSelect, "countdown_key">;
export type LeadTransitionRow = typeof leadTransitions.$inferSelect;

/** What its columns name, and what happens when that is deleted. */
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
