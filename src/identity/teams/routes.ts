import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { page, parsePaging } from "../../http/lists.ts";
import { DeleteImpact } from "../delete_impact.ts";
import { deleteTeam, getTeamImpact } from "../deletion/teams.ts";
import type { TeamReassignment } from "./deletion.ts";
import { presentTeam } from "./present.ts";
import { listTeams, parseTeam, teamList } from "./queries.ts";
import { CreateTeam, Team, UpdateTeam } from "./record.ts";
import { DeleteTeamQuery, TeamListQuery, TeamPage } from "./schema.ts";
import { updateTeam } from "./update.ts";
import { createTeam } from "./create.ts";
import { getTeam } from "./get.ts";

const tag = "Teams";

const one = { team_id: "integer" } as const;

const deleters = "For users of type admin, and of type group_admin in their own groups.";

/** `teamDeletion`: what happens to the records of a deleted team. */
export const declareTeamEndpoints = (teamDeletion: TeamReassignment): Endpoint[] => [
  endpoint({
    method: "get",
    path: "/v1/teams",
    operation: "listTeams",
    tag,
    summary: "List the teams of the company",
    query: TeamListQuery,
    answers: { 200: { description: "A page of teams.", schema: TeamPage } },
  }, async (ctx, { query, url }) => {
    const paging = parsePaging(query, teamList);
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
  endpoint({
    method: "delete",
    path: "/v1/teams/:team_id",
    operation: "deleteTeam",
    tag,
    summary: "Delete a team",
    description: `${deleters} Removes its members, and removes it from its group. ` +
      "With `assign_to` that team takes its place in every record, open or not: accounts with their " +
      "contacts, cases, leads, lead types and relations paths. A lead keeps its state and " +
      "its countdown, and its history still shows the deleted team; it belongs to the whole new team " +
      "when its user is not a member. Very many records move in steps. Without `assign_to` the team " +
      "must have no open cases and no open leads (assigned, escalated or called; as an agency " +
      "any that is not accepted); its folders then become own ones of the caller, and its other records " +
      "are seen by their makers and admins alone. " +
      "Its approved campaigns are drafts again, and those that are being sent end. Settings of " +
      "lead types for the team are deleted, and open invitations no longer include it.",
    params: one,
    query: DeleteTeamQuery,
    answers: { 204: { description: "The team is deleted.", schema: null } },
    conflicts: ["delete_blocked"],
  }, (ctx, { params, query }) => deleteTeam(ctx, params.team_id, query.assign_to, teamDeletion)),
  endpoint({
    method: "get",
    path: "/v1/teams/:team_id/delete-impact",
    operation: "getTeamDeleteImpact",
    tag,
    summary: "Get the impact of deleting a team",
    description: deleters,
    params: one,
    answers: {
      200: {
        description: "The open records that prevent a deletion without `assign_to`, and its other records.",
        schema: DeleteImpact,
      },
    },
  }, (ctx, { params }) => getTeamImpact(ctx, params.team_id, teamDeletion)),
];
