import { declareClientEndpoint, type Endpoint, endpoint } from "../../http/endpoint.ts";
import { page, parsePaging } from "../../http/lists.ts";
import { inviteTokenPolicy, passwordPolicies } from "../attempts/limits.ts";
import { acceptInvitation } from "../invitations/accept.ts";
import { AcceptInvitation } from "../invitations/schema.ts";
import { presentUser } from "./present.ts";
import { listUsers, readUser, userList } from "./queries.ts";
import { CreateUser, UpdateUser, User } from "./record.ts";
import {
  ChangePassword,
  DeleteUserQuery,
  Me,
  ProfilePicture,
  SwitchTeam,
  TeamsOfUser,
  UserListQuery,
  UserPage,
} from "./schema.ts";
import { deleteUser } from "./delete.ts";
import type { UserReassignment } from "./deletion.ts";
import { pictureParts, setPicture } from "./picture.ts";
import { changePassword } from "./change_password.ts";
import { updateUser } from "./update.ts";
import { createUser } from "./create.ts";
import { getMe, getTeamsOfUser, getUser } from "./get.ts";
import { checkCompany } from "./check_company.ts";
import { switchTeam } from "./switch_team.ts";

const tag = "Users";
const one = { company_id: "integer", user_id: "integer" } as const;
const company = { company_id: "integer" } as const;

/** `reassignments`: how the features reassign records of a deleted user. */
export const declareUserEndpoints = (reassignments: readonly UserReassignment[]): Endpoint[] => [
  endpoint({
    method: "get",
    path: "/v1/me",
    operation: "getMe",
    tag,
    summary: "Get the calling user with company, active team and rights",
    answers: { 200: { description: "The calling user.", schema: Me } },
  }, (ctx) => getMe(ctx)),
  endpoint({
    method: "get",
    path: "/v1/companies/:company_id/users",
    operation: "listUsers",
    tag,
    summary: "List the users of the company",
    description: "Those that are not deleted, newest first; every user of the company may list them.",
    params: company,
    query: UserListQuery,
    answers: { 200: { description: "A page of users.", schema: UserPage } },
  }, async (ctx, { params, query, url }) => {
    checkCompany(ctx, params.company_id);
    const paging = parsePaging(query, userList);
    const { rows, total } = await listUsers(ctx, paging, query);
    return page(
      { url, ctx },
      paging,
      rows,
      total,
      (row) => presentUser(readUser(row), ctx),
    );
  }),
  endpoint({
    method: "post",
    path: "/v1/companies/:company_id/users",
    operation: "createUser",
    tag,
    summary: "Create a user",
    description: "Users of type admin create users anywhere, group_admins in teams of their groups, " +
      "team_admins in their teams.",
    params: company,
    body: CreateUser,
    answers: { 201: { description: "The new user.", schema: User } },
  }, (ctx, { params, body }) => createUser(ctx, params.company_id, body)),
  endpoint({
    method: "get",
    path: "/v1/companies/:company_id/users/:user_id",
    operation: "getUser",
    tag,
    summary: "Get a user",
    params: one,
    answers: { 200: { description: "The user.", schema: User } },
  }, (ctx, { params }) => getUser(ctx, params)),
  endpoint({
    method: "put",
    path: "/v1/companies/:company_id/users/:user_id",
    operation: "updateUser",
    tag,
    summary: "Update a user",
    description: "All users can change themselves. Users of type admin can change all others, group_admins " +
      "those in teams of their groups, team_admins those in their teams, and nobody a user of a higher " +
      "type. Only admins, and group_admins within their groups, change type, roles and teams; nobody gives or takes " +
      "away a right that they lack. " +
      "Only admins, and users whose own teams and rights include all of the user's, change another user's " +
      "e-mail address. The change applies at once, the old address gets a mail, and the user is signed out everywhere: links " +
      "for a new password, sessions, codes and tokens end. Passwords have an endpoint of their own.",
    params: one,
    body: UpdateUser,
    answers: { 200: { description: "The user.", schema: User } },
    conflicts: ["last_admin"],
  }, (ctx, { params, body }) => updateUser(ctx, params, body)),
  endpoint({
    method: "put",
    path: "/v1/companies/:company_id/users/:user_id/password",
    operation: "changePassword",
    tag,
    summary: "Change your password",
    description: "Ends all other tokens of the user.",
    params: one,
    body: ChangePassword,
    limits: passwordPolicies,
    answers: { 200: { description: "The user.", schema: User } },
  }, (ctx, { params, body }) => changePassword(ctx, params, body)),
  endpoint({
    method: "get",
    path: "/v1/companies/:company_id/users/:user_id/teams",
    operation: "listTeamsOfUser",
    tag,
    summary: "List the teams of a user",
    params: one,
    answers: { 200: { description: "The teams of the user.", schema: TeamsOfUser } },
  }, (ctx, { params }) => getTeamsOfUser(ctx, params)),
  endpoint({
    method: "put",
    path: "/v1/switch-team",
    operation: "switchTeam",
    tag,
    summary: "Switch the active team",
    description: "New records go to the active team unless they name another.",
    body: SwitchTeam,
    answers: { 200: { description: "The calling user.", schema: User } },
  }, (ctx, { body }) => switchTeam(ctx, body.team_id)),
  endpoint({
    method: "post",
    path: "/v1/users/:user_id/profile-picture",
    operation: "setProfilePicture",
    tag,
    summary: "Set the picture of a user",
    description: "For callers who can change the user.",
    params: { user_id: "integer" },
    multipart: pictureParts,
    answers: { 200: { description: "The address of the picture.", schema: ProfilePicture } },
  }, (ctx, { params, files }) => setPicture(ctx, params.user_id, files)),
  endpoint({
    method: "delete",
    path: "/v1/companies/:company_id/users/:user_id",
    operation: "deleteUser",
    tag,
    summary: "Delete a user",
    description:
      "For users of type admin. Keeps the user's records, ends the tokens, and frees the address. " +
      "Webhooks that go to `assign_to` are paused and applications lose their secret, " +
      "since the deleted user knew the old secrets.",
    params: one,
    query: DeleteUserQuery,
    answers: { 204: { description: "The user is deleted.", schema: null } },
    conflicts: ["last_admin"],
  }, (ctx, { params, query }) => deleteUser(ctx, params, query.assign_to, reassignments)),
  declareClientEndpoint(
    "trusted",
    {
      method: "post",
      // OpenAPI allows only one parameter name at this place of the path, and other operations use `user_id`.
      path: "/v1/companies/:company_id/users/:user_id",
      operation: "acceptInvitation",
      tag: "Invitations",
      summary: "Accept an invitation",
      description:
        "Pass the `invite_token` as `user_id`. `email` must be the invited address. The user gets the teams " +
        "and roles of the invitation that still exist.",
      params: { company_id: "integer", user_id: "text" },
      body: AcceptInvitation,
      limits: [inviteTokenPolicy],
      answers: { 201: { description: "The new user.", schema: User } },
    },
    (ctx, { params: { company_id, user_id }, body }) =>
      acceptInvitation(ctx, { company_id, invite_token: user_id }, body),
  ),
];
