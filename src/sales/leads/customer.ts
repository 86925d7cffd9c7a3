/** The account and the contact of an accepted lead: made, or changed by what the lead carries. */
import type { CustomValues } from "../../core/fields.ts";
import type { Context } from "../../db/context.ts";
import { type GivenValues, mergeCustom } from "../../http/field_values.ts";
import type { EventDraft } from "../../db/outbox.ts";
import type { Statement } from "../../platform/database/database.ts";
import { type AccountWrite, changedAccount, newAccount } from "../../customers/accounts/write.ts";
import { contactName } from "../../customers/contacts/present.ts";
import {
  changedContact,
  type ContactValues,
  type ContactWrite,
  newContact,
} from "../../customers/contacts/write.ts";
import {
  type AccountFieldName,
  accountFields,
  type ContactFieldName,
  contactFields,
} from "../../core/fixed_fields.ts";
import { contactStatus } from "../cases/lifecycle.ts";
import type { CaseAccount, CaseContact } from "../cases/record.ts";
import type { Acceptance } from "./acceptance.ts";
import { type EmbeddedAccount, embeddedAccount, type EmbeddedContact, embeddedContact } from "./record.ts";

export interface Customer {
  readonly account: CaseAccount;
  readonly contact: CaseContact;
  readonly statements: readonly Statement[];
  readonly events: readonly EventDraft[];
}

export function customerOf(ctx: Context, acceptance: Acceptance): Customer {
  const { row } = acceptance.lead;
  const carried = forRecord(embeddedAccount(row), acceptance.account, row.original_account_id);
  const carriedPerson = leftNamed(
    forRecord(embeddedContact(row), acceptance.contact, row.original_contact_id),
    acceptance.contact ?? acceptance.lead.original_contact,
  );
  const account = accountWrite(ctx, acceptance, carried, contactNameAfter(acceptance, carriedPerson));
  const contact = contactWrite(ctx, acceptance, account, carriedPerson);
  const account_team = acceptance.account ? acceptance.account.account_team : acceptance.team;
  return {
    account: { ...account.account, account_team },
    contact: { ...contact.contact, contact_team: account_team },
    statements: [...account.statements, ...contact.statements],
    events: [account.event, contact.event],
  };
}

function accountWrite(
  ctx: Context,
  { account, copied, lead, team, user }: Acceptance,
  carried: EmbeddedAccount | null,
  contact_name: string | null,
): AccountWrite {
  const before = account ?? copied;
  const values = { ...carried?.fixed };
  if (before?.b2c === 0 && values.name === null) delete values.name;
  if (account) {
    const custom = customOf(ctx, "account", account, carried);
    return changedAccount(ctx, asRow(account), values, { contact_name }, custom);
  }
  const { row } = lead;
  return newAccount(ctx, {
    company_id: row.company_id,
    team_id: team.id,
    user_id: user.id,
    user_name: user.name,
    b2c: row.b2c === 1,
    external_id: null,
    // An account of others is copied, not touched.
    values: { ...(copied && picked<AccountFieldName>(copied, accountFields)), ...values },
    custom: customOf(ctx, "account", copied, carried),
    contact_name,
    lead: { lead_type_id: row.lead_type_id, lead_source: row.lead_source },
  });
}

function contactWrite(
  ctx: Context,
  { contact, lead, open_case, user }: Acceptance,
  { account }: AccountWrite,
  carried: EmbeddedContact | null,
): ContactWrite {
  const values = carried?.fixed ?? {};
  // It gets the new case, or has the open one already; an open case of a colleague's is not its own.
  const has_case = open_case === null || open_case.contact_id === contact?.id;
  if (contact) {
    const status = has_case ? contactStatus(contact.status, "open") : contact.status;
    const { contact_team: _, ...before } = contact;
    const custom = customOf(ctx, "contact", contact, carried);
    return changedContact(
      ctx,
      before,
      values,
      { status, account_name: account.name },
      carried?.consent,
      custom,
    );
  }
  const original = lead.original_contact;
  return newContact(ctx, {
    account,
    user_id: user.id,
    user_name: user.name,
    external_id: null,
    values: { ...(original && picked<ContactFieldName>(original, contactFields)), ...values },
    custom: customOf(ctx, "contact", original, carried),
    consent: carried?.consent,
    status: has_case ? "opportunity" : "lead",
  });
}

/**
 * What a lead carries, for the record that it is merged into. Only the record that it named itself loses what
 * the lead carries as empty: of another that is chosen for it, it says nothing.
 */
function forRecord<Carried extends EmbeddedAccount | EmbeddedContact>(
  carried: Carried | null,
  into: { readonly id: string } | null,
  named: string | null,
): Carried | null {
  if (carried === null || into === null || into.id === named) return carried;
  const filled = (values: object) =>
    Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
  return { ...carried, fixed: filled(carried.fixed), custom: filled(carried.custom ?? {}) };
}

/** The record may have changed since the lead came: whatever that says, a contact keeps a name or an address. */
function leftNamed(carried: EmbeddedContact | null, before: ContactValues | null): EmbeddedContact | null {
  const { first_name, last_name, email } = { ...before, ...carried?.fixed };
  if (carried === null || first_name || last_name || email) return carried;
  const { first_name: _first, last_name: _last, email: _email, ...others } = carried.fixed;
  return { ...carried, fixed: others };
}

/** The name of the contact as it will be, which a consumer's account without one shows. */
function contactNameAfter(
  { account, contact, lead }: Acceptance,
  carried: EmbeddedContact | null,
): string | null {
  const b2c = account ? account.b2c : lead.row.b2c;
  if (b2c === 0) return null;
  return contactName({
    first_name: null,
    last_name: null,
    ...(contact ?? lead.original_contact),
    ...carried?.fixed,
  });
}

/** The custom values of a record as they will be; what was defined away since the lead came is left out. */
function customOf(
  ctx: Context,
  kind: "account" | "contact",
  record: { readonly custom: string } | null,
  carried: { readonly custom?: GivenValues } | null,
): CustomValues {
  const fields = ctx.fields.all[kind];
  const given = Object.entries(carried?.custom ?? {}).filter(([id]) =>
    fields.custom.some((field) => field.id === id)
  );
  return mergeCustom(JSON.parse(record?.custom ?? "{}"), Object.fromEntries(given), fields, () => "", []);
}

function asRow({ account_team: _, ...account }: CaseAccount) {
  return account;
}

/** The values of the fixed fields that a record has. */
function picked<Name extends string>(
  record: Readonly<Record<Name, string | null>>,
  fields: readonly { readonly name: string }[],
): Partial<Record<Name, string | null>> {
  return Object.fromEntries(fields.map(({ name }) => [name, record[name as Name]])) as Record<
    Name,
    string | null
  >;
}
