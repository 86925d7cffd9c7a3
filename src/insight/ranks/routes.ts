import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { page, parsePaging } from "../../http/lists.ts";
import { createRank } from "./create.ts";
import { deleteRank } from "./delete.ts";
import { getRank, getScores, listRanks, rankList } from "./queries.ts";
import { FullRank, presentRank, RankBody, RankChange, type RankRow } from "./record.ts";
import { RankListQuery, RankPage, RankScores } from "./schema.ts";
import { updateRank } from "./update.ts";

const tag = "Gamification";
const one = { rank_id: "uuid" } as const;
const writers =
  "For team admins in their own teams, group admins in these and in their groups' teams, and admins.";

export const rankEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "get",
    path: "/v1/gamification/ranks",
    operation: "listRanks",
    tag,
    summary: "List ranks",
    query: RankListQuery,
    answers: { 200: { description: "A page of ranks.", schema: RankPage } },
  }, async (ctx, { query, url }) => {
    const paging = parsePaging(query, rankList);
    const { rows, total } = await listRanks(ctx, paging);
    const present = (row: typeof rows[number]) => presentRank(row as RankRow & typeof row);
    return page({ url, ctx }, paging, rows, total, present);
  }),
  endpoint({
    method: "post",
    path: "/v1/gamification/ranks",
    operation: "createRank",
    tag,
    summary: "Create a rank",
    description:
      "Team admins create ranks for their active team, group admins for the teams of their groups, admins for all.",
    right: "ranks.manage",
    body: RankBody,
    answers: { 201: { description: "The new rank.", schema: FullRank } },
  }, (ctx, { body }) => createRank(ctx, body)),
  endpoint({
    method: "get",
    path: "/v1/gamification/ranks/:rank_id",
    operation: "getRank",
    tag,
    summary: "Get a rank with its settings",
    params: one,
    answers: { 200: { description: "The rank.", schema: FullRank } },
  }, (ctx, { params }) => getRank(ctx, params.rank_id)),
  endpoint({
    method: "put",
    path: "/v1/gamification/ranks/:rank_id",
    operation: "updateRank",
    tag,
    summary: "Rename a rank",
    description: writers,
    right: "ranks.manage",
    params: one,
    body: RankChange,
    answers: { 200: { description: "The renamed rank.", schema: FullRank } },
  }, (ctx, { params, body }) => updateRank(ctx, params.rank_id, body)),
  endpoint({
    method: "delete",
    path: "/v1/gamification/ranks/:rank_id",
    operation: "deleteRank",
    tag,
    summary: "Delete a rank",
    description: writers,
    right: "ranks.manage",
    params: one,
    answers: { 204: { description: "The rank is deleted.", schema: null } },
  }, (ctx, { params }) => deleteRank(ctx, params.rank_id)),
  endpoint({
    method: "get",
    path: "/v1/gamification/ranks/:rank_id/scores",
    operation: "getRankScores",
    tag,
    summary: "Get the scores of a rank",
    description:
      "Covers the last 30 days. Every user of the team, or of the company, has a score, even if it is 0.",
    params: one,
    answers: { 200: { description: "The scores, and the caller's own.", schema: RankScores } },
  }, (ctx, { params }) => getScores(ctx, params.rank_id)),
];
