/** Wire shapes of indicator sets. */
import { z } from "zod";
import { pageOfSchema, paging, sorting } from "../../http/lists.ts";
import { refusal } from "../../http/validate.ts";
import { csvUuids, filledLine, integerId, optional } from "../../http/zod.ts";
import { indicatorNames, indicatorOf } from "../indicators/catalogue.ts";
import { setScopes } from "./belonging.ts";

export const setSorts = { created_at: "created_at" };

/** The number of sets on a page without `per_page`. */
export const setsOnPage = 50;

export const IndicatorSetListQuery = z.object({
  ids: csvUuids.optional(),
  ...paging,
  per_page: paging.per_page.meta({
    description: `1 to 100; ${setsOnPage} when absent.`,
    example: setsOnPage,
  }),
  ...sorting(setSorts),
});

const name = filledLine(255).meta({ example: "Sales of the week" });

/** Enough for each indicator to be named twice. */
const mostNamed = 2 * indicatorNames.length;

const indicators = z.array(
  z.string().refine(
    (given) => indicatorOf(given) !== undefined,
    refusal("enum", "Must be the name of an indicator, see GET /v1/reports/indicators."),
  ),
).refine((given) => given.length > 0, refusal("min", "At least one indicator."))
  .refine((given) => given.length <= mostNamed, refusal("max", `At most ${mostNamed} indicators.`))
  .transform((given) => [...new Set(given)])
  .meta({
    description:
      "Names of `GET /v1/reports/indicators`, in the order of the report; a repeated one counts once.",
    example: ["cases.closed", "cases.closed.value"],
  });

const belonging = {
  scope: z.enum(setScopes).optional().meta({
    description:
      "`user`: only its maker sees it, the default. `company`: all users, for admins. `team` and " +
      "`group` follow from `team_id` and `group_id`.",
    example: "user",
  }),
  team_id: optional(integerId).meta({ description: "The team that shares it.", example: null }),
  group_id: optional(integerId).meta({ description: "The group that shares it.", example: null }),
};

export const IndicatorSetBody = z.object({ name, indicators, ...belonging }).meta({
  id: "IndicatorSetBody",
  example: { name: "Sales of the week", indicators: ["cases.closed", "cases.closed.value"] },
});

export const IndicatorSetChange = z.object({
  name: name.optional(),
  indicators: indicators.optional(),
  ...belonging,
}).meta({
  id: "IndicatorSetChange",
  description: "An absent member keeps its value.",
  example: { name: "Sales of the month" },
});

export type IndicatorSetBody = z.output<typeof IndicatorSetBody>;
export type IndicatorSetChange = z.output<typeof IndicatorSetChange>;
export type IndicatorSetListQuery = z.output<typeof IndicatorSetListQuery>;

export const IndicatorSet = z.object({
  id: z.string().meta({ example: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a001" }),
  name: z.string().meta({ example: "Sales of the week" }),
  indicators: z.array(z.string()).meta({ example: ["cases.closed", "cases.closed.value"] }),
  user_id: z.int().meta({ example: 3, description: "The maker." }),
  scope: z.enum(setScopes).meta({ example: "user" }),
  team_id: z.int().nullable().meta({ example: null }),
  group_id: z.int().nullable().meta({ example: null }),
  created_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
  updated_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
}).meta({
  id: "IndicatorSet",
  description:
    "A named list of indicators. Only its maker sees a private one; a shared one is visible to its team, " +
    "to teams in a group with it, to its group or to the company, and to admins.",
});

export const IndicatorSetPage = pageOfSchema(IndicatorSet, "IndicatorSetPage");
