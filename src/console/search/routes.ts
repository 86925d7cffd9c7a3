import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { Found, SearchQuery } from "./schema.ts";
import { searchAll } from "./read.ts";

export const searchEndpoints: Endpoint[] = [
  endpoint({
    method: "get",
    path: "/v1/search",
    operation: "searchAll",
    tag: "Search",
    summary: "Search accounts, contacts, cases, leads and files",
    description:
      "Finds what the `search` of the lists finds, among what the caller sees. A case with exactly " +
      "this number, and accounts and contacts with exactly this external id, come first, " +
      "as do their kinds.",
    query: SearchQuery,
    answers: { 200: { description: "The records that were found, by kind.", schema: Found } },
  }, (ctx, { query }) => searchAll(ctx, query)),
];
