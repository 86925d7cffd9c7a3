/** Wire shapes of charts. */
import { z } from "zod";
import { compareMember, filterMembers, groupMembers } from "../reports/body_schema.ts";
import { intervalParameter } from "../reports/schema.ts";

export const ChartImage = z.string().meta({
  id: "ChartImage",
  description:
    "An SVG image, 800 pixels wide, in light or dark as its reader prefers. Its title and description have the figures in words.",
  example: '<svg xmlns="http://www.w3.org/2000/svg" width="800" height="200" role="img"></svg>',
});

export const ChartBody = z.object({
  kind: z.enum(["metrics", "time-series"]).meta({
    description: "`metrics`: bars by group. `time-series`: lines over time.",
    example: "time-series",
  }),
  ...filterMembers,
  ...groupMembers,
  ...compareMember,
  interval: intervalParameter.interval.meta({
    description:
      "Of `time-series`: whole intervals by the calendar of the company's time zone; at most 1,000.",
    example: "month",
  }),
}).meta({
  id: "ChartBody",
  example: { kind: "time-series", indicators: ["cases.closed"], group_by: ["team"], interval: "month" },
});

export const ChartAddress = z.object({
  url: z.url().meta({
    description: "The chart, for 24 hours; needs no token.",
    example: "https://crm.example.org/charts/AZOcXn06fD-KVQpL5aGgAQ.svg",
  }),
  expires_at: z.string().meta({ example: "2026-02-01 10:00:00" }),
}).meta({ id: "ChartAddress" });
