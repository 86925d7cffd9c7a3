/** A lead with the other records that it shows, read as one row with JSON columns. */
import { type AccountFacts, selectAccountJson } from "../../customers/accounts/present.ts";
import type { AccountValues } from "../../customers/accounts/write.ts";
import { type ContactFacts, selectContactJson } from "../../customers/contacts/present.ts";
import type { ContactValues } from "../../customers/contacts/write.ts";
import type { Teams } from "../../db/outbox.ts";
import { composeJsonMembers, selectColumns, type Sql, sql } from "../../db/statements.ts";
import type { GivenValues } from "../../fields/values.ts";
import { selectTeamJson, type TeamFacts } from "../../identity/teams/queries.ts";
import type { Row, Value } from "../../platform/database/database.ts";
import { selectBriefLeadTypeJson, selectLeadTypeJson } from "../lead_types/queries.ts";
import type { State } from "./lifecycle.ts";
import { type CachedLeadType, parseCachedType } from "./cached_lead_types.ts";
import { type LeadRow, leads, type LeadTransitionRow } from "./record.ts";

/** The account data that a lead embeds until it is accepted. */
export interface EmbeddedAccount {
  readonly fixed: AccountValues;
  readonly custom?: GivenValues;
}

export const embeddedChannels = ["call", "email", "letter"] as const;
export type EmbeddedChannel = (typeof embeddedChannels)[number];

/** The contact data that a lead embeds. Its consent replaces the contact's when the lead is accepted. */
export interface EmbeddedContact {
  readonly fixed: ContactValues;
  readonly custom?: GivenValues;
  readonly consent: Readonly<Partial<Record<EmbeddedChannel, { consent_given: boolean | null }>>>;
}

/** The data that a lead embeds; null: none. */
export interface Embedded {
  readonly account: EmbeddedAccount | null;
  readonly contact: EmbeddedContact | null;
}

/** A transition as the lead shows it; who made it is read by `moves.ts` alone. */
export type LeadTransition = Omit<LeadTransitionRow, "id" | "lead_id" | "made_by" | "first_activity_by">;

export interface LeadRecord {
  readonly row: LeadRow & { readonly state: State };
  /** The embedded data, parsed from the row. */
  readonly embedded: Embedded;
  readonly transitions: readonly LeadTransition[];
  readonly team: TeamFacts | null;
  readonly type: CachedLeadType;
  /** The records of its acceptance. */
  readonly account: AccountFacts | null;
  readonly contact: ContactFacts | null;
  /** The existing records that the request named. */
  readonly original_account: AccountFacts | null;
  readonly original_contact: ContactFacts | null;
  /** The teams before the changes that are not committed yet; absent without any. */
  readonly teams_before?: Teams;
}

const transitionColumns = [
  "kind",
  "at",
  "team_id",
  "user_id",
  "rejection_reason",
  "escalation_type",
  "case_id",
  "account_id",
  "contact_id",
  "first_activity_at",
] as const;

const transitionJson = sql`json_object(${composeJsonMembers(transitionColumns, "m")})`;

const transitionsJson = sql`(select json_group_array(${transitionJson} order by m.id)
  from lead_transitions m where m.lead_id = leads.id)`;

/** SQL: a select list for `readLeadRow`. */
export const leadColumns = sql`${selectColumns(leads, "leads")},
  ${selectParts(selectLeadTypeJson(sql`leads.lead_type_id`))}`;

/** SQL: the same for `presentBriefLead`, without data of the lead and paths of its type, which take long. */
export const briefLeadColumns = sql`${selectColumns(leads, "leads", ["lead_data"])}, '[]' as lead_data,
  ${selectParts(selectBriefLeadTypeJson(sql`leads.lead_type_id`))}`;

function selectParts(type: Sql): Sql {
  return sql`${transitionsJson} as transitions, ${selectTeamJson(sql`leads.team_id`)} as team_json,
  ${type} as type_json,
  ${selectAccountJson(sql`leads.account_id`)} as account_json, ${selectContactJson(sql`leads.contact_id`)}
  as contact_json,
  ${selectAccountJson(sql`leads.original_account_id`)} as original_account_json,
  ${selectContactJson(sql`leads.original_contact_id`)} as original_contact_json`;
}

/** Reads a row of `leadColumns`. */
export function readLeadRow(selected: Row): LeadRecord {
  const {
    transitions,
    team_json,
    type_json,
    account_json,
    contact_json,
    original_account_json,
    original_contact_json,
    ...row
  } = selected;
  return {
    row: row as LeadRecord["row"],
    embedded: {
      account: parseJson<EmbeddedAccount>(row.account!),
      contact: parseJson<EmbeddedContact>(row.contact!),
    },
    transitions: JSON.parse(transitions as string),
    team: parseJson<TeamFacts>(team_json!),
    type: parseCachedType(type_json as string),
    account: parseJson<AccountFacts>(account_json!),
    contact: parseJson<ContactFacts>(contact_json!),
    original_account: parseJson<AccountFacts>(original_account_json!),
    original_contact: parseJson<ContactFacts>(original_contact_json!),
  };
}

/** Whether the lead has expired at the moment, or is deleted. Such a lead is not found. */
export function isExpired({ row }: LeadRecord, at: string): boolean {
  return row.hidden === 1 || (row.expires_at !== null && row.expires_at <= at);
}

/** Returns the value of a column with JSON; null for null. */
export function parseJson<T>(text: Value): T | null {
  return text === null ? null : JSON.parse(text as string) as T;
}
