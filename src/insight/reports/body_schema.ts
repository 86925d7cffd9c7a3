/** The parameters of reports as members of a JSON body. */
import { z } from "zod";
import { refusal } from "../../http/validate.ts";
import { optional, text, timestamp, uuid } from "../../http/zod.ts";
import { findIndicator, groupings, indicatorNames } from "../indicators/catalogue.ts";

/** Values of a list at most. */
const mostListed = 1_000;

const makeListSchema = <T extends z.ZodType>(item: T) =>
  z.array(item).refine((list) => list.length <= mostListed, refusal("max", `At most ${mostListed} values.`));
const unique = <T>(list: readonly T[]): T[] => [...new Set(list)];

/** What every figure can be filtered by; times are UTC. */
export const filterMembers = {
  indicators: makeListSchema(
    z.string().refine(
      (name) => findIndicator(name) !== undefined,
      refusal("enum", "Must be the name of an indicator: see GET /v1/reports/indicators."),
    ),
  ).refine((list) => list.length > 0, refusal("required", "Must name an indicator.")).transform(unique)
    .meta({ example: indicatorNames.slice(0, 2) }),
  start_at: timestamp.optional().meta({
    description: "The beginning of the time. Default: one month before its end.",
    example: "2026-01-01 00:00:00",
  }),
  end_at: timestamp.optional().meta({
    description: "The end of the time, which is not part of it. Default: the end of this second.",
    example: "2026-02-01 00:00:00",
  }),
  activity_type_ids: optional(makeListSchema(uuid)),
  created_from_lead: optional(z.boolean()).meta({
    description: "Only what a lead began, or only what none did.",
    example: true,
  }),
  lead_sources: optional(makeListSchema(text(255))).meta({ example: ["website", "fair"] }),
  lead_type_ids: optional(makeListSchema(uuid)),
  product_ids: optional(makeListSchema(uuid)),
  relations_path_ids: optional(makeListSchema(uuid)),
} as const;

const ids = optional(makeListSchema(z.int())).meta({ example: [12] });

export const groupMembers = {
  group_by: makeListSchema(z.enum(groupings)).transform(unique).optional().meta({
    description: "Default: `user`. Empty: no groups.",
    example: ["team"],
  }),
  group_ids: ids,
  team_ids: ids,
  user_ids: ids,
} as const;

export const compareMember = {
  compare: optional(z.enum(["previous"])).meta({
    description: "Also returns the values of the same length of time before.",
    example: "previous",
  }),
} as const;
