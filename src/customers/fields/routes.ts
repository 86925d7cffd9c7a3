import { counts, linksBudget, partBudgets } from "../../core/budgets.ts";
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { putLinks } from "./links.ts";
import { createOption, deleteOption, updateOption } from "./options.ts";
import {
  Field,
  FieldBody,
  FieldChange,
  Fields,
  FieldsQuery,
  Links,
  LinksBody,
  Option,
  OptionBody,
  OptionChange,
  Sort,
  SortBody,
} from "./schema.ts";
import { getSort, putSort } from "./sort.ts";
import { createField } from "./create.ts";
import { deleteField } from "./delete.ts";
import { getField, listFields } from "./get.ts";
import { updateField } from "./update.ts";
import type { StopFilters } from "./stop_filters.ts";

const tag = "Fields";
const kind = { owner_type: "text" } as const;
const one = { ...kind, field_id: "uuid" } as const;
const option = { ...one, option_id: "uuid" } as const;
const definitionsKib = partBudgets.definitions / 1024;
const sizes = `At most ${counts.fields} for each kind of record. Their definitions take at most ` +
  `${definitionsKib} KiB for each kind of record, options included.`;
const makers =
  "For admins; group admins and team admins create and update those of their own groups and teams.";

/**
 * `owner_type` is `account`, `contact`, `product` or `team`. `stopFilters` stops the stored filters that name a deleted
 * field or option.
 */
export const declareFieldEndpoints = (stopFilters: StopFilters): Endpoint[] => [
  endpoint({
    method: "get",
    path: "/v1/fields/:owner_type/sort",
    operation: "getFieldSort",
    tag,
    summary: "Get the order of the fields of a kind of record",
    params: kind,
    answers: { 200: { description: "All fields that the caller sees, in order.", schema: Sort } },
  }, (ctx, { params }) => getSort(ctx, params.owner_type)),
  endpoint({
    method: "put",
    path: "/v1/fields/:owner_type/sort",
    operation: "putFieldSort",
    tag,
    summary: "Set the order of the fields of a kind of record",
    description: `${makers} A team's order comes before its group's, and that before the company's.`,
    params: kind,
    body: SortBody,
    answers: { 200: { description: "The whole order.", schema: Sort } },
  }, (ctx, { params, body }) => putSort(ctx, params.owner_type, body)),
  endpoint({
    method: "get",
    path: "/v1/fields/:owner_type",
    operation: "listFields",
    tag,
    summary: "List the custom fields of a kind of record",
    params: kind,
    query: FieldsQuery,
    answers: { 200: { description: "The fields that the caller sees, in order.", schema: Fields } },
  }, (ctx, { params, query }) => listFields(ctx, params.owner_type, query)),
  endpoint({
    method: "post",
    path: "/v1/fields/:owner_type",
    operation: "createField",
    tag,
    summary: "Create a custom field",
    description: `${makers} ${sizes}`,
    params: kind,
    body: FieldBody,
    answers: { 201: { description: "The field.", schema: Field } },
  }, (ctx, { params, body }) => createField(ctx, params.owner_type, body)),
  endpoint({
    method: "get",
    path: "/v1/fields/:owner_type/:field_id",
    operation: "getField",
    tag,
    summary: "Get a custom field",
    params: one,
    answers: { 200: { description: "The field.", schema: Field } },
  }, (ctx, { params }) => getField(ctx, params.owner_type, params.field_id)),
  endpoint({
    method: "put",
    path: "/v1/fields/:owner_type/:field_id",
    operation: "updateField",
    tag,
    summary: "Change a custom field",
    description: makers,
    params: one,
    body: FieldChange,
    answers: { 200: { description: "The field.", schema: Field } },
  }, (ctx, { params, body }) => updateField(ctx, params.owner_type, params.field_id, body, stopFilters)),
  endpoint({
    method: "delete",
    path: "/v1/fields/:owner_type/:field_id",
    operation: "deleteField",
    tag,
    summary: "Delete a custom field with its values",
    description: makers,
    params: one,
    answers: { 204: { description: "The field is deleted.", schema: null } },
  }, (ctx, { params }) => deleteField(ctx, params.owner_type, params.field_id, stopFilters)),
  endpoint({
    method: "put",
    path: "/v1/fields/:owner_type/:field_id/links",
    operation: "putFieldLinks",
    tag,
    summary: "Set the links that limit the options of a field",
    description:
      `${makers} A choice of the option sets the default when the request does not name the field, ` +
      "and otherwise removes choices that are no longer shown. The links of all fields of a kind of " +
      `record take ${linksBudget / 1024} KiB at most.`,
    params: one,
    body: LinksBody,
    answers: { 200: { description: "The links.", schema: Links } },
  }, (ctx, { params, body }) => putLinks(ctx, params.owner_type, params.field_id, body)),
  endpoint({
    method: "post",
    path: "/v1/fields/:owner_type/:field_id/options",
    operation: "createFieldOption",
    tag,
    summary: "Add an option to a choice field",
    description: `${makers} At most ${counts.options} for a field and ${counts.companyOptions} for a ` +
      `company. The definitions of fields take at most ${definitionsKib} KiB for each kind of record.`,
    params: one,
    body: OptionBody,
    answers: { 201: { description: "The option.", schema: Option } },
  }, (ctx, { params, body }) => createOption(ctx, params.owner_type, params.field_id, body)),
  endpoint(
    {
      method: "put",
      path: "/v1/fields/:owner_type/:field_id/options/:option_id",
      operation: "updateFieldOption",
      tag,
      summary: "Change an option",
      description: makers,
      params: option,
      body: OptionChange,
      answers: { 201: { description: "The updated option.", schema: Option } },
    },
    (ctx, { params, body }) => updateOption(ctx, params.owner_type, params.field_id, params.option_id, body),
  ),
  endpoint(
    {
      method: "delete",
      path: "/v1/fields/:owner_type/:field_id/options/:option_id",
      operation: "deleteFieldOption",
      tag,
      summary: "Delete an option, and the values that chose it",
      description: makers,
      params: option,
      answers: { 204: { description: "The option is deleted.", schema: null } },
    },
    (ctx, { params }) => deleteOption(ctx, params.owner_type, params.field_id, params.option_id, stopFilters),
  ),
];
