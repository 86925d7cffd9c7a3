import { ok } from "../../core/answer.ts";
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { page, parsePaging } from "../../http/lists.ts";
import { deleteRole } from "../deletion/roles.ts";
import { presentRightsGroups } from "./present.ts";
import { CreateRole, presentRoleSummary, Role, type RoleRow, UpdateRole } from "./record.ts";
import { listRoles, roleList } from "./queries.ts";
import { RightsGroups, RoleListQuery, RolePage } from "./schema.ts";
import { createRole } from "./create.ts";
import { DeleteImpact } from "../delete_impact.ts";
import { getDeleteImpact, getRole } from "./get.ts";
import { updateRole } from "./update.ts";

const tag = "Roles";
const one = { role_id: "integer" } as const;
const admins = "For users of type admin.";

export const roleEndpoints: Endpoint[] = [
  endpoint({
    method: "get",
    path: "/v1/rights-groups",
    operation: "listRightsGroups",
    tag,
    summary: "List all rights by group",
    answers: { 200: { description: "All rights.", schema: RightsGroups } },
  }, () => Promise.resolve(ok(presentRightsGroups()))),
  endpoint({
    method: "get",
    path: "/v1/roles",
    operation: "listRoles",
    tag,
    summary: "List the roles of the company",
    query: RoleListQuery,
    answers: { 200: { description: "A page of roles, without their rights.", schema: RolePage } },
  }, async (ctx, { query, url }) => {
    const paging = parsePaging(query, roleList);
    const { rows, total } = await listRoles(ctx, paging);
    const request = { url, ctx };
    return page(request, paging, rows, total, (row) => presentRoleSummary(row as RoleRow));
  }),
  endpoint({
    method: "post",
    path: "/v1/roles",
    operation: "createRole",
    tag,
    summary: "Create a role",
    description: admins,
    body: CreateRole,
    answers: { 201: { description: "The new role.", schema: Role } },
  }, (ctx, { body }) => createRole(ctx, body)),
  endpoint({
    method: "get",
    path: "/v1/roles/:role_id",
    operation: "getRole",
    tag,
    summary: "Get a role with its rights",
    params: one,
    answers: { 200: { description: "The role.", schema: Role } },
  }, (ctx, { params }) => getRole(ctx, params.role_id)),
  endpoint({
    method: "put",
    path: "/v1/roles/:role_id",
    operation: "updateRole",
    tag,
    summary: "Update a role",
    description: `${admins} Changed rights apply to its users at once.`,
    params: one,
    body: UpdateRole,
    answers: { 200: { description: "The role.", schema: Role } },
  }, (ctx, { params, body }) => updateRole(ctx, params.role_id, body)),
  endpoint({
    method: "delete",
    path: "/v1/roles/:role_id",
    operation: "deleteRole",
    tag,
    summary: "Delete a role",
    description: `${admins} Takes it from its users.`,
    params: one,
    answers: { 204: { description: "The role is deleted.", schema: null } },
  }, (ctx, { params }) => deleteRole(ctx, params.role_id)),
  endpoint({
    method: "get",
    path: "/v1/roles/:role_id/delete-impact",
    operation: "getRoleDeleteImpact",
    tag,
    summary: "Get the impact of deleting a role",
    params: one,
    answers: { 200: { description: "The number of users who would lose the role.", schema: DeleteImpact } },
  }, (ctx, { params }) => getDeleteImpact(ctx, params.role_id)),
];
