import { z } from "zod";
import { groupings, indicatorGroups } from "./catalogue.ts";

export const Indicator = z.object({
  name: z.string().meta({ example: "cases.closed" }),
  group: z.enum(indicatorGroups),
  description: z.string().meta({ example: "Cases closed; a case can close twice." }),
  unit: z.enum(["number", "money", "seconds", "percent"]).meta({
    description: "`money` is in the currency of the company.",
  }),
  kind: z.enum(["count", "sum", "level", "mean", "rate"]).meta({
    description: "`level`: the value at the end of the time. The other kinds count what happens within it.",
  }),
  group_by: z.array(z.enum(groupings)).meta({
    description:
      "The properties that figures can be grouped by. Grouping by another one gives one row, with null.",
  }),
}).meta({ id: "Indicator" });

export const IndicatorList = z.object({ data: z.array(Indicator) }).meta({ id: "IndicatorList" });
