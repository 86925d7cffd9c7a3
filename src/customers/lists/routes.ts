/** Lists of accounts and contacts: by query, by a saved filter, or by the filter of the request. */
import { z } from "zod";
import type { Answer } from "../../core/answer.ts";
import { FilterBody } from "../../filters/schema.ts";
import { type AnswerOf, type Endpoint, endpoint, type Wire } from "../../http/endpoint.ts";
import { listed, type Listing, paging, sorting, view } from "../../http/lists.ts";
import { csv, csvUuids, ordered } from "../../http/zod.ts";
import type { Paging } from "../../lists/paging.ts";
import { accountList, accountListing, listAccounts } from "../accounts/queries.ts";
import { AccountPage } from "../accounts/schema.ts";
import { contactList, contactListing, listContacts } from "../contacts/queries.ts";
import { ContactPage } from "../contacts/schema.ts";
import { bySavedFilter, listShape } from "../list.ts";
import { savedFilterBeside } from "../saved_filters/queries.ts";
import { type Contribution, type Filtering, runFilter } from "../filter_catalogue.ts";
import { savedRunning } from "../saved_filters/run.ts";

const AccountListQuery = ordered(
  z.object({
    ...listShape(accountList.sorts),
    ...view,
    ...bySavedFilter,
    created_with_lead_types: csvUuids.optional(),
    created_with_lead_sources: csv.optional(),
    created_withlead_sources: csv.optional().meta({ description: "As `created_with_lead_sources`." }),
  }),
  "start_at",
  "end_at",
);

const ContactListQuery = ordered(
  z.object({ ...listShape(contactList.sorts), ...view, ...bySavedFilter }),
  "start_at",
  "end_at",
);

/** `contributions` are filter fields of related records. */
export function customerListEndpoints(contributions: readonly Contribution[]): Endpoint[] {
  const account: Filtering = { kind: "account", contributions };
  const contact: Filtering = { kind: "contact", contributions };
  return [
    postedEndpoint(account, "Account", AccountPage, accountListing, listAccounts),
    postedEndpoint(contact, "Contact", ContactPage, contactListing, listContacts),
    endpoint({
      method: "get",
      path: "/v1/accounts",
      operation: "listAccounts",
      tag: "Accounts",
      summary: "List accounts",
      query: AccountListQuery,
      beside: savedFilterBeside("account"),
      answers: { 200: { description: "The accounts that the caller sees.", schema: AccountPage } },
    }, async (ctx, input) => {
      const { query } = input;
      const sources = query.created_with_lead_sources ?? query.created_withlead_sources;
      const narrowing = { ...query, created_with_lead_sources: sources };
      const filter = savedRunning(ctx, account, query.filter_id, input.beside);
      const read = (paging: Paging) => listAccounts(ctx, paging, filter, narrowing);
      return { ...await listed(ctx, accountListing, input, read), headers: filter.headers };
    }),
    endpoint({
      method: "get",
      path: "/v1/contacts",
      operation: "listContacts",
      tag: "Contacts",
      summary: "List contacts",
      query: ContactListQuery,
      beside: savedFilterBeside("contact"),
      answers: { 200: { description: "The contacts that the caller sees.", schema: ContactPage } },
    }, async (ctx, input) => {
      const { query } = input;
      const filter = savedRunning(ctx, contact, query.filter_id, input.beside);
      const read = (paging: Paging) => listContacts(ctx, paging, filter, query);
      return { ...await listed(ctx, contactListing, input, read), headers: filter.headers };
    }),
  ];
}

function postedEndpoint<S extends z.ZodType<{ data: unknown[] }>>(
  filtering: Filtering,
  name: "Account" | "Contact",
  schema: S,
  listing: Listing<Wire<z.output<S>["data"][number]>>,
  read: typeof listAccounts | typeof listContacts,
): Endpoint {
  const { kind } = filtering;
  return endpoint({
    method: "post",
    path: `/v1/${kind}s/filter`,
    operation: `filter${name}s`,
    tag: "Filters",
    summary: `List the ${kind}s that a filter selects`,
    // The next page takes the same body at `urls.next`.
    query: z.object({ ...paging, ...sorting(listing.list.sorts) }),
    body: FilterBody,
    reads: true,
    answers: { 200: { description: `The ${kind}s that the caller sees.`, schema } },
  }, async (ctx, input) => {
    const filter = runFilter(ctx, filtering, input.body.filter);
    const found = await listed(ctx, listing, input, (paging) => read(ctx, paging, filter));
    // The listing presents the records of the schema; the compiler cannot follow that for any schema.
    return { ...found as Answer, headers: filter.headers } as AnswerOf<
      { 200: { description: string; schema: S } }
    >;
  });
}
