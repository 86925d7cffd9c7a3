import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { deleteAccount } from "./accounts.ts";
import { deleteContact } from "./contacts.ts";
import type { Dependents } from "./dependents.ts";
import { getAccountImpact, getContactImpact } from "./impact.ts";
import { CustomerImpact } from "./schema.ts";

/** Endpoints that delete an account or a contact with its dependents, or return the impact of a deletion. */
export const customerRemovalEndpoints = (dependents: Dependents): Endpoint[] => [
  endpoint({
    method: "get",
    path: "/v1/accounts/:account_id/delete-impact",
    operation: "getAccountDeleteImpact",
    tag: "Accounts",
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
    tag: "Accounts",
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
  }, async (ctx, { params }) => await deleteAccount(ctx, params.account_id, dependents)),
  endpoint(
    {
      method: "get",
      path: "/v1/accounts/:account_id/contacts/:contact_id/delete-impact",
      operation: "getContactDeleteImpact",
      tag: "Contacts",
      summary: "Get the impact of deleting a contact",
      right: "customers.delete",
      params: { account_id: "uuid", contact_id: "uuid" },
      answers: {
        200: { description: "What is deleted with it; nothing blocks it.", schema: CustomerImpact },
      },
    },
    async (ctx, { params }) => await getContactImpact(ctx, params.account_id, params.contact_id, dependents),
  ),
  endpoint({
    method: "delete",
    path: "/v1/accounts/:account_id/contacts/:contact_id",
    operation: "deleteContact",
    tag: "Contacts",
    summary: "Delete a contact with its cases and leads",
    description:
      "Deletes its cases with all their records, and the leads that were accepted for it or wait for " +
      "acceptance. A lead that was accepted for another contact stays, as does a note on a case of another " +
      "customer; they no longer name this contact or its cases.",
    right: "customers.delete",
    params: { account_id: "uuid", contact_id: "uuid" },
    answers: { 204: { description: "The contact is deleted.", schema: null } },
  }, async (ctx, { params }) => await deleteContact(ctx, params.account_id, params.contact_id, dependents)),
];
