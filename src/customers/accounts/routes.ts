import { z } from "@hono/zod-openapi";
import { ok } from "../../core/answer.ts";
import type { Paging } from "../../lists/pages.ts";
import { csv, csvUuids, ordered } from "../../http/zod.ts";
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import type { Contribution } from "../filter_catalogue.ts";
import { savedRunning } from "../saved_filters/run.ts";
import { savedFilterBeside } from "../saved_filters/queries.ts";
import { externalIdOf } from "../external_id.ts";
import { bySavedFilter, listed, listShape } from "../list.ts";
import { deleteAccount } from "../removal/accounts.ts";
import type { Dependents } from "../removal/dependents.ts";
import { getAccountImpact } from "../removal/impact.ts";
import { CustomerImpact } from "../removal/schema.ts";
import { presentAccount } from "./present.ts";
import { accountListing, accountSorts, listAccounts, readAccount } from "./queries.ts";
import { Account, AccountBody, AccountChange, AccountPage, AccountPut } from "./schema.ts";
import { createAccount } from "./create.ts";
import { putAccount } from "./put.ts";
import { updateAccount } from "./update.ts";

const tag = "Accounts";

const ListQuery = ordered(
  z.object({
    ...listShape(accountSorts),
    ...bySavedFilter,
    created_with_lead_types: csvUuids.optional(),
    created_with_lead_sources: csv.optional(),
    created_withlead_sources: csv.optional().openapi({ description: "As `created_with_lead_sources`." }),
  }),
  "start_at",
  "end_at",
);

/** `contributions`: filter fields of records related to accounts. */
export const accountEndpoints = (
  dependents: Dependents,
  contributions: readonly Contribution[],
): Endpoint[] => [
  endpoint({
    method: "get",
    path: "/v1/accounts",
    operation: "listAccounts",
    tag,
    summary: "List accounts",
    query: ListQuery,
    beside: savedFilterBeside("account"),
    answers: { 200: { description: "The accounts that the caller sees.", schema: AccountPage } },
  }, async (ctx, input) => {
    const { query } = input;
    const sources = query.created_with_lead_sources ?? query.created_withlead_sources;
    const narrowing = { ...query, created_with_lead_sources: sources };
    const filter = savedRunning(ctx, { kind: "account", contributions }, query.filter_id, input.beside);
    const read = (paging: Paging) => listAccounts(ctx, narrowing, paging, filter);
    return { ...await listed(ctx, accountListing, input, read), headers: filter.headers };
  }),
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
      200: { description: "The account as it is now.", schema: Account },
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
    answers: { 200: { description: "The account as it is now.", schema: Account } },
  }, async (ctx, { params, body }) => await updateAccount(ctx, params.account_id, body)),
  endpoint({
    method: "get",
    path: "/v1/accounts/:account_id/delete-impact",
    operation: "getAccountDeleteImpact",
    tag,
    summary: "Get the impact of deleting an account",
    right: "customers.delete",
    params: { account_id: "uuid" },
    answers: {
      200: {
        description: "What blocks the deletion, and what is deleted with it.",
        schema: CustomerImpact,
      },
    },
  }, async (ctx, { params }) => await getAccountImpact(ctx, params.account_id, dependents)),
  endpoint({
    method: "delete",
    path: "/v1/accounts/:account_id",
    operation: "deleteAccount",
    tag,
    summary: "Delete an account with all that it has",
    description: "Its contacts go with it, their cases with all that those have, and the leads that were " +
      "accepted for it or wait for that. A lead that was accepted for another account stays, and no longer " +
      "names this one. Very much follows in steps: the account itself is gone at once, and so are the addresses of its " +
      "contacts; until their step, contacts and cases may still stand in lists.",
    right: "customers.delete",
    params: { account_id: "uuid" },
    answers: { 204: { description: "The account is gone.", schema: null } },
    conflicts: ["delete_blocked"],
  }, async (ctx, { params }) => await deleteAccount(ctx, params.account_id, dependents)),
];
