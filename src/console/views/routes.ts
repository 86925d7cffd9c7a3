import type { Contribution } from "../../customers/filter_catalogue.ts";
import {
  changeView,
  createView,
  deleteView,
  type ReadContent,
} from "../../customers/saved_filters/change_view.ts";
import { getView, listViews, viewList } from "../../customers/saved_filters/view_queries.ts";
import {
  presentViewRow,
  View,
  ViewBody,
  ViewChange,
  ViewListQuery,
  ViewPage,
} from "../../customers/saved_filters/view_schema.ts";
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { page, parsePaging } from "../../http/lists.ts";
import { readContent } from "./content.ts";

const tag = "Console";
const one = { view_id: "uuid" } as const;
const writers =
  "A private view for its maker; a shared one for users and team admins in their own teams, group " +
  "admins in their groups and these groups' teams, and admins.";

/** `contributions`: filter fields of records related to accounts and contacts. */
export function declareViewEndpoints(contributions: readonly Contribution[]): Endpoint[] {
  return makeEndpoints((ctx, given) => readContent(ctx, given, contributions));
}

const makeEndpoints = (checked: ReadContent): Endpoint[] => [
  endpoint({
    method: "get",
    path: "/v1/views",
    operation: "listViews",
    tag,
    summary: "List views",
    description: "By position. Saved filters of accounts and contacts are among them.",
    query: ViewListQuery,
    answers: { 200: { description: "A page of the caller's own and of shared views.", schema: ViewPage } },
  }, async (ctx, { query, url }) => {
    const paging = parsePaging(query, viewList);
    const { rows, total } = await listViews(ctx, query.entity, paging);
    return page({ url, ctx }, paging, rows, total, presentViewRow);
  }),
  endpoint({
    method: "post",
    path: "/v1/views",
    operation: "createView",
    tag,
    summary: "Save a view",
    description:
      "Private, unless `team_id`, `group_id` or `scope` shares it. Admins share with the company. One " +
      "of accounts or contacts with a filter is also a saved filter.",
    body: ViewBody,
    answers: { 201: { description: "The view.", schema: View } },
  }, (ctx, { body }) => createView(ctx, body, checked)),
  endpoint({
    method: "get",
    path: "/v1/views/:view_id",
    operation: "getView",
    tag,
    summary: "Get a view",
    params: one,
    answers: { 200: { description: "The view.", schema: View } },
  }, (ctx, { params }) => getView(ctx, params.view_id)),
  endpoint({
    method: "put",
    path: "/v1/views/:view_id",
    operation: "changeView",
    tag,
    summary: "Change a view",
    description: writers,
    params: one,
    body: ViewChange,
    answers: { 200: { description: "The changed view.", schema: View } },
  }, (ctx, { params, body }) => changeView(ctx, params.view_id, body, checked)),
  endpoint({
    method: "delete",
    path: "/v1/views/:view_id",
    operation: "deleteView",
    tag,
    summary: "Delete a view",
    description: writers,
    params: one,
    answers: { 204: { description: "The view is deleted.", schema: null } },
  }, (ctx, { params }) => deleteView(ctx, params.view_id)),
];
