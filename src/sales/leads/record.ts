/** A lead with everything that its record shows: one row, with what hangs on it as JSON columns. */
import { type AccountFacts, accountJson } from "../../customers/accounts/present.ts";
import type { AccountValues } from "../../customers/accounts/write.ts";
import { type ContactFacts, contactJson } from "../../customers/contacts/present.ts";
import type { ContactValues } from "../../customers/contacts/write.ts";
import type { ListSource } from "../../lists/pages.ts";
import { columnsOf } from "../../db/statements.ts";
import type { GivenValues } from "../../http/field_values.ts";
import { parseTeam, type TeamFacts, teamJson } from "../../identity/teams/queries.ts";
import type { Row, Value } from "../../platform/database/database.ts";
import { leadTypeJson } from "../lead_types/queries.ts";
import type { State } from "./lifecycle.ts";
import { type CachedLeadType, cachedLeadType } from "./lead_type_cache.ts";
import { type LeadMoveRow, type LeadRow, leads } from "./table.ts";

/** What a lead carries for its account until it is accepted. */
export interface EmbeddedAccount {
  readonly fixed: AccountValues;
  /** Absent in what was stored before there were custom fields. */
  readonly custom?: GivenValues;
}

export const embeddedChannels = ["call", "email", "letter"] as const;
type Channel = (typeof embeddedChannels)[number];

/** What a lead carries for its contact; consent overwrites the contact's when the lead is accepted. */
export interface EmbeddedContact {
  readonly fixed: ContactValues;
  readonly custom?: GivenValues;
  readonly consent: Readonly<Partial<Record<Channel, { consent_given: boolean | null }>>>;
}

export type MoveFacts = Omit<LeadMoveRow, "id" | "lead_id">;

export interface Lead {
  readonly row: LeadRow & { readonly state: State };
  readonly moves: readonly MoveFacts[];
  readonly team: TeamFacts | null;
  readonly type: CachedLeadType;
  /** The records of its acceptance. */
  readonly account: AccountFacts | null;
  readonly contact: ContactFacts | null;
  /** The existing records that it named. */
  readonly original_account: AccountFacts | null;
  readonly original_contact: ContactFacts | null;
}

const moveColumns = [
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

const movesJson = `(select json_group_array(json_object(${
  moveColumns.map((name) => `'${name}', m.${name}`).join(", ")
}) order by m.id) from lead_moves m where m.lead_id = leads.id)`;

/** Rows for `leadOfRow`. */
export const leadSource: ListSource = {
  table: "leads",
  alias: "leads",
  columns: `${columnsOf(leads, "leads")}, ${movesJson} as moves, ${teamJson("leads.team_id")} as its_team, ` +
    `${leadTypeJson("leads.lead_type_id")} as its_type, ` +
    `${accountJson("leads.account_id")} as its_account, ${contactJson("leads.contact_id")} as its_contact, ` +
    `${accountJson("leads.original_account_id")} as named_account, ` +
    `${contactJson("leads.original_contact_id")} as named_contact`,
};

/** The record of a row that was selected with `leadSource`. */
export function leadOfRow(selected: Row): Lead {
  const { moves, its_team, its_type, its_account, its_contact, named_account, named_contact, ...row } =
    selected;
  return {
    row: row as Lead["row"],
    moves: JSON.parse(moves as string),
    team: its_team === null ? null : parseTeam(its_team),
    type: cachedLeadType(its_type as string),
    account: parsed<AccountFacts>(its_account!),
    contact: parsed<ContactFacts>(its_contact!),
    original_account: parsed<AccountFacts>(named_account!),
    original_contact: parsed<ContactFacts>(named_contact!),
  };
}

/** Whether the lead is past its expiry at the moment, or deleted, and so nowhere. */
export function isExpired({ row }: Lead, at: string): boolean {
  return row.hidden === 1 || (row.expires_at !== null && row.expires_at <= at);
}

export function embeddedAccount(row: LeadRow): EmbeddedAccount | null {
  return row.account === null ? null : JSON.parse(row.account);
}

export function embeddedContact(row: LeadRow): EmbeddedContact | null {
  return row.contact === null ? null : JSON.parse(row.contact);
}

function parsed<T>(text: Value): T | null {
  return text === null ? null : JSON.parse(text as string) as T;
}
