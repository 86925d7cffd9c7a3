import { ok } from "../../core/answer.ts";
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import type { Contribution, Filtering } from "../filter_catalogue.ts";
import { describeFields } from "./describe.ts";
import { FilterFields } from "./schema.ts";

/** `contributions` are filter fields of related records. */
export function declareFilterableEndpoints(contributions: readonly Contribution[]): Endpoint[] {
  return [
    declareDescription({ kind: "account", contributions }, "/v1/accounts/filter/fields", "Account"),
    declareDescription({ kind: "contact", contributions }, "/v1/contacts/filter/fields", "Contact"),
  ];
}

function declareDescription(filtering: Filtering, path: string, name: "Account" | "Contact"): Endpoint {
  return endpoint({
    method: "get",
    path,
    operation: `list${name}FilterFields`,
    tag: "Filters",
    summary: `List the fields by which ${filtering.kind}s can be filtered`,
    description: "Every field that a filter of the caller may name, with the operators that it takes.",
    answers: { 200: { description: "All fields.", schema: FilterFields } },
  }, (ctx) => Promise.resolve(ok({ data: describeFields(ctx, filtering) })));
}
