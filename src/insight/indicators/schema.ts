import { z } from "@hono/zod-openapi";
import { groupings, indicatorGroups } from "./catalogue.ts";

export const Indicator = z.object({
  name: z.string().openapi({ example: "cases.closed" }),
  group: z.enum(indicatorGroups),
  description: z.string().openapi({ example: "Cases closed; a case can close twice." }),
  unit: z.enum(["number", "money", "seconds", "percent"]).openapi({
    description: "`money` is in the currency of the company.",
  }),
  kind: z.enum(["count", "sum", "level", "mean", "rate"]).openapi({
    description: "`level`: the value at the end of the time. The other kinds count what happens within it.",
  }),
  group_by: z.array(z.enum(groupings)).openapi({
    description:
      "The properties that figures can be grouped by. Grouping by another one gives one row, with null.",
  }),
}).openapi("Indicator");

export const IndicatorList = z.object({ data: z.array(Indicator) }).openapi("IndicatorList");
