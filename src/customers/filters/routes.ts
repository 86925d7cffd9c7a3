import type { Answer } from "../../core/answer.ts";
import { ok } from "../../core/answer.ts";
import type { Context } from "../../db/context.ts";
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { type ListQuery, page, pagingOf } from "../../http/lists.ts";
import { asAccount, presentAccount } from "../accounts/present.ts";
import { accountSorts, listAccounts } from "../accounts/queries.ts";
import { AccountPage } from "../accounts/schema.ts";
import { asContact, presentContact } from "../contacts/present.ts";
import { contactSorts, listContacts } from "../contacts/queries.ts";
import { ContactPage } from "../contacts/schema.ts";
import type { Contribution } from "./catalogue.ts";
import { type Filtering, readFilter, type Running, running } from "./run.ts";
import {
  filterSorts,
  listSavedFilters,
  presentFilterEntry,
  presentSavedFilter,
  readSavedFilter,
} from "./saved.ts";
import {
  FilterBody,
  FilterQuery,
  SavedFilter,
  SavedFilterBody,
  SavedFilterChange,
  SavedFilterPage,
  SavedFilterQuery,
} from "./schema.ts";
import type { SavedFilterRow } from "./table.ts";
import { createSavedFilter, deleteSavedFilter, updateSavedFilter } from "./verbs.ts";

const tag = "Filters";

/** Of both kinds of records; `contributions` are the fields of what hangs on them. */
export function filterEndpoints(contributions: readonly Contribution[]): Endpoint[] {
  return [
    endpoint({
      method: "post",
      path: "/v1/accounts/filter",
      operation: "filterAccounts",
      tag,
      summary: "List the accounts that a filter selects",
      query: FilterQuery,
      body: FilterBody,
      reads: true,
      answers: { 200: { description: "The accounts that the caller sees.", schema: AccountPage } },
    }, async (ctx, { query, body, url }) => {
      const filtering: Filtering = { kind: "account", contributions };
      const filter = running(ctx, filtering, readFilter(ctx, filtering, body.filter));
      return await accountsOf(ctx, filter, query, url);
    }),
    endpoint({
      method: "post",
      path: "/v1/contacts/filter",
      operation: "filterContacts",
      tag,
      summary: "List the contacts that a filter selects",
      query: FilterQuery,
      body: FilterBody,
      reads: true,
      answers: { 200: { description: "The contacts that the caller sees.", schema: ContactPage } },
    }, async (ctx, { query, body, url }) => {
      const filtering: Filtering = { kind: "contact", contributions };
      const filter = running(ctx, filtering, readFilter(ctx, filtering, body.filter));
      return await contactsOf(ctx, filter, query, url);
    }),
    ...savedEndpoints({ kind: "account", contributions }, "Account"),
    ...savedEndpoints({ kind: "contact", contributions }, "Contact"),
  ];
}

function savedEndpoints(filtering: Filtering, name: "Account" | "Contact"): Endpoint[] {
  const { kind } = filtering;
  const path = `/v1/${kind}s/filters`;
  const params = { filter_id: "uuid" } as const;
  return [
    endpoint({
      method: "get",
      path,
      operation: `list${name}Filters`,
      tag,
      summary: `List the saved filters of ${kind}s`,
      query: SavedFilterQuery,
      answers: { 200: { description: "The saved filters, without the filters.", schema: SavedFilterPage } },
    }, async (ctx, { query, url }) => {
      const paging = pagingOf(query, filterSorts, "-created_at");
      const { rows, total } = await listSavedFilters(ctx, kind, paging);
      const present = (row: unknown) => presentFilterEntry(row as SavedFilterRow);
      return page({ url, origin: ctx.origin }, paging, rows, total, present);
    }),
    endpoint({
      method: "post",
      path,
      operation: `create${name}Filter`,
      tag,
      summary: `Save a filter of ${kind}s`,
      body: SavedFilterBody,
      answers: { 201: { description: "The saved filter.", schema: SavedFilter } },
    }, (ctx, { body }) => createSavedFilter(ctx, filtering, body)),
    endpoint({
      method: "get",
      path: `${path}/:filter_id`,
      operation: `get${name}Filter`,
      tag,
      summary: `Get a saved filter of ${kind}s`,
      params,
      answers: { 200: { description: "The saved filter.", schema: SavedFilter } },
    }, async (ctx, { params }) => ok(presentSavedFilter(await readSavedFilter(ctx, kind, params.filter_id)))),
    endpoint({
      method: "put",
      path: `${path}/:filter_id`,
      operation: `update${name}Filter`,
      tag,
      summary: `Change a saved filter of ${kind}s`,
      params,
      body: SavedFilterChange,
      answers: { 200: { description: "The saved filter as it is now.", schema: SavedFilter } },
    }, (ctx, { params, body }) => updateSavedFilter(ctx, filtering, params.filter_id, body)),
    endpoint({
      method: "delete",
      path: `${path}/:filter_id`,
      operation: `delete${name}Filter`,
      tag,
      summary: `Delete a saved filter of ${kind}s`,
      params,
      answers: { 204: { description: "The filter is gone.", schema: null } },
    }, (ctx, { params }) => deleteSavedFilter(ctx, filtering, params.filter_id)),
  ];
}

async function accountsOf(ctx: Context, filter: Running, query: ListQuery, url: string): Promise<Answer> {
  const paging = pagingOf(query, accountSorts, "-last_activity_at");
  const { rows, total } = await listAccounts(ctx, {}, paging, filter);
  const present = (row: typeof rows[number]) => presentAccount(asAccount(row), ctx.fields.seen);
  return { ...page({ url, origin: ctx.origin }, paging, rows, total, present), headers: filter.headers };
}

async function contactsOf(ctx: Context, filter: Running, query: ListQuery, url: string): Promise<Answer> {
  const paging = pagingOf(query, contactSorts, "-last_activity_at");
  const { rows, total } = await listContacts(ctx, {}, paging, filter);
  const present = (row: typeof rows[number]) => presentContact(asContact(row), ctx.fields.seen);
  return { ...page({ url, origin: ctx.origin }, paging, rows, total, present), headers: filter.headers };
}
