import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { page, parsePaging } from "../../http/lists.ts";
import type { GroupDeletion } from "./deletion.ts";
import { groupList, listGroups } from "./queries.ts";
import { CreateGroup, type GroupRow, presentGroupSummary, UpdateGroup } from "./record.ts";
import { Group, GroupListQuery, GroupPage } from "./schema.ts";
import { createGroup } from "./create.ts";
import { deleteGroup } from "./delete.ts";
import { getGroup } from "./get.ts";
import { attachTeam, detachTeam } from "./move_team.ts";
import { updateGroup } from "./update.ts";

const tag = "Groups";
const one = { group_id: "integer" } as const;
const member = { group_id: "integer", team_id: "integer" } as const;

/** `groupDeletion`: the features' statements for a deleted group. */
export const declareGroupEndpoints = (groupDeletion: GroupDeletion): Endpoint[] => [
  endpoint({
    method: "get",
    path: "/v1/groups",
    operation: "listGroups",
    tag,
    summary: "List the groups of the company",
    query: GroupListQuery,
    answers: {
      200: { description: "A page of groups, without their teams.", schema: GroupPage },
    },
  }, async (ctx, { query, url }) => {
    const paging = parsePaging(query, groupList);
    const { rows, total } = await listGroups(ctx, paging);
    return page(
      { url, ctx },
      paging,
      rows,
      total,
      (row) => presentGroupSummary(row as GroupRow),
    );
  }),
  endpoint({
    method: "post",
    path: "/v1/groups",
    operation: "createGroup",
    tag,
    summary: "Create a group",
    description: "For users of type admin.",
    body: CreateGroup,
    answers: { 201: { description: "The new group.", schema: Group } },
  }, (ctx, { body }) => createGroup(ctx, body)),
  endpoint({
    method: "get",
    path: "/v1/groups/:group_id",
    operation: "getGroup",
    tag,
    summary: "Get a group with its teams",
    params: one,
    answers: { 200: { description: "The group.", schema: Group } },
  }, (ctx, { params }) => getGroup(ctx, params.group_id)),
  endpoint({
    method: "put",
    path: "/v1/groups/:group_id",
    operation: "updateGroup",
    tag,
    summary: "Update a group",
    description: "For users of type admin.",
    params: one,
    body: UpdateGroup,
    answers: { 200: { description: "The group.", schema: Group } },
  }, (ctx, { params, body }) => updateGroup(ctx, params.group_id, body)),
  endpoint({
    method: "delete",
    path: "/v1/groups/:group_id",
    operation: "deleteGroup",
    tag,
    summary: "Delete a group",
    description:
      "For users of type admin. Its teams then belong to no group. Its folders become own ones of the caller, " +
      "its other records are seen by their makers and admins alone. " +
      "Approved campaigns are drafts again.",
    params: one,
    answers: { 204: { description: "The group is deleted.", schema: null } },
  }, (ctx, { params }) => deleteGroup(ctx, params.group_id, groupDeletion)),
  endpoint({
    method: "put",
    path: "/v1/groups/:group_id/teams/:team_id",
    operation: "attachTeamToGroup",
    tag,
    summary: "Add a team to a group",
    description:
      "For users of type admin. A team belongs to one group at most, so it leaves its current one.",
    params: member,
    answers: { 204: { description: "The team belongs to the group.", schema: null } },
  }, (ctx, { params }) => attachTeam(ctx, params)),
  endpoint({
    method: "delete",
    path: "/v1/groups/:group_id/teams/:team_id",
    operation: "detachTeamFromGroup",
    tag,
    summary: "Remove a team from a group",
    description: "For users of type admin.",
    params: member,
    answers: { 204: { description: "The team belongs to no group.", schema: null } },
  }, (ctx, { params }) => detachTeam(ctx, params)),
];
