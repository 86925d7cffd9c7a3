/** Creates or changes the account and the contact of an accepted lead. */
import type { CustomValues } from "../../fields/custom_fields.ts";
import type { Context } from "../../db/context.ts";
import { type GivenValues, mergeCustom } from "../../fields/values.ts";
import type { EventDraft } from "../../db/outbox.ts";
import type { Statement } from "../../platform/database/database.ts";
import { type AccountWrite, changeAccount, makeAccount } from "../../customers/accounts/write.ts";
import { composeContactName } from "../../customers/contacts/present.ts";
import {
  changeContact,
  type ContactValues,
  type ContactWrite,
  makeContact,
} from "../../customers/contacts/write.ts";
import {
  type AccountFieldName,
  accountFields,
  type ContactFieldName,
  contactFields,
} from "../../fields/fixed_fields.ts";
import { chooseContactStatus } from "../cases/lifecycle.ts";
import type { CaseAccount, CaseContact } from "../cases/parts.ts";
import type { Acceptance } from "./acceptance.ts";
import type { EmbeddedAccount, EmbeddedContact } from "./parts.ts";

export interface Customer {
  readonly account: CaseAccount;
  readonly contact: CaseContact;
  readonly statements: readonly Statement[];
  readonly events: readonly EventDraft[];
}

/** Decides the account and contact of an acceptance, made or changed, with the statements and events of that. */
export function decideCustomer(ctx: Context, acceptance: Acceptance): Customer {
  const { row, embedded: inLead } = acceptance.lead;
  const embedded = pickEmbedded(inLead.account, acceptance.account, row.original_account_id);
  const embeddedPerson = withName(
    pickEmbedded(inLead.contact, acceptance.contact, row.original_contact_id),
    acceptance.contact ?? acceptance.lead.original_contact,
  );
  const account = makeAccountWrite(ctx, acceptance, embedded, computeContactName(acceptance, embeddedPerson));
  const contact = makeContactWrite(ctx, acceptance, account, embeddedPerson);
  const account_team = acceptance.account ? acceptance.account.account_team : acceptance.team;
  return {
    account: { ...account.account, account_team },
    contact: { ...contact.contact, contact_team: account_team },
    statements: [...account.statements, ...contact.statements],
    events: [account.event, contact.event],
  };
}

function makeAccountWrite(
  ctx: Context,
  { account, copied, lead, team, user }: Acceptance,
  embedded: EmbeddedAccount | null,
  contact_name: string | null,
): AccountWrite {
  const before = account ?? copied;
  const values = { ...embedded?.fixed };
  if (before?.b2c === 0 && values.name === null) delete values.name;
  if (account) {
    const custom = mergeCustomValues(ctx, "account", account, embedded);
    return changeAccount(ctx, toRow(account), values, { contact_name }, custom);
  }
  const { row } = lead;
  return makeAccount(ctx, {
    company_id: row.company_id,
    team_id: team.id,
    user_id: user.id,
    user_name: user.name,
    b2c: row.b2c === 1,
    // The account of another team is copied, not changed.
    values: { ...(copied && pickFixed<AccountFieldName>(copied, accountFields)), ...values },
    custom: mergeCustomValues(ctx, "account", copied, embedded),
    contact_name,
    lead: { lead_type_id: row.lead_type_id, lead_source: row.lead_source },
  });
}

function makeContactWrite(
  ctx: Context,
  { contact, lead, open_case, user }: Acceptance,
  { account }: AccountWrite,
  embedded: EmbeddedContact | null,
): ContactWrite {
  const values = embedded?.fixed ?? {};
  // The lead brought the consents: what their address has refused since stays refused.
  const consent = embedded && { ...embedded.consent, agreed_at: lead.row.created_at };
  // The contact gets the new case or has the open one; an open case of another contact does not count.
  const has_case = open_case === null || open_case.contact_id === contact?.id;
  if (contact) {
    const status = has_case ? chooseContactStatus(contact.status, "open") : contact.status;
    const { contact_team: _, ...before } = contact;
    const custom = mergeCustomValues(ctx, "contact", contact, embedded);
    return changeContact(
      ctx,
      before,
      values,
      { status, account_name: account.name },
      consent,
      custom,
    );
  }
  const original = lead.original_contact;
  return makeContact(ctx, {
    account,
    user_id: user.id,
    user_name: user.name,
    values: { ...(original && pickFixed<ContactFieldName>(original, contactFields)), ...values },
    custom: mergeCustomValues(ctx, "contact", original, embedded),
    consent,
    status: has_case ? "opportunity" : "lead",
    lead: { lead_type_id: lead.row.lead_type_id, lead_source: lead.row.lead_source },
  });
}

/**
 * Returns the embedded data to merge into a record. Empty values clear values only of the record that the
 * lead itself names; another record keeps its values.
 */
function pickEmbedded<Embedded extends EmbeddedAccount | EmbeddedContact>(
  embedded: Embedded | null,
  into: { readonly id: string } | null,
  originalId: string | null,
): Embedded | null {
  if (embedded === null || into === null || into.id === originalId) return embedded;
  const dropNulls = (values: object) =>
    Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
  return { ...embedded, fixed: dropNulls(embedded.fixed), custom: dropNulls(embedded.custom ?? {}) };
}

/** A contact keeps its name and e-mail address when the merged data would leave it without both. */
function withName(embedded: EmbeddedContact | null, before: ContactValues | null): EmbeddedContact | null {
  const { first_name, last_name, email } = { ...before, ...embedded?.fixed };
  if (embedded === null || first_name || last_name || email) return embedded;
  const { first_name: _first, last_name: _last, email: _email, ...others } = embedded.fixed;
  return { ...embedded, fixed: others };
}

/**
 * Returns the name of the contact after the acceptance. A consumer's account without a name of its own shows
 * it.
 */
function computeContactName(
  { account, contact, lead }: Acceptance,
  embedded: EmbeddedContact | null,
): string | null {
  const b2c = account ? account.b2c : lead.row.b2c;
  if (b2c === 0) return null;
  return composeContactName({
    first_name: null,
    last_name: null,
    ...(contact ?? lead.original_contact),
    ...embedded?.fixed,
  });
}

/**
 * Returns the custom values of a record after the acceptance. Leaves out values of fields deleted since the
 * lead was created.
 */
function mergeCustomValues(
  ctx: Context,
  kind: "account" | "contact",
  record: { readonly custom: string } | null,
  embedded: { readonly custom?: GivenValues } | null,
): CustomValues {
  const fields = ctx.fields.all[kind];
  const given = Object.entries(embedded?.custom ?? {}).filter(([id]) =>
    fields.custom.some((field) => field.id === id)
  );
  return mergeCustom(JSON.parse(record?.custom ?? "{}"), Object.fromEntries(given), fields, () => "", []);
}

function toRow({ account_team: _, ...account }: CaseAccount) {
  return account;
}

/** The values of a record's fixed fields. */
function pickFixed<Name extends string>(
  record: Readonly<Record<Name, string | null>>,
  fields: readonly { readonly name: string }[],
): Partial<Record<Name, string | null>> {
  return Object.fromEntries(fields.map(({ name }) => [name, record[name as Name]])) as Record<
    Name,
    string | null
  >;
}
