/** Wire shapes of the filters of a scheduled report. */
import { z } from "zod";
import { refusal } from "../../http/validate.ts";
import { integerId, optional, orShown, text, uuid } from "../../http/zod.ts";

const mostListed = 1_000;
export const makeListSchema = <T extends z.ZodType>(item: T) =>
  z.array(item).refine((list) => list.length <= mostListed, refusal("max", `At most ${mostListed} values.`))
    .transform((list) => [...new Set(list)]);

const asShown = { description: "As the answer shows it." };

/** What an answer names differently is taken under both names; the name of the request wins. */
export const GivenFilters = z.object({
  relation_path_ids: optional(makeListSchema(uuid)),
  lead_type_ids: optional(makeListSchema(uuid)),
  lead_sources: optional(makeListSchema(text(255))).meta({ example: ["website"] }),
  group_ids: optional(makeListSchema(integerId)).meta({ description: "For admins.", example: [1] }),
  team_ids: optional(makeListSchema(integerId)).meta({
    description: "For admins and group admins.",
    example: [2],
  }),
  relations_paths: optional(makeListSchema(orShown("id", uuid))).meta(asShown),
  lead_types: optional(makeListSchema(orShown("id", uuid))).meta(asShown),
  groups: optional(makeListSchema(orShown("id", integerId))).meta(asShown),
  teams: optional(makeListSchema(orShown("id", integerId))).meta(asShown),
}).transform(({ relations_paths, lead_types, groups, teams, ...given }) => {
  const filters = {
    relation_path_ids: given.relation_path_ids ?? relations_paths,
    lead_type_ids: given.lead_type_ids ?? lead_types,
    lead_sources: given.lead_sources,
    group_ids: given.group_ids ?? groups,
    team_ids: given.team_ids ?? teams,
  };
  // Unknown members alone say nothing, so they clear nothing.
  return Object.values(filters).every((list) => list === undefined) ? undefined : filters;
});

export type GivenFilters = z.output<typeof GivenFilters>;

const makeNamedSchema = (example: string | number) =>
  z.object({
    id: (typeof example === "number" ? z.int() : z.string()).meta({ example }),
    name: z.string().nullable().meta({
      description: "Null when the caller does not see the record.",
      example: "New cars",
    }),
  });
export const exampleId = "01939c5e-7d3a-7c3f-8a55-0a4be5a1a001";

export const ShownFilters = z.object({
  relations_paths: z.array(makeNamedSchema(exampleId)),
  lead_types: z.array(makeNamedSchema(exampleId)),
  lead_sources: z.array(z.string()).meta({ example: ["website"] }),
  groups: z.array(makeNamedSchema(1)),
  teams: z.array(makeNamedSchema(2)),
}).meta({ description: "Empty lists filter nothing." });
