import { z } from "zod";
import { ok } from "../../core/answer.ts";
import type { Paging } from "../../lists/paging.ts";
import { requireOrder } from "../../http/zod.ts";
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { answerList } from "../../http/lists.ts";
import { parseExternalId } from "../external_id.ts";
import type { Contribution, Filtering } from "../filter_catalogue.ts";
import { listShape } from "../list.ts";
import { orMergedInto } from "../merged_into.ts";
import { deleteContact } from "../deletion/contacts.ts";
import type { Dependents } from "../deletion/dependents.ts";
import { getContactImpact } from "../deletion/impact.ts";
import { CustomerImpact } from "../deletion/schema.ts";
import { prefetchSavedFilter } from "../saved_filters/queries.ts";
import { runSavedFilter } from "../saved_filters/run.ts";
import { ContactListQuery } from "./list_query.ts";
import type { ContactMoveEffects } from "./on_moved.ts";
import { presentContact } from "./present.ts";
import { contactList, contactListing, listAccountContacts, listContacts, readContact } from "./queries.ts";
import { Contact, ContactBody, ContactChange, ContactPage, ContactPut } from "./record.ts";
import { createContact } from "./create.ts";
import { putContact } from "./put.ts";
import { updateContact } from "./update.ts";

const tag = "Contacts";

const OfAccountQuery = requireOrder(z.object(listShape(contactList.sorts)), "start_at", "end_at");

/** What features add to the filters of contacts, and what happens to their records with a contact. */
interface Given {
  readonly filterFields: readonly Contribution[];
  readonly customerDeletion: Dependents;
  readonly contactMoves: ContactMoveEffects;
}

export function declareContactEndpoints({ filterFields, customerDeletion, contactMoves }: Given): Endpoint[] {
  const filtering: Filtering = { kind: "contact", contributions: filterFields };
  return [
    endpoint({
      method: "get",
      path: "/v1/contacts",
      operation: "listContacts",
      tag,
      summary: "List contacts",
      query: ContactListQuery,
      prefetch: prefetchSavedFilter("contact"),
      answers: { 200: { description: "The contacts that the caller sees.", schema: ContactPage } },
    }, async (ctx, input) => {
      const { query } = input;
      const filter = runSavedFilter(ctx, filtering, query.filter_id, input.prefetched);
      const read = (paging: Paging) => listContacts(ctx, paging, filter, query);
      return { ...await answerList(ctx, contactListing, input, read), headers: filter.headers };
    }),
    endpoint(
      {
        method: "get",
        path: "/v1/contacts/:contact_id",
        operation: "getContact",
        tag,
        summary: "Get a contact",
        params: { contact_id: "uuid" },
        answers: { 200: { description: "The contact.", schema: Contact } },
      },
      async (ctx, { params: { contact_id: id } }) => {
        const contact = await orMergedInto(ctx, "contacts", id, () => readContact(ctx, id));
        return ok(presentContact(contact, ctx.fields.seen));
      },
    ),
    endpoint({
      method: "get",
      path: "/v1/accounts/:account_id/contacts",
      operation: "listContactsOfAccount",
      tag,
      summary: "List the contacts of an account",
      params: { account_id: "uuid" },
      query: OfAccountQuery,
      answers: { 200: { description: "The contacts of the account.", schema: ContactPage } },
    }, (ctx, input) => {
      const read = (paging: Paging) => listAccountContacts(ctx, input.params.account_id, input.query, paging);
      return answerList(ctx, contactListing, input, read);
    }),
    endpoint({
      method: "post",
      path: "/v1/accounts/:account_id/contacts",
      operation: "createContact",
      tag,
      summary: "Create a contact",
      right: "customers.create",
      params: { account_id: "uuid" },
      body: ContactBody,
      answers: { 201: { description: "The contact.", schema: Contact } },
      conflicts: ["b2c_single_contact"],
    }, async (ctx, { params, body }) => await createContact(ctx, params.account_id, body)),
    endpoint(
      {
        method: "put",
        path: "/v1/accounts/:account_id/contacts/by-external-id/:external_id",
        operation: "putContact",
        tag,
        summary: "Create or change a contact by its external id",
        description: "Needs the right `customers.create` to create the contact, and `customers.update` to " +
          "update one of the account. 422 `unique` when the id is of a contact of another account, or of one " +
          "that is not visible to the caller.",
        params: { account_id: "uuid", external_id: "text" },
        body: ContactPut,
        answers: {
          200: { description: "The updated contact.", schema: Contact },
          201: { description: "The new contact.", schema: Contact },
        },
        conflicts: ["b2c_single_contact"],
      },
      async (ctx, { params, body, url }) =>
        await putContact(ctx, params.account_id, parseExternalId(url), body, contactMoves),
    ),
    endpoint(
      {
        method: "get",
        path: "/v1/accounts/:account_id/contacts/:contact_id",
        operation: "getContactOfAccount",
        tag,
        summary: "Get a contact of an account",
        params: { account_id: "uuid", contact_id: "uuid" },
        answers: { 200: { description: "The contact.", schema: Contact } },
      },
      async (ctx, { params: { contact_id: id, account_id: of } }) => {
        const contact = await orMergedInto(ctx, "contacts", id, () => readContact(ctx, id, of));
        return ok(presentContact(contact, ctx.fields.seen));
      },
    ),
    endpoint(
      {
        method: "put",
        path: "/v1/accounts/:account_id/contacts/:contact_id",
        operation: "updateContact",
        tag,
        summary: "Change a contact, or move it to another account",
        description:
          "When the contact moves to another account, its notes move too, each with a `note_updated` event; its cases stay " +
          "with the account that they were opened for, unless `with_cases` is true: then all of them are the new " +
          "account's, each with a `case_updated` event, which needs the right `cases.update`. Where there are more " +
          "than 20 cases or 100 notes, the contact follows them: they move in steps of as many.",
        right: "customers.update",
        params: { account_id: "uuid", contact_id: "uuid" },
        body: ContactChange,
        answers: { 200: { description: "The updated contact.", schema: Contact } },
        conflicts: ["b2c_single_contact"],
      },
      async (ctx, { params, body }) =>
        await updateContact(ctx, params.account_id, params.contact_id, body, contactMoves),
    ),
    endpoint(
      {
        method: "get",
        path: "/v1/accounts/:account_id/contacts/:contact_id/delete-impact",
        operation: "getContactDeleteImpact",
        tag,
        summary: "Get the impact of deleting a contact",
        right: "customers.delete",
        params: { account_id: "uuid", contact_id: "uuid" },
        answers: {
          200: { description: "What is deleted with it; nothing blocks it.", schema: CustomerImpact },
        },
      },
      async (ctx, { params }) =>
        await getContactImpact(ctx, params.account_id, params.contact_id, customerDeletion),
    ),
    endpoint(
      {
        method: "delete",
        path: "/v1/accounts/:account_id/contacts/:contact_id",
        operation: "deleteContact",
        tag,
        summary: "Delete a contact with its cases and leads",
        description:
          "Deletes its cases with all their records, and the leads that were accepted for it or wait for " +
          "acceptance. A lead that was accepted for another contact stays, as does a note on a case of another " +
          "customer; they no longer name this contact or its cases.",
        right: "customers.delete",
        params: { account_id: "uuid", contact_id: "uuid" },
        answers: { 204: { description: "The contact is deleted.", schema: null } },
      },
      async (ctx, { params }) =>
        await deleteContact(ctx, params.account_id, params.contact_id, customerDeletion),
    ),
  ];
}
