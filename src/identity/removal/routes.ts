/** Endpoints that delete teams and roles. A deletion also updates the users of the team or role. */
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { DeleteImpact } from "../delete_impact.ts";
import type { TeamReassignment } from "../teams/deletion.ts";
import { DeleteTeamQuery } from "../teams/schema.ts";
import { deleteRole } from "./roles.ts";
import { deleteTeam, getTeamImpact } from "./teams.ts";

const team = { team_id: "integer" } as const;
const deleters = "For users of type admin, and of type group_admin in their own groups.";

/** `teamReassignment`: how the features reassign records of a deleted team. */
export const identityRemovalEndpoints = (teamReassignment: TeamReassignment): Endpoint[] => [
  endpoint({
    method: "delete",
    path: "/v1/teams/:team_id",
    operation: "deleteTeam",
    tag: "Teams",
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
    params: team,
    query: DeleteTeamQuery,
    answers: { 204: { description: "The team is deleted.", schema: null } },
    conflicts: ["delete_blocked"],
  }, (ctx, { params, query }) => deleteTeam(ctx, params.team_id, query.assign_to, teamReassignment)),
  endpoint({
    method: "get",
    path: "/v1/teams/:team_id/delete-impact",
    operation: "getTeamDeleteImpact",
    tag: "Teams",
    summary: "Get the impact of deleting a team",
    description: deleters,
    params: team,
    answers: {
      200: {
        description: "The open records that prevent a deletion without `assign_to`, and its other records.",
        schema: DeleteImpact,
      },
    },
  }, (ctx, { params }) => getTeamImpact(ctx, params.team_id, teamReassignment)),
  endpoint({
    method: "delete",
    path: "/v1/roles/:role_id",
    operation: "deleteRole",
    tag: "Roles",
    summary: "Delete a role",
    description: "For users of type admin. Takes it from its users.",
    params: { role_id: "integer" },
    answers: { 204: { description: "The role is deleted.", schema: null } },
  }, (ctx, { params }) => deleteRole(ctx, params.role_id)),
];
