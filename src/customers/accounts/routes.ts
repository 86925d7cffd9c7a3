import { ok } from "../../core/answer.ts";
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { answerList } from "../../http/lists.ts";
import type { Paging } from "../../lists/paging.ts";
import { parseExternalId } from "../external_id.ts";
import type { Contribution, Filtering } from "../filter_catalogue.ts";
import { orMergedInto } from "../merged_into.ts";
import { deleteAccount } from "../deletion/accounts.ts";
import type { Dependents } from "../deletion/dependents.ts";
import { getAccountImpact } from "../deletion/impact.ts";
import { CustomerImpact } from "../deletion/schema.ts";
import { prefetchSavedFilter } from "../saved_filters/queries.ts";
import { runSavedFilter } from "../saved_filters/run.ts";
import { AccountListQuery } from "./list_query.ts";
import { presentAccount } from "./present.ts";
import { accountListing, listAccounts, readAccount } from "./queries.ts";
import { Account, AccountBody, AccountChange, AccountPage, AccountPut } from "./record.ts";
import { createAccount } from "./create.ts";
import { putAccount } from "./put.ts";
import { updateAccount } from "./update.ts";

const tag = "Accounts";

/** What features add to the filters of accounts, and what happens to their records with an account. */
interface Given {
  readonly filterFields: readonly Contribution[];
  readonly customerDeletion: Dependents;
}

export function declareAccountEndpoints({ filterFields, customerDeletion }: Given): Endpoint[] {
  const filtering: Filtering = { kind: "account", contributions: filterFields };
  return [
    endpoint({
      method: "get",
      path: "/v1/accounts",
      operation: "listAccounts",
      tag,
      summary: "List accounts",
      query: AccountListQuery,
      prefetch: prefetchSavedFilter("account"),
      answers: { 200: { description: "The accounts that the caller sees.", schema: AccountPage } },
    }, async (ctx, input) => {
      const { query } = input;
      const sources = query.created_with_lead_sources ?? query.created_withlead_sources;
      const narrowing = { ...query, created_with_lead_sources: sources };
      const filter = runSavedFilter(ctx, filtering, query.filter_id, input.prefetched);
      const read = (paging: Paging) => listAccounts(ctx, paging, filter, narrowing);
      return { ...await answerList(ctx, accountListing, input, read), headers: filter.headers };
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
        200: { description: "The updated account.", schema: Account },
        201: { description: "The new account.", schema: Account },
      },
    }, async (ctx, { body, url }) => await putAccount(ctx, parseExternalId(url), body)),
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
      async (ctx, { params: { account_id: id } }) => {
        const account = await orMergedInto(ctx, "accounts", id, () => readAccount(ctx, id));
        return ok(presentAccount(account, ctx.fields.seen));
      },
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
    }, async (ctx, { params }) => await getAccountImpact(ctx, params.account_id, customerDeletion)),
    endpoint({
      method: "delete",
      path: "/v1/accounts/:account_id",
      operation: "deleteAccount",
      tag,
      summary: "Delete an account with its contacts, cases and leads",
      description:
        "Deletes its contacts, their cases with all their records, and the leads that were accepted for " +
        "it or wait for acceptance. A lead that was accepted for another account stays and no longer names this one. " +
        "The deletion of a large account continues in the background: the account and its contacts are 404 at once, " +
        "but contacts and cases can still appear in lists for a while.",
      right: "customers.delete",
      params: { account_id: "uuid" },
      answers: { 204: { description: "The account is deleted.", schema: null } },
      conflicts: ["delete_blocked"],
    }, async (ctx, { params }) => await deleteAccount(ctx, params.account_id, customerDeletion)),
  ];
}
