/** Wire shapes of reports. */
import { z } from "zod";
import { csv, csvIntegers, csvUuids, queryBoolean, timestamp } from "../../http/zod.ts";
import { UserSummary } from "../../identity/users/user_summary.ts";
import { findIndicator, groupings, indicatorNames } from "../indicators/catalogue.ts";
import { intervals } from "./intervals.ts";

/** In the OpenAPI document: a list of some names, separated by commas. */
function describeNameList(names: readonly string[]) {
  return {
    type: "array",
    items: { type: "string", enum: [...names] },
    param: { style: "form", explode: false },
  } as const;
}

/** A list of names. `isKnown`: whether a name exists. */
const names = <Name extends string>(what: string, isKnown: (name: string) => boolean) =>
  csv.transform((parts, ctx) =>
    [...new Set(parts)].filter((part, index): part is Name => {
      if (isKnown(part)) return true;
      ctx.addIssue({ code: "custom", message: `Must be ${what}.`, params: { code: "enum" }, path: [index] });
      return false;
    })
  );

const indicatorList = names(
  "the name of an indicator: see GET /v1/reports/indicators",
  (name) => findIndicator(name) !== undefined,
)
  .refine((list) => list.length > 0, {
    message: "Must name an indicator.",
    params: { code: "required" },
  })
  .meta({ ...describeNameList(indicatorNames), example: ["cases.closed", "cases.closed.value"] as never });

/** What every figure can be filtered by; times are UTC. */
export const filterParameters = {
  indicators: indicatorList,
  start_at: timestamp.optional().meta({
    description: "The beginning of the time. Default: one month before its end.",
  }),
  end_at: timestamp.optional().meta({
    description: "The end of the time, which is not part of it. Default: the end of this second.",
    example: "2026-02-01 00:00:00",
  }),
  activity_type_ids: csvUuids.optional(),
  created_from_lead: queryBoolean.optional().meta({
    description: "Only what a lead began, or only what none did.",
  }),
  lead_sources: csv.optional().meta({ example: "website,fair" }),
  lead_type_ids: csvUuids.optional(),
  product_ids: csvUuids.optional(),
  relations_path_ids: csvUuids.optional(),
} as const;

export const groupParameters = {
  group_by: names<(typeof groupings)[number]>(
    `one of ${groupings.join(", ")}`,
    (name) => (groupings as readonly string[]).includes(name),
  ).optional().meta({
    ...describeNameList(groupings),
    description: "One or several, separated by commas. Default: `user`. Empty: no groups.",
    example: ["team"] as never,
  }),
  group_ids: csvIntegers.optional(),
  team_ids: csvIntegers.optional(),
  user_ids: csvIntegers.optional(),
} as const;

export const intervalParameter = {
  interval: z.enum(intervals).default("month").meta({
    description: "Whole intervals by the calendar of the company's time zone; at most 1,000.",
  }),
} as const;

export const MetricsQuery = z.object({
  ...filterParameters,
  ...groupParameters,
  compare: z.enum(["previous"]).optional().meta({
    description: "Also returns the values of the same length of time before.",
  }),
});
export type MetricsQuery = z.output<typeof MetricsQuery>;

export const TimeSeriesQuery = z.object({ ...filterParameters, ...groupParameters, ...intervalParameter });
export type TimeSeriesQuery = z.output<typeof TimeSeriesQuery>;

export const AveragesQuery = z.object({ ...filterParameters, ...intervalParameter });
export type AveragesQuery = z.output<typeof AveragesQuery>;

const indicator = z.string().meta({ example: "cases.closed" });
const value = z.number().nullable().meta({
  description: "Null: a mean or a rate without data.",
  example: 12,
});

/** The id and the name of each group that the call asked for. */
const GroupMembers = z.object({
  activity_type_id: z.string().nullable().optional(),
  activity_type_name: z.string().nullable().optional(),
  company_id: z.int().nullable().optional(),
  company_name: z.string().nullable().optional(),
  group_id: z.int().nullable().optional(),
  group_name: z.string().nullable().optional(),
  lead_source_id: z.string().nullable().optional(),
  lead_source_name: z.string().nullable().optional(),
  lead_type_id: z.string().nullable().optional(),
  lead_type_name: z.string().nullable().optional(),
  product_id: z.string().nullable().optional(),
  product_name: z.string().nullable().optional(),
  relations_path_id: z.string().nullable().optional(),
  relations_path_name: z.string().nullable().optional(),
  team_id: z.int().nullable().optional(),
  team_name: z.string().nullable().optional(),
  user_id: z.int().nullable().optional(),
  user_name: z.string().nullable().optional(),
});
export type GroupMembers = z.output<typeof GroupMembers>;

export const MetricsReport = z.object({
  group_by: z.array(z.enum(groupings)),
  data: z.array(z.object({
    indicator,
    value,
    ...GroupMembers.shape,
    previous: value.optional(),
    change_pct: z.number().nullable().optional().meta({
      description: "Null if there was no value before.",
    }),
  })),
}).meta({ id: "MetricsReport" });

export const TimeSeriesReport = z.object({
  group_by: z.array(z.enum(groupings)),
  interval: z.enum(intervals),
  data: z.array(z.object({
    indicator,
    key: z.string().meta({ description: "The ids of the group, joined by `:`.", example: "12" }),
    value,
    start_at: z.string().meta({ example: "2026-01-01 00:00:00" }),
    end_at: z.string().meta({
      description: "The beginning of the next interval.",
      example: "2026-02-01 00:00:00",
    }),
    ...GroupMembers.shape,
  })),
}).meta({ id: "TimeSeriesReport" });

export const AveragesReport = z.object({
  interval: z.enum(intervals),
  data: z.array(z.object({ indicator, user: UserSummary.nullable(), value })),
}).meta({ id: "AveragesReport" });
