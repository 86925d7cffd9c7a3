/** Lead → wire shape. */
import type { z } from "zod";
import type { Wire } from "../../http/endpoint.ts";
import type { LeadDataLine } from "../case_parts/schema.ts";
import { listAccountValues, presentAccount } from "../../customers/accounts/present.ts";
import { type ContactFacts, presentConsent, presentContact } from "../../customers/contacts/present.ts";
import {
  type AccountFieldName,
  accountFields,
  type ContactFieldName,
  contactFields,
} from "../../fields/fixed_fields.ts";
import type { Fields, FieldSet } from "../../fields/field_sets.ts";
import type { GivenValues } from "../../fields/values.ts";
import { presentEmbeddedTeam } from "../../identity/teams/present.ts";
import type { EmbeddedAccount, EmbeddedChannel, EmbeddedContact, LeadRecord } from "./parts.ts";
import type { Lead } from "./schema.ts";

/** The members that all forms of a lead show alike. */
type SharedMembers = Omit<Wire<z.output<typeof Lead>>, "team" | "lead_type" | "lead_data">;

/** The Lead record with the given fields. `now` (epoch milliseconds) selects the offset of the team's time zone. */
export function presentLead(lead: LeadRecord, now: number, fields: Fields) {
  const { row, team, type } = lead;
  return presentMembers(lead, fields, {
    team: team === null ? null : presentEmbeddedTeam(team, now),
    lead_type: type.shown,
    data: { lead_data: JSON.parse(row.lead_data) as readonly LeadDataLine[] },
  });
}

/**
 * The lead in a short row of a list: the type without its paths, the team by name, and no data. `fields` have
 * no options.
 */
export function presentBriefLead(lead: LeadRecord, fields: Fields) {
  const { team, type } = lead;
  return presentMembers(lead, fields, {
    team: team === null ? null : { id: team.id!, name: team.name },
    lead_type: type.brief,
    data: {},
  });
}

function presentMembers<T, L, D extends { readonly lead_data?: readonly LeadDataLine[] }>(
  lead: LeadRecord,
  fields: Fields,
  shown: { readonly team: T; readonly lead_type: L; readonly data: D },
): SharedMembers & { readonly team: T; readonly lead_type: L } & D {
  const { row, embedded } = lead;
  const of = Object.groupBy(lead.transitions, ({ kind }) => kind);
  return {
    id: row.id,
    company_id: row.company_id,
    user_id: row.user_id,
    team_id: row.team_id,
    team: shown.team,
    agency_team_id: row.agency_team_id,
    lead_type_id: row.lead_type_id,
    lead_type: shown.lead_type,
    b2c: row.b2c === 1,
    interest: row.interest,
    lead_source: row.lead_source,
    lead_user: row.lead_user,
    product_ids: JSON.parse(row.product_ids) as readonly string[],
    ...shown.data,
    status: row.status,
    rejections: (of.rejection ?? []).map(({ team_id, user_id, rejection_reason, at }) => ({
      team_id,
      user_id,
      rejection_reason: rejection_reason!,
      rejection_date: at,
    })),
    acceptions: (of.acception ?? []).map(({ at, ...transition }) => ({
      team_id: transition.team_id,
      user_id: transition.user_id,
      case_id: transition.case_id,
      account_id: transition.account_id,
      contact_id: transition.contact_id,
      accepted_date: at,
      first_activity_at: transition.first_activity_at,
    })),
    assignments: (of.assignment ?? []).map(({ team_id, user_id, at }) => ({
      team_id,
      user_id,
      assignment_date: at,
    })),
    escalations: (of.escalation ?? []).map(({ team_id, escalation_type, at }) => ({
      team_id,
      escalation_type: escalation_type!,
      escalation_date: at,
    })),
    calls: (of.call ?? []).map(({ team_id, user_id, at }) => ({ team_id, user_id, call_date: at })),
    revocations: (of.revocation ?? []).map(({ team_id, escalation_type, at }) => ({
      team_id,
      escalation_type: escalation_type!,
      revocation_date: at,
    })),
    case_id: row.case_id,
    original_account: lead.original_account === null ? null : presentAccount(lead.original_account, fields),
    original_contact: lead.original_contact === null ? null : presentContact(lead.original_contact, fields),
    account_id: row.account_id ?? row.original_account_id,
    account: presentLeadAccount(lead, embedded.account, fields.account),
    contact_id: row.contact_id ?? row.original_contact_id,
    contact: presentLeadContact(lead, embedded.contact, fields.contact),
    expires_at: row.expires_at,
    external_weight: row.external_weight === 0 ? null : row.external_weight,
    escalates_at: row.escalates_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

/**
 * Returns the account of the acceptance. Before the acceptance, the original account with the embedded
 * values.
 */
function presentLeadAccount(lead: LeadRecord, given: EmbeddedAccount | null, fields: FieldSet) {
  const existing = lead.account ?? lead.original_account;
  const embedded = lead.account ? null : given;
  const values = { ...noAccountValues, ...(existing && listAccountValues(existing)), ...embedded?.fixed };
  return {
    id: existing?.id ?? null,
    fixed_fields: fields.presentFixed(values),
    custom_fields: fields.presentCustom(mergeCustom(existing, embedded)),
  };
}

function presentLeadContact(lead: LeadRecord, given: EmbeddedContact | null, fields: FieldSet) {
  const existing = lead.contact ?? lead.original_contact;
  const embedded = lead.contact ? null : given;
  const showConsent = (channel: EmbeddedChannel) => chooseConsent(embedded, existing, channel);
  return {
    id: existing?.id ?? null,
    fixed_fields: fields.presentFixed({
      ...noContactValues,
      ...(existing && { ...existing }),
      ...embedded?.fixed,
    }),
    custom_fields: fields.presentCustom(mergeCustom(existing, embedded)),
    consent: { call: showConsent("call"), email: showConsent("email"), letter: showConsent("letter") },
  };
}

/** The consent that a lead shows: the embedded one, else that of the existing contact. */
export function chooseConsent(
  embedded: EmbeddedContact | null,
  existing: ContactFacts | null,
  channel: EmbeddedChannel,
) {
  const wanted = embedded?.consent[channel];
  if (wanted) return { ...wanted, updated_at: null };
  return existing ? presentConsent(existing, channel) : { consent_given: null, updated_at: null };
}

/** Embedded values replace those of the record; null removes one. */
function mergeCustom(existing: { custom: string } | null, embedded: { custom?: GivenValues } | null): string {
  const own = existing?.custom ?? "{}";
  const given = embedded?.custom ?? {};
  if (Object.keys(given).length === 0) return own;
  const values = { ...JSON.parse(own), ...given };
  return JSON.stringify(Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)));
}

const noAccountValues = Object.fromEntries(accountFields.map(({ name }) => [name, null])) as Record<
  AccountFieldName,
  null
>;
const noContactValues = Object.fromEntries(contactFields.map(({ name }) => [name, null])) as Record<
  ContactFieldName,
  null
>;
