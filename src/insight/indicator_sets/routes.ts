import { CustomerImpact } from "../../customers/deletion/schema.ts";
import type { Blocker } from "../../db/blockers.ts";
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { page, parsePaging } from "../../http/lists.ts";
import { createIndicatorSet } from "./create.ts";
import { deleteIndicatorSet, getSetImpact } from "./delete.ts";
import { getIndicatorSet, indicatorSetList, listIndicatorSets } from "./queries.ts";
import {
  IndicatorSet,
  IndicatorSetBody,
  IndicatorSetChange,
  type IndicatorSetRow,
  presentSet,
} from "./record.ts";
import { IndicatorSetListQuery, IndicatorSetPage, setsOnPage } from "./schema.ts";
import { updateIndicatorSet } from "./update.ts";

const tag = "Indicator sets";
const right = "reports.view" as const;
const one = { indicator_set_id: "uuid" } as const;
const writers =
  "A private set for its maker; a shared one for users and team admins in their own teams, group " +
  "admins in their groups and these groups' teams, and admins.";

/** `blockers`: the records that refer to indicator sets. */
export const declareIndicatorSetEndpoints = (blockers: readonly Blocker[]): Endpoint[] => [
  endpoint({
    method: "get",
    path: "/v1/reports/indicator-sets",
    operation: "listIndicatorSets",
    tag,
    summary: "List indicator sets",
    right,
    query: IndicatorSetListQuery,
    answers: {
      200: { description: "A page of the caller's own and of shared sets.", schema: IndicatorSetPage },
    },
  }, async (ctx, { query, url }) => {
    const paging = parsePaging(query, indicatorSetList, setsOnPage);
    const { rows, total } = await listIndicatorSets(ctx, query, paging);
    const present = (row: typeof rows[number]) => presentSet(row as IndicatorSetRow & typeof row);
    return page({ url, ctx }, paging, rows, total, present);
  }),
  endpoint({
    method: "post",
    path: "/v1/reports/indicator-sets",
    operation: "createIndicatorSet",
    tag,
    summary: "Create an indicator set",
    description: "Private, unless `team_id`, `group_id` or `scope` shares it. Admins share with the company.",
    right,
    body: IndicatorSetBody,
    answers: { 200: { description: "The new set.", schema: IndicatorSet } },
  }, (ctx, { body }) => createIndicatorSet(ctx, body)),
  endpoint({
    method: "get",
    path: "/v1/reports/indicator-sets/:indicator_set_id",
    operation: "getIndicatorSet",
    tag,
    summary: "Get an indicator set",
    right,
    params: one,
    answers: { 200: { description: "The set.", schema: IndicatorSet } },
  }, (ctx, { params }) => getIndicatorSet(ctx, params.indicator_set_id)),
  endpoint({
    method: "put",
    path: "/v1/reports/indicator-sets/:indicator_set_id",
    operation: "updateIndicatorSet",
    tag,
    summary: "Change an indicator set",
    description: `${writers} Scheduled reports follow the change.`,
    right,
    params: one,
    body: IndicatorSetChange,
    answers: { 200: { description: "The changed set.", schema: IndicatorSet } },
  }, (ctx, { params, body }) => updateIndicatorSet(ctx, params.indicator_set_id, body)),
  endpoint({
    method: "get",
    path: "/v1/reports/indicator-sets/:indicator_set_id/delete-impact",
    operation: "getIndicatorSetDeleteImpact",
    tag,
    summary: "Get the impact of deleting an indicator set",
    description: writers,
    right,
    params: one,
    answers: { 200: { description: "The scheduled reports that prevent it.", schema: CustomerImpact } },
  }, (ctx, { params }) => getSetImpact(ctx, blockers, params.indicator_set_id)),
  endpoint({
    method: "delete",
    path: "/v1/reports/indicator-sets/:indicator_set_id",
    operation: "deleteIndicatorSet",
    tag,
    summary: "Delete an indicator set",
    description: `${writers} Not while a scheduled report uses it.`,
    right,
    params: one,
    conflicts: ["delete_blocked"],
    answers: { 204: { description: "The set is deleted.", schema: null } },
  }, (ctx, { params }) => deleteIndicatorSet(ctx, blockers, params.indicator_set_id)),
];
