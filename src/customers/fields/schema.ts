import { z } from "zod";
import { counts } from "../../core/budgets.ts";
import { fieldTypes, validations } from "../../fields/fixed_fields.ts";
import { refusal } from "../../http/validate.ts";
import { filledLine, flag, integerId, optional, queryBoolean, uuid } from "../../http/zod.ts";

export const Option = z.object({
  id: z.uuid().meta({ example: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a00a" }),
  value: z.string().meta({ example: "Diesel" }),
  sort: z.int().nullable(),
}).meta({ id: "FieldOption" });

export const Link = z.object({
  field_id: z.uuid(),
  option_id: z.uuid(),
  options_shown: z.array(z.uuid()),
  default_option: z.uuid().nullable(),
}).meta({
  id: "FieldLink",
  description:
    "While `option_id` is chosen in `field_id`, this field has only `options_shown`. When several " +
    "options are chosen there, each adds its own.",
});

export const Field = z.object({
  id: z.uuid().meta({ example: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a00b" }),
  name: z.string().meta({ example: "fuel", description: "The label in snake_case; it never changes." }),
  type: z.enum(fieldTypes),
  label: z.string().meta({ example: "Fuel" }),
  is_hidden: z.boolean(),
  is_read_only: z.boolean(),
  validation: z.enum(validations).nullable(),
  team_id: z.int().nullable(),
  group_id: z.int().nullable(),
  links: z.array(Link),
  options: z.array(Option),
}).meta({ id: "Field", description: "A custom field. Only members of its team or group see it." });

const ListedField = Field.extend({
  id: z.union([z.uuid(), z.int()]).meta({ example: 14, description: "Of a fixed field an integer." }),
  options: z.array(Option.extend({ id: z.string() })),
  fixed: z.boolean().optional().meta({ description: "Only with `fixed=true` in the query." }),
  required: z.boolean().optional().meta({ description: "Only with `fixed=true` in the query." }),
}).meta({ id: "ListedField", description: "A custom field, or with `fixed=true` a fixed one too." });

export const Fields = z.object({ data: z.array(ListedField) }).meta({ id: "Fields" });

export const FieldsQuery = z.object({
  fixed: queryBoolean.optional().meta({
    description: "`true` lists fixed fields too, in the order of the sort resource.",
  }),
});
export type FieldsQuery = z.output<typeof FieldsQuery>;
export const Links = z.object({ data: z.array(Link) }).meta({ id: "FieldLinks" });

const whose = {
  team_id: optional(integerId),
  group_id: optional(integerId),
};

const changeable = {
  is_hidden: flag(false),
  is_read_only: flag(false),
  validation: z.enum(validations).nullish(),
};

export const FieldBody = z.object({
  label: filledLine(255),
  type: z.enum(fieldTypes),
  ...changeable,
  ...whose,
}).meta({
  id: "FieldBody",
  description: "Without `team_id` and `group_id` the field belongs to " +
    "the company for admins, and to the own group or team for others.",
  example: { label: "Fuel", type: "single_choice" },
});

export const FieldChange = z.object({
  label: filledLine(255).optional(),
  type: z.enum(fieldTypes).optional(),
  is_hidden: optional(z.boolean()),
  is_read_only: optional(z.boolean()),
  validation: z.enum(validations).nullish(),
}).meta({
  id: "FieldChange",
  description: "The type stays once there are values. The name stays when the label changes.",
  example: { label: "Fuel type" },
});

export const OptionBody = z.object({
  value: filledLine(255),
  sort: optional(z.int("Must be an integer.")),
}).meta({ id: "FieldOptionBody", example: { value: "Diesel", sort: 1 } });

export const OptionChange = z.object({
  value: filledLine(255).optional(),
  sort: optional(z.int("Must be an integer.")),
}).meta({ id: "FieldOptionChange", example: { value: "Diesel" } });

export const LinksBody = z.object({
  links: z.array(z.object({
    field_id: uuid,
    option_id: uuid,
    options_shown: z.array(uuid).min(1, "At least 1 option.").max(
      counts.options,
      `At most ${counts.options} options.`,
    ),
    default_option: optional(uuid),
  })).max(200, "At most 200 links."),
}).meta({
  id: "FieldLinksBody",
  example: {
    links: [{
      field_id: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a00b",
      option_id: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a00a",
      options_shown: ["01939c5e-7d3a-7c3f-8a55-0a4be5a1a00c"],
      default_option: null,
    }],
  },
});

/** The most fields in an order: all custom fields of a kind of record, and 50 for its fixed ones. */
const mostSorted = counts.fields + 50;

const SortItem = z.object({
  type: z.enum(["field", "property"]),
  value: z.string().meta({ example: "name" }),
});

export const Sort = z.object({ data: z.array(SortItem) }).meta({
  id: "FieldSort",
  example: { data: [{ type: "property", value: "name" }] },
});

const order = z.array(SortItem).max(mostSorted, `At most ${mostSorted} fields.`).optional();

export const SortBody = z.object({
  sort: order,
  data: order.meta({ description: "As the answer shows it, when `sort` is absent." }),
  ...whose,
}).refine(({ sort, data }) => sort !== undefined || data !== undefined, {
  ...refusal("required", "Must be given."),
  path: ["sort"],
}).transform(({ data = [], sort = data, ...body }) => ({ ...body, sort })).meta({
  id: "FieldSortBody",
  description: "Custom fields by id, fixed ones (`property`) by name; those that are not named follow.",
  example: { sort: [{ type: "property", value: "name" }] },
});

export type FieldBody = z.output<typeof FieldBody>;
export type FieldChange = z.output<typeof FieldChange>;
export type OptionBody = z.output<typeof OptionBody>;
export type OptionChange = z.output<typeof OptionChange>;
export type LinksBody = z.output<typeof LinksBody>;
export type SortBody = z.output<typeof SortBody>;
