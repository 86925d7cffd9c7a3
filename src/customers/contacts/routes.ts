import { z } from "zod";
import { ok } from "../../core/answer.ts";
import type { Paging } from "../../lists/paging.ts";
import { ordered } from "../../http/zod.ts";
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { listed } from "../../http/lists.ts";
import { externalIdOf } from "../external_id.ts";
import { listShape } from "../list.ts";
import type { ContactMoveEffects } from "./on_moved.ts";
import { presentContact } from "./present.ts";
import { contactList, contactListing, listContactsOf, readContact } from "./queries.ts";
import { Contact, ContactBody, ContactChange, ContactPage, ContactPut } from "./schema.ts";
import { createContact } from "./create.ts";
import { putContact } from "./put.ts";
import { updateContact } from "./update.ts";

const tag = "Contacts";

const OfAccountQuery = ordered(z.object(listShape(contactList.sorts)), "start_at", "end_at");

export const contactEndpoints = (followers: ContactMoveEffects): Endpoint[] => [
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
    async (ctx, { params }) => ok(presentContact(await readContact(ctx, params.contact_id), ctx.fields.seen)),
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
    const read = (paging: Paging) => listContactsOf(ctx, input.params.account_id, input.query, paging);
    return listed(ctx, contactListing, input, read);
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
      await putContact(ctx, params.account_id, externalIdOf(url), body, followers),
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
    async (ctx, { params }) =>
      ok(presentContact(await readContact(ctx, params.contact_id, params.account_id), ctx.fields.seen)),
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
      await updateContact(ctx, params.account_id, params.contact_id, body, followers),
  ),
];
