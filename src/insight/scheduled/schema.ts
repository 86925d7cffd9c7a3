/** Wire shapes of scheduled reports. */
import { z } from "zod";
import { orShownAs } from "../../http/as_shown.ts";
import { UserSummary } from "../../customers/accounts/schema.ts";
import { pageOfSchema, paging, sorting } from "../../http/lists.ts";
import { refusal } from "../../http/validate.ts";
import { filledLine, integerId, optional, orShown, text, uuid } from "../../http/zod.ts";
import { failureSchema } from "../failures.ts";
import { frequencies } from "./periods.ts";
import { scheduleFailures } from "./failures.ts";

export const scheduleSorts = { created_at: "created_at" };

export const ScheduledReportListQuery = z.object({
  indicator_set_id: uuid.optional(),
  ...paging,
  ...sorting(scheduleSorts),
});
export type ScheduledReportListQuery = z.output<typeof ScheduledReportListQuery>;

const mostListed = 1_000;
const listOf = <T extends z.ZodType>(item: T) =>
  z.array(item).refine((list) => list.length <= mostListed, refusal("max", `At most ${mostListed} values.`))
    .transform((list) => [...new Set(list)]);

const name = filledLine(255).meta({ example: "Sales of the week" });
const frequency = z.enum(frequencies).meta({
  description: "Delivered on the first day of the next day, week (Monday), month, quarter or year.",
  example: "week",
});
const recipients = listOf(integerId).refine(
  (list) => list.length > 0,
  refusal("required", "At least one recipient."),
).meta({ example: [3, 4] });

const asShown = { description: "As the answer shows it." };

/** What an answer names differently is taken under both names; the name of the request wins. */
const filters = z.object({
  relation_path_ids: optional(listOf(uuid)),
  lead_type_ids: optional(listOf(uuid)),
  lead_sources: optional(listOf(text(255))).meta({ example: ["website"] }),
  group_ids: optional(listOf(integerId)).meta({ description: "For admins.", example: [1] }),
  team_ids: optional(listOf(integerId)).meta({
    description: "For admins and group admins.",
    example: [2],
  }),
  relations_paths: optional(listOf(orShown("id", uuid))).meta(asShown),
  lead_types: optional(listOf(orShown("id", uuid))).meta(asShown),
  groups: optional(listOf(orShown("id", integerId))).meta(asShown),
  teams: optional(listOf(orShown("id", integerId))).meta(asShown),
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

export const ScheduledReportBody = z.object({
  name,
  indicator_set_id: uuid,
  delivery_frequency: frequency,
  recipient_user_ids: recipients,
  filters: optional(filters),
}).meta({
  id: "ScheduledReportBody",
  example: {
    name: "Sales of the week",
    indicator_set_id: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a001",
    delivery_frequency: "week",
    recipient_user_ids: [3, 4],
  },
});
export type ScheduledReportBody = z.output<typeof ScheduledReportBody>;

export const ScheduledReportChange = orShownAs(
  z.object({
    name: name.optional(),
    indicator_set_id: uuid.optional(),
    delivery_frequency: frequency.optional(),
    recipient_user_ids: recipients.optional(),
    filters: optional(filters),
  }),
  { indicator_set_id: ["indicator_set", uuid], recipient_user_ids: ["recipients", integerId] },
).meta({
  id: "ScheduledReportChange",
  description: "An absent member keeps its value; `filters` are replaced together, null removes them.",
  example: { name: "Sales of the month", delivery_frequency: "month" },
});
export type ScheduledReportChange = z.output<typeof ScheduledReportChange>;

const named = (example: string | number) =>
  z.object({
    id: (typeof example === "number" ? z.int() : z.string()).meta({ example }),
    name: z.string().nullable().meta({
      description: "Null when the caller does not see the record.",
      example: "New cars",
    }),
  });
const id = "01939c5e-7d3a-7c3f-8a55-0a4be5a1a001";

const listed = {
  id: z.string().meta({ example: id }),
  name: z.string().meta({ example: "Sales of the week" }),
  indicator_set: z.object({
    id: z.string().meta({ example: id }),
    name: z.string().nullable().meta({
      description: "Null when the caller does not see the indicator set, or it was deleted.",
      example: "Sales",
    }),
  }),
  delivery_frequency: frequency,
  next_delivery: z.string().nullable().meta({
    description:
      "By the company's calendar; null when none comes, because its maker was deleted, lost the right or no " +
      "longer sees the indicator set.",
    example: "2026-01-12",
  }),
  error: failureSchema(scheduleFailures, "right_missing").meta({
    description: "Why none comes, or why the last one was left out; null otherwise.",
    example: null,
  }),
  user_id: z.int().meta({ description: "The maker, whose rights decide on the figures.", example: 3 }),
  recipients_count: z.int().meta({ example: 2 }),
  created_at: z.string().meta({ example: "2026-01-05 10:00:00" }),
  updated_at: z.string().meta({ example: "2026-01-05 10:00:00" }),
};

export const ScheduledReportSummary = z.object(listed).meta({ id: "ScheduledReportSummary" });
export const ScheduledReportPage = pageOfSchema(ScheduledReportSummary, "ScheduledReportPage");

export const ScheduledReport = z.object({
  ...listed,
  recipients: z.array(UserSummary),
  filters: z.object({
    relations_paths: z.array(named(id)),
    lead_types: z.array(named(id)),
    lead_sources: z.array(z.string()).meta({ example: ["website"] }),
    groups: z.array(named(1)),
    teams: z.array(named(2)),
  }).meta({ description: "Empty lists filter nothing." }),
}).meta({ id: "ScheduledReport", description: "A report that is delivered by the calendar." });
