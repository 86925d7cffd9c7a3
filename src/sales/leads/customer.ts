/** The account and the contact of an accepted lead: made, or changed by what the lead carries. */
import type { CustomValues } from "../../core/fields.ts";
import type { Context } from "../../db/context.ts";
import { type GivenValues, mergeCustom } from "../../http/field_values.ts";
import type { EventDraft } from "../../db/outbox.ts";
import type { Statement } from "../../platform/database/database.ts";
import { type AccountWrite, changedAccount, newAccount } from "../../customers/accounts/write.ts";
import { contactName } from "../../customers/contacts/present.ts";
import { changedContact, type ContactWrite, newContact } from "../../customers/contacts/write.ts";
import {
  type AccountFieldName,
  accountFields,
  type ContactFieldName,
  contactFields,
} from "../../core/fixed_fields.ts";
import { contactStatus } from "../cases/lifecycle.ts";
import type { CaseAccount, CaseContact } from "../cases/record.ts";
import type { Acceptance } from "./acceptance.ts";
import { type CarriedAccount, carriedAccount, type CarriedContact, carriedContact } from "./record.ts";

export interface Customer {
  readonly account: CaseAccount;
  readonly contact: CaseContact;
  readonly statements: readonly Statement[];
  readonly events: readonly EventDraft[];
}

export function customerOf(ctx: Context, acceptance: Acceptance): Customer {
  const { row } = acceptance.lead;
  const carried = { account: carriedAccount(row), contact: carriedContact(row) };
  const name = shownName(acceptance, carried.contact);
  const account = accountWrite(ctx, acceptance, carried.account, name);
  const contact = contactWrite(ctx, acceptance, account, carried.contact);
  return {
    account: { ...account.account, account_team: acceptance.account?.account_team ?? acceptance.team },
    contact: { ...contact.contact, contact_team: acceptance.account?.account_team ?? acceptance.team },
    statements: [...account.statements, ...contact.statements],
    events: [account.event, contact.event],
  };
}

function accountWrite(
  ctx: Context,
  { account, lead, team, user }: Acceptance,
  carried: CarriedAccount | null,
  contact_name: string | null,
): AccountWrite {
  const values = carried?.fixed ?? {};
  if (account) {
    const custom = customOf(ctx, "account", account, carried);
    return changedAccount(ctx, asRow(account), values, { contact_name }, custom);
  }
  const { row, original_account: original } = lead;
  return newAccount(ctx, {
    company_id: row.company_id,
    team_id: team.id,
    user_id: user.id,
    user_name: user.name,
    b2c: row.b2c === 1,
    external_id: null,
    // An account of others is copied, not touched.
    values: { ...(original && picked<AccountFieldName>(original, accountFields)), ...values },
    custom: customOf(ctx, "account", original, carried),
    contact_name,
    lead: { lead_type_id: row.lead_type_id, lead_source: row.lead_source },
  });
}

function contactWrite(
  ctx: Context,
  { contact, lead, open_case, user }: Acceptance,
  { account }: AccountWrite,
  carried: CarriedContact | null,
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

/** The name of the contact as it will be, which a consumer's account without one shows. */
function shownName({ account, contact, lead }: Acceptance, carried: CarriedContact | null): string | null {
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
  return mergeCustom(JSON.parse(record?.custom ?? "{}"), Object.fromEntries(given), fields, "", []);
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
