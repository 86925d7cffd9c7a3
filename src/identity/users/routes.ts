import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { page, pagingOf } from "../../http/lists.ts";
import { presentUser } from "./present.ts";
import { listUsers, readUser, userSorts } from "./queries.ts";
import { CreateUser, Me, User, UserListQuery, UserPage } from "./schema.ts";
import { checkCompany, createUser, getMe, getUser } from "./verbs.ts";

const tag = "Users";
const company = { company_id: "integer" } as const;

export const userEndpoints: Endpoint[] = [
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
    params: company,
    query: UserListQuery,
    answers: { 200: { description: "A page of users.", schema: UserPage } },
  }, async (ctx, { params, query, url }) => {
    checkCompany(ctx, params.company_id);
    const paging = pagingOf(query, userSorts, "-created_at");
    const { rows, total } = await listUsers(ctx, paging, query);
    return page(
      { url, origin: ctx.origin },
      paging,
      rows,
      total,
      (row) => presentUser(readUser(row), ctx.now),
    );
  }),
  endpoint({
    method: "post",
    path: "/v1/companies/:company_id/users",
    operation: "createUser",
    tag,
    summary: "Make a user",
    description: "Users of type admin make users anywhere, of type group_admin in teams of own groups, " +
      "of type team_admin in own teams.",
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
    params: { company_id: "integer", user_id: "integer" },
    answers: { 200: { description: "The user.", schema: User } },
  }, (ctx, { params }) => getUser(ctx, params)),
];
