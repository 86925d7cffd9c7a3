/** The records of a merge that stay, before and after it. */
import { type FieldError, invalid } from "../../core/errors.ts";
import type { AccountFacts } from "../../customers/accounts/present.ts";
import { type AccountWrite, changeAccount } from "../../customers/accounts/write.ts";
import { composeContactName, type ContactFacts } from "../../customers/contacts/present.ts";
import { changeContact, checkNamed, type ContactWrite } from "../../customers/contacts/write.ts";
import type { FieldAuthor } from "../../db/commit.ts";
import type { FollowedCustomers } from "./follow.ts";
import type { Pair } from "./pair.ts";
import type { MergedType } from "./table.ts";
import { joinColumns, mergeFields, type Take } from "./take.ts";

/** The records that stay, after the merge. */
export interface Merged {
  readonly account: AccountWrite | null;
  readonly contact: ContactWrite | null;
  readonly customers: FollowedCustomers;
}

/** Throws 422 when a contact would have no name. `moving`: the contacts of the account that goes. */
export function mergeRecords(
  author: FieldAuthor,
  type: MergedType,
  pair: Pair,
  take: Take,
  moving: readonly ContactFacts[],
): Merged {
  const chooseTake = (kind: MergedType) => kind === type ? take : {};
  const errors: FieldError[] = [];
  const contactFields = pair.contacts &&
    mergeFields("contact", author.fields, pair.contacts.of, pair.contacts.other, chooseTake("contact"));
  const names = pair.contacts && { ...pair.contacts.of, ...contactFields!.fixed };
  let account: AccountWrite | null = null;
  if (pair.accounts) {
    const { of, other } = pair.accounts;
    const { fixed, own, custom } = mergeFields("account", author.fields, of, other, chooseTake("account"));
    const person = names ?? moving[0];
    const contact_name = of.b2c === 0 ? null : person ? composeContactName(person) : of.contact_name;
    account = changeAccount(author, of, fixed, { ...own as Partial<AccountFacts>, contact_name }, custom);
  }
  let contact: ContactWrite | null = null;
  if (pair.contacts) {
    const { of, other } = pair.contacts;
    const { fixed, own, custom } = contactFields!;
    checkNamed({ ...of, ...fixed }, "", errors);
    if (errors.length > 0) throw invalid(...errors);
    const home = account && { account_name: account.account.name, team_id: account.account.team_id };
    contact = changeContact(
      author,
      of,
      fixed,
      { ...own, ...joinColumns(of, other), ...home },
      undefined,
      custom,
    );
  }
  return { account, contact, customers: gatherCustomers(pair, account?.account, contact?.contact) };
}

/** The records that stay, before the merge. */
export function customersBefore(pair: Pair): FollowedCustomers {
  return gatherCustomers(pair, pair.accounts?.of, pair.contacts?.of);
}

function gatherCustomers(pair: Pair, account?: AccountFacts, contact?: ContactFacts): FollowedCustomers {
  const getTeam = (id: number | null) => id === null ? null : pair.teams.get(id) ?? null;
  return {
    accounts: new Map(account ? [[account.id, { ...account, account_team: getTeam(account.team_id) }]] : []),
    contacts: new Map(contact ? [[contact.id, { ...contact, contact_team: getTeam(contact.team_id) }]] : []),
  };
}
