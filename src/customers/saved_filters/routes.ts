import { ok } from "../../core/answer.ts";
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { page, parsePaging } from "../../http/lists.ts";
import { createSavedFilter } from "./create.ts";
import { deleteSavedFilter } from "./delete.ts";
import type { Contribution, Filtering } from "../filter_catalogue.ts";
import {
  listSavedFilters,
  presentFilterEntry,
  presentSavedFilter,
  readSavedFilter,
  savedFilterList,
} from "./queries.ts";
import {
  SavedFilter,
  SavedFilterBody,
  SavedFilterChange,
  SavedFilterPage,
  SavedFilterQuery,
} from "./schema.ts";
import type { SavedFilterRow } from "./table.ts";
import { updateSavedFilter } from "./update.ts";

const tag = "Filters";

/** Saved filters of both kinds of records; `contributions` are filter fields of related records. */
export function declareSavedFilterEndpoints(contributions: readonly Contribution[]): Endpoint[] {
  const account: Filtering = { kind: "account", contributions };
  const contact: Filtering = { kind: "contact", contributions };
  return [
    ...declareEndpointsOfKind(account, "Account", "/v1/accounts/filters", "/v1/accounts/filters/:filter_id"),
    ...declareEndpointsOfKind(contact, "Contact", "/v1/contacts/filters", "/v1/contacts/filters/:filter_id"),
  ];
}

type Name = "Account" | "Contact";

function declareEndpointsOfKind(filtering: Filtering, name: Name, path: string, one: string): Endpoint[] {
  const { kind } = filtering;
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
      const paging = parsePaging(query, savedFilterList);
      const { rows, total } = await listSavedFilters(ctx, kind, paging);
      const present = (row: unknown) => presentFilterEntry(row as SavedFilterRow);
      return page({ url, ctx }, paging, rows, total, present);
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
      path: one,
      operation: `get${name}Filter`,
      tag,
      summary: `Get a saved filter of ${kind}s`,
      params,
      answers: { 200: { description: "The saved filter.", schema: SavedFilter } },
    }, async (ctx, { params }) => ok(presentSavedFilter(await readSavedFilter(ctx, kind, params.filter_id)))),
    endpoint({
      method: "put",
      path: one,
      operation: `update${name}Filter`,
      tag,
      summary: `Change a saved filter of ${kind}s`,
      params,
      body: SavedFilterChange,
      answers: { 200: { description: "The updated filter.", schema: SavedFilter } },
    }, (ctx, { params, body }) => updateSavedFilter(ctx, filtering, params.filter_id, body)),
    endpoint({
      method: "delete",
      path: one,
      operation: `delete${name}Filter`,
      tag,
      summary: `Delete a saved filter of ${kind}s`,
      params,
      answers: { 204: { description: "The filter is deleted.", schema: null } },
    }, (ctx, { params }) => deleteSavedFilter(ctx, filtering, params.filter_id)),
  ];
}
