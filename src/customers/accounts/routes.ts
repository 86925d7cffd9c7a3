import { ok } from "../../core/answer.ts";
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { externalIdOf } from "../external_id.ts";
import { presentAccount } from "./present.ts";
import { readAccount } from "./queries.ts";
import { Account, AccountBody, AccountChange, AccountPut } from "./schema.ts";
import { createAccount } from "./create.ts";
import { putAccount } from "./put.ts";
import { updateAccount } from "./update.ts";

const tag = "Accounts";

export const accountEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "post",
    path: "/v1/accounts",
    operation: "createAccount",
    tag,
    summary: "Create an account",
    right: "customers.create",
    body: AccountBody,
    answers: { 201: { description: "The account.", schema: Account } },
  }, async (ctx, { body }) => await createAccount(ctx, body)),
  endpoint({
    method: "put",
    path: "/v1/accounts/by-external-id/:external_id",
    operation: "putAccount",
    tag,
    summary: "Create or change an account by its external id",
    description: "Needs the right `customers.create` to create the account, and `customers.update` to " +
      "update it. 422 `unique` when the id is of an account that is not visible to the caller.",
    params: { external_id: "text" },
    body: AccountPut,
    answers: {
      200: { description: "The updated account.", schema: Account },
      201: { description: "The new account.", schema: Account },
    },
  }, async (ctx, { body, url }) => await putAccount(ctx, externalIdOf(url), body)),
  endpoint(
    {
      method: "get",
      path: "/v1/accounts/:account_id",
      operation: "getAccount",
      tag,
      summary: "Get an account",
      params: { account_id: "uuid" },
      answers: { 200: { description: "The account.", schema: Account } },
    },
    async (ctx, { params }) => ok(presentAccount(await readAccount(ctx, params.account_id), ctx.fields.seen)),
  ),
  endpoint({
    method: "put",
    path: "/v1/accounts/:account_id",
    operation: "updateAccount",
    tag,
    summary: "Change an account",
    right: "customers.update",
    params: { account_id: "uuid" },
    body: AccountChange,
    answers: { 200: { description: "The updated account.", schema: Account } },
  }, async (ctx, { params, body }) => await updateAccount(ctx, params.account_id, body)),
];
