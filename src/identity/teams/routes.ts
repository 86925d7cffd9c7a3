import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { page, pagingOf } from "../../http/lists.ts";
import { presentTeam } from "./present.ts";
import { listTeams, parseTeam, teamList } from "./queries.ts";
import { CreateTeam, Team, UpdateTeam } from "./record.ts";
import { TeamListQuery, TeamPage } from "./schema.ts";
import { updateTeam } from "./update.ts";
import { createTeam } from "./create.ts";
import { getTeam } from "./get.ts";

const tag = "Teams";

const one = { team_id: "integer" } as const;

export const teamEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "get",
    path: "/v1/teams",
    operation: "listTeams",
    tag,
    summary: "List the teams of the company",
    query: TeamListQuery,
    answers: { 200: { description: "A page of teams.", schema: TeamPage } },
  }, async (ctx, { query, url }) => {
    const paging = pagingOf(query, teamList);
    const { rows, total } = await listTeams(ctx, paging, query);
    return page(
      { url, ctx },
      paging,
      rows,
      total,
      (row) => presentTeam(parseTeam(row.team), ctx.now, ctx.fields.seen),
    );
  }),
  endpoint({
    method: "post",
    path: "/v1/teams",
    operation: "createTeam",
    tag,
    summary: "Create a team",
    description: "For users of type admin, and of type group_admin in their own groups.",
    body: CreateTeam,
    answers: { 201: { description: "The new team.", schema: Team } },
  }, (ctx, { body }) => createTeam(ctx, body)),
  endpoint({
    method: "get",
    path: "/v1/teams/:team_id",
    operation: "getTeam",
    tag,
    summary: "Get a team",
    params: one,
    answers: { 200: { description: "The team.", schema: Team } },
  }, (ctx, { params }) => getTeam(ctx, params.team_id)),
  endpoint({
    method: "put",
    path: "/v1/teams/:team_id",
    operation: "updateTeam",
    tag,
    summary: "Update a team",
    description:
      "For users of type admin, of type group_admin in their own groups, of type team_admin in their own teams. " +
      "Only an admin moves it between groups.",
    params: one,
    body: UpdateTeam,
    answers: { 200: { description: "The team.", schema: Team } },
  }, (ctx, { params, body }) => updateTeam(ctx, params.team_id, body)),
];
