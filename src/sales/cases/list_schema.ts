/** Wire shapes of the queries of lists of cases, and of the board. */
import { z } from "zod";
import {
  csv,
  csvIntegers,
  csvUuids,
  csvWithUuids,
  queryBoolean,
  queryInteger,
  requireOrder,
  timestamp,
  uuid,
} from "../../http/zod.ts";
import { isUuid } from "../../core/ids.ts";
import { paging, search, sorting, view } from "../../http/lists.ts";
import { refusal } from "../../http/validate.ts";
import { milestoneTypes } from "../relations_paths/schema.ts";
import { storedCaseStatuses } from "./lifecycle.ts";
import { CaseEntry } from "./schema.ts";

/** The orders that `sort` offers. Cases without activity come before the others, those without a date behind. */
export const caseSorts = {
  created_at: "created_at",
  updated_at: "updated_at",
  latest_activity_at: "important_key",
  estimated_close_date: "close_key",
  value: "offer_value",
};

/** The parameters of the lists of cases that the board has too. */
const narrowing = {
  ...search,
  show: z.enum(["mine", "team"]).optional().meta({
    description: "`mine`: the caller's own cases; `team`: those of the caller's teams; default: all visible.",
  }),
  users: csvIntegers.optional(),
  teams: csvIntegers.optional(),
  created_from_lead: queryBoolean.optional(),
  lead_types: csvUuids.optional().meta({ description: "Not allowed together with `created_from_lead`." }),
  lead_sources: csv.optional(),
  start_at: timestamp.optional().meta({ description: "Created at this moment or later." }),
  end_at: timestamp.optional().meta({ description: "Created at this moment or earlier; after `start_at`." }),
};

type LeadParameters = { lead_types?: unknown; created_from_lead?: unknown };

/** Refuses both parameters about leads together. */
function oneAboutLeads<T extends z.ZodType<LeadParameters>>(schema: T): T {
  return schema.refine(
    ({ lead_types, created_from_lead }) => lead_types === undefined || created_from_lead === undefined,
    {
      ...refusal("excluded", "Not allowed together with created_from_lead."),
      path: ["lead_types"],
    },
  );
}

/** Ids of milestones; `none` is null. */
const milestones = csvWithUuids.transform((parts, ctx) =>
  parts.map((part, index) => {
    if (part === "none") return null;
    if (isUuid(part)) return part.toLowerCase();
    const message = "Must be a list of UUIDs, or none.";
    ctx.addIssue({ code: "custom", message, params: { code: "type" }, path: [index] });
    return null;
  })
).meta({
  type: "string",
  description: "The highest milestone done; `none`: no milestone is done.",
  example: "none",
});

const csvMilestoneTypes = csv.refine(
  (types) => types.every((type) => (milestoneTypes as readonly string[]).includes(type)),
  refusal("enum", `Each must be one of ${milestoneTypes.join(", ")}.`),
);

const contact_ids = csvUuids.optional().meta({ description: "Cases of these contacts." });

export const AccountCasesQuery = z.object({
  ...paging,
  ...search,
  status: z.enum(storedCaseStatuses).optional(),
  contact_ids,
});
export type AccountCasesQuery = z.output<typeof AccountCasesQuery>;

export const CaseListQuery = oneAboutLeads(requireOrder(
  requireOrder(
    z.object({
      ...paging,
      ...view,
      ...sorting(caseSorts),
      ...narrowing,
      status: z.enum(storedCaseStatuses).optional(),
      sort_mode: z.enum(["important", "recent"]).optional().meta({
        description:
          "`important` (default): without activity first, then by latest activity, oldest first. " +
          "`recent`: open, closed, declined; in each the newest activity first.",
      }),
      relations_paths: csvUuids.optional(),
      milestone_types: csvMilestoneTypes.optional().meta({
        description: "The type of the highest milestone done.",
      }),
      milestone_ids: milestones.optional(),
      milestone_start_at: timestamp.optional().meta({
        description: "When the highest milestone was done.",
      }),
      milestone_end_at: timestamp.optional(),
      stock_vehicle_id: uuid.optional(),
      account_ids: csvUuids.optional().meta({ description: "Cases of these accounts." }),
      contact_ids,
    }),
    "start_at",
    "end_at",
  ),
  "milestone_start_at",
  "milestone_end_at",
)).refine((query) => query.sort === undefined || query.sort_mode === undefined, {
  ...refusal("excluded", "Not allowed together with sort_mode."),
  path: ["sort"],
});
export type CaseListQuery = z.output<typeof CaseListQuery>;

export const BoardQuery = oneAboutLeads(requireOrder(
  z.object({
    relations_path_id: uuid,
    per_column: queryInteger(0, 50).optional().meta({
      description: "The most cases that a column shows; 20 when absent.",
      example: 20,
    }),
    ...narrowing,
  }),
  "start_at",
  "end_at",
));
export type BoardQuery = z.output<typeof BoardQuery>;

const BoardColumn = z.object({
  milestone: z.object({
    id: z.uuid(),
    name: z.string(),
    sort_order: z.int(),
    set_status: z.enum(storedCaseStatuses).nullable(),
    chance_of_success: z.int().nullable(),
  }).nullable().meta({ description: "Null: the cases that have done no milestone." }),
  count: z.int(),
  sum: z.number().meta({ description: "What all its cases come to, those that it does not show too." }),
  weighted_sum: z.number().meta({ description: "The sum of each value times its chance of success." }),
  data: z.array(CaseEntry),
  next: z.string().nullable().meta({ description: "The list of all its cases; null when it shows all." }),
}).meta({ id: "BoardColumn" });

export const Board = z.object({
  relations_path: z.object({ id: z.uuid(), name: z.string() }),
  currency: z.string().meta({ example: "EUR" }),
  columns: z.array(BoardColumn),
}).meta({ id: "Board", description: "The open cases of a relations path by the highest milestone done." });
