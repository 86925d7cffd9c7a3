/** Lists of accounts and contacts by the filter of the request. */
import { z } from "zod";
import type { Answer } from "../../core/answer.ts";
import { FilterBody } from "../../filters/schema.ts";
import { type AnswerOf, type Endpoint, endpoint, type Wire } from "../../http/endpoint.ts";
import { answerList, type Listing, view } from "../../http/lists.ts";
import { requireOrder } from "../../http/zod.ts";
import { accountListing, listAccounts } from "../accounts/queries.ts";
import { AccountPage } from "../accounts/record.ts";
import { contactListing, listContacts } from "../contacts/queries.ts";
import { ContactPage } from "../contacts/record.ts";
import { type Contribution, type Filtering, runFilter } from "../filter_catalogue.ts";
import { listShape } from "../list.ts";

/** `contributions` are filter fields of related records. */
export function declareCustomerListEndpoints(contributions: readonly Contribution[]): Endpoint[] {
  const account: Filtering = { kind: "account", contributions };
  const contact: Filtering = { kind: "contact", contributions };
  return [
    declarePostedList(account, "/v1/accounts/filter", "Account", AccountPage, accountListing, listAccounts),
    declarePostedList(contact, "/v1/contacts/filter", "Contact", ContactPage, contactListing, listContacts),
  ];
}

function declarePostedList<S extends z.ZodType<{ data: unknown[] }>>(
  filtering: Filtering,
  path: string,
  name: "Account" | "Contact",
  schema: S,
  listing: Listing<Wire<z.output<S>["data"][number]>>,
  read: typeof listAccounts | typeof listContacts,
): Endpoint {
  const { kind } = filtering;
  return endpoint({
    method: "post",
    path,
    operation: `filter${name}s`,
    tag: "Filters",
    summary: `List the ${kind}s that a filter selects`,
    // The next page takes the same body at `urls.next`.
    query: requireOrder(z.object({ ...listShape(listing.list.sorts), ...view }), "start_at", "end_at"),
    body: FilterBody,
    reads: true,
    answers: { 200: { description: `The ${kind}s that the caller sees.`, schema } },
  }, async (ctx, input) => {
    const filter = runFilter(ctx, filtering, input.body.filter);
    const found = await answerList(ctx, listing, input, (paging) => read(ctx, paging, filter, input.query));
    // The listing presents the records of the schema; the compiler cannot follow that for any schema.
    return { ...found as Answer, headers: filter.headers } as AnswerOf<
      { 200: { description: string; schema: S } }
    >;
  });
}
