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
    description: "Of a `level` figures are as at the end of the time; of the others, of what happens in it.",
  }),
  group_by: z.array(z.enum(groupings)).openapi({
    description: "The properties that figures can be grouped by. By another one there is one row, with null.",
  }),
}).openapi("Indicator");

export const IndicatorList = z.object({ data: z.array(Indicator) }).openapi("IndicatorList");
