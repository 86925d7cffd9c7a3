/** The wire shape of filters. */
import { z } from "zod";
import { readBy } from "../http/ignored_members.ts";
import { longestText, mostCharacters, mostValues } from "./operands.ts";
import { mostLevels, mostNodes } from "./parse.ts";

const description =
  "Conditions `{field, operator, value}` and groups `{and: [...]}` or `{or: [...]}`, which nest; " +
  "all of the list must hold. Operators: `eq`, `neq`, `sw`, `ew`, `ct`, `nct`, `exists`, `gt`, `gte`, `lt`, `lte`, " +
  "`in`, `nin`. Dates are `Y-m-d H:i:s`, or `NOW` with `+` or `-`, a number and one of `y`, `M`, `w`, `d`, `h`, `m`, `s`. " +
  `At most ${mostLevels} levels, ${mostNodes} conditions and groups, ${mostValues} values in one \`in\`, ` +
  `${longestText} characters in a text, and ${mostCharacters} in all values together.`;

export const example = [
  { field: "b2b_contact.fixed_fields.last_name", operator: "sw", value: "by" },
  { or: [{ field: "contact.created_at", operator: "gt", value: "NOW-3M" }] },
];

/** What `parseFilter` reads of a condition or a group. */
const Node = z.object({
  field: z.unknown(),
  operator: z.unknown(),
  value: z.unknown(),
  get and() {
    return z.array(Node);
  },
  get or() {
    return z.array(Node);
  },
});

/** Read by `parseFilter`, which knows the fields. */
export const Nodes = readBy(
  z.unknown().meta({
    type: "array",
    items: { type: "object", additionalProperties: true },
    description,
    example,
  }),
  z.array(Node),
);

export const FilterBody = z.object({ filter: Nodes }).meta({
  id: "FilterBody",
  required: ["filter"],
  example: { filter: example },
});
