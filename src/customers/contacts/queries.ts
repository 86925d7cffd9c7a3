/** Reads of contacts. */
import type { Fields } from "../../fields/field_sets.ts";
import { seesTeam } from "../../core/access.ts";
import { notFound } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { type List, type ListPage, readList } from "../../lists/list.ts";
import type { Paging } from "../../lists/paging.ts";
import { intersectSelections, type Selection } from "../../lists/selection.ts";
import { makeOwnerScope, makeTeamScope } from "../../db/scope.ts";
import { type Sql, sql } from "../../db/statements.ts";
import type { Result, Row, Statement } from "../../platform/database/database.ts";
import { requireAccount, selectAccountById } from "../accounts/queries.ts";
import { isNotBeingDeleted } from "../accounts/being_deleted.ts";
import { contactRows } from "./filter_fields.ts";
import { type ListConditions, listConditions } from "../list.ts";
import {
  contactColumns,
  type ContactFacts,
  contactJoins,
  presentContact,
  readContactRow,
  readShownContact,
  shownContactColumns,
} from "./present.ts";

export const contactList: List = {
  table: "contacts",
  alias: "contact",
  columns: shownContactColumns,
  joins: contactJoins,
  sorts: {
    last_activity_at: "last_activity_at",
    created_at: "created_at",
    updated_at: "updated_at",
    last_name: "last_name_key",
  },
  order: "-last_activity_at",
  indexes: contactRows.indexes,
  isCounted: true,
};

export const contactListing = {
  list: contactList,
  present: (row: Row, fields: Fields) => presentContact(readShownContact(row), fields),
};

export type ContactConditions = ListConditions;

/**
 * Returns one page of the contacts that the caller sees, and their number. `filter` is over the alias
 * `contact`; `query` adds conditions.
 */
export function listContacts(
  ctx: Context,
  paging: Paging,
  filter: Selection,
  query?: ContactConditions,
): Promise<ListPage> {
  return readList(ctx, contactList, {
    scope: makeTeamScope(ctx.caller),
    paging,
    selection: query ? intersectSelections(filter, listConditions(ctx, "contacts_search", query)) : filter,
    isThreaded: filter.conditions.length > 0 || query?.search !== undefined,
  });
}

/** One page of an account's contacts; 404 when the caller does not see the account. */
export async function listAccountContacts(
  ctx: Context,
  accountId: string,
  query: ContactConditions,
  paging: Paging,
): Promise<ListPage> {
  const found = await readList(ctx, contactList, {
    scope: makeOwnerScope(ctx.caller, "account_id", accountId),
    paging,
    selection: listConditions(ctx, "contacts_search", query),
    totals: [sql`select contact_count as n from accounts where id = ${accountId}`],
    extraReads: [selectAccountById(ctx.caller.companyId, accountId)],
  });
  requireAccount(ctx, found.extraResults[0]!);
  return found;
}

const hasAccount = isNotBeingDeleted(sql`contact.account_id`);

/** Selects the contact for `requireContact` and `readVisibleContact`. */
export function selectContactById(companyId: number, id: string | null): Statement {
  return selectContactWhere(sql`contact.company_id = ${companyId} and contact.id = ${id} and ${hasAccount}`);
}

/** Selects the contact that has the external id, for `readVisibleContact`. */
export function selectContactByExternalId(companyId: number, externalId: string): Statement {
  return selectContactWhere(sql`contact.company_id = ${companyId} and contact.external_id = ${externalId}`);
}

/** Returns the contact; null when it does not exist or the caller does not see it. */
export function readVisibleContact(ctx: Pick<Context, "caller">, result: Result): ContactFacts | null {
  const row = result.rows[0];
  return row && seesTeam(ctx.caller, readContactRow(row).team_id) ? readContactRow(row) : null;
}

/**
 * Returns the contact; 404 when it does not exist, belongs to another account, or the caller does not see it.
 */
export function requireContact(ctx: Context, result: Result, accountId: string | null = null): ContactFacts {
  const contact = readVisibleContact(ctx, result);
  if (!contact || (accountId !== null && contact.account_id !== accountId)) throw notFound();
  return contact;
}

export async function readContact(
  ctx: Context,
  id: string,
  accountId: string | null = null,
): Promise<ContactFacts> {
  const [result] = await ctx.deps.db.read([selectContactById(ctx.caller.companyId, id)]);
  return requireContact(ctx, result!, accountId);
}

/** Finds the contact that has an external id. */
export function selectIdOfContact(companyId: number, externalId: string | null | undefined): Statement {
  return sql`select id from contacts where company_id = ${companyId} and external_id = ${externalId ?? null}`;
}

/** SQL: the ids of the contacts of an account. */
export function selectContactsOfAccount(accountId: string): Sql {
  return sql`select id from contacts where account_id = ${accountId}`;
}

/** The contacts of the ids (a select); read with `readContactRow`. */
export function selectContactsAmong(ids: Sql): Statement {
  return selectContactWhere(sql`contact.id in (${ids})`);
}

function selectContactWhere(condition: Sql): Statement {
  return sql`select ${contactColumns} from contacts contact ${contactJoins} where ${condition}`;
}
