/** Wire shapes of relations paths. */
import { z } from "zod";
import { counts, pathsBudget } from "../../core/budgets.ts";
import { isOwnedOnce } from "../../identity/owners.ts";
import { filledLine, integerId, integerIdOrNone, optional, text, uuid } from "../../http/zod.ts";
import { describePage, paging, sorting } from "../../http/lists.ts";
import { refusal } from "../../http/validate.ts";

/** The members of a path that list its activity types. */
export const activityTypeKinds = ["milestones", "supportive"] as const;
export const milestoneTypes = ["test_drive", "offer", "need_analysis"] as const;
const statuses = ["open", "closed", "declined"] as const;
export const tooManyTypes =
  `At most ${counts.activityTypes} activity types, milestones and supportive ones together.`;
const tooMany = refusal("max", tooManyTypes);
const twiceOwned = {
  ...refusal("excluded", "A path belongs to a team or a group, not to both."),
  path: ["group_id"],
};

const ofActivityType = {
  description: optional(text(65_535)),
  type: optional(z.enum(milestoneTypes)).meta({ example: "offer" }),
  sort_order: optional(z.int()).meta({
    description: "The rank on the path; default: its place in the list.",
  }),
  set_status: optional(z.enum(statuses)).meta({
    description: "The status that the activity gives the case.",
  }),
  suggest_task_after: optional(z.int().min(0).max(36_500)).meta({ description: "Days.", example: 3 }),
  template_id: integerIdOrNone.meta({ description: "The template that is suggested; 0: none." }),
  content_suggestions: optional(z.array(text(65_535)).max(100)),
  additional_steps: optional(z.array(filledLine(60)).max(50)).meta({ example: ["product_details"] }),
  automated_communications: optional(
    z.array(uuid).max(100).refine(
      (ids) => new Set(ids).size === ids.length,
      refusal("unique", "Lists an automated communication twice."),
    ),
  ).meta({ description: "Automated communications that such an activity starts.", example: [] }),
  chance_of_success: optional(z.int().min(0).max(100)).meta({ example: 60 }),
};

const ActivityTypeBody = z.object({
  name: filledLine(255).meta({ example: "Offer" }),
  ...ofActivityType,
  extra_step: optional(z.object({ name: filledLine(255) })),
});
const ActivityTypeChange = z.object({
  id: optional(uuid).meta({
    description: "The id of an existing activity type; without one, an activity type is created.",
  }),
  name: filledLine(255).optional().meta({ description: "Required without an id.", example: "Offer" }),
  ...ofActivityType,
  extra_step: optional(z.object({ id: optional(uuid), name: filledLine(255) })).meta({
    description: "With an id, renames that step; without one, adds a step.",
  }),
}).refine(({ id, name }) => (id ?? null) !== null || name !== undefined, {
  ...refusal("required", "Must be given."),
  path: ["name"],
});
export type ActivityTypeChange = z.output<typeof ActivityTypeChange>;
export type ActivityTypeBody = z.output<typeof ActivityTypeBody>;

export const CreatePathBody = z.object({
  name: filledLine(255).meta({ example: "New cars" }),
  is_sales_type: optional(z.boolean()),
  team_id: optional(integerId).meta({
    description: "The owning team; without team and group the path belongs to the company.",
  }),
  group_id: optional(integerId),
  activity_types: z.object({
    milestones: z.array(ActivityTypeBody).min(1, "At least one milestone.").max(counts.activityTypes),
    supportive: optional(z.array(ActivityTypeBody).max(counts.activityTypes)),
  }).refine(together, tooMany),
}).refine(isOwnedOnce, twiceOwned).meta({
  id: "RelationsPathCreate",
  description: `The steps of a sale: at most ${counts.activityTypes} activity types, milestones and ` +
    `supportive ones together, and ${pathsBudget / 1024} KiB.`,
  example: {
    name: "New cars",
    activity_types: {
      milestones: [{ name: "First call" }, { name: "Test drive" }, { name: "Signed", set_status: "closed" }],
      supportive: [{ name: "Call" }],
    },
  },
});
export type CreatePathBody = z.output<typeof CreatePathBody>;

export const PathChange = z.object({
  name: filledLine(255).optional(),
  is_sales_type: optional(z.boolean()),
  team_id: optional(integerId).meta({ description: "The owning team; replaces a group." }),
  group_id: optional(integerId),
  activity_types: z.object({
    milestones: z.array(ActivityTypeChange).min(1, "At least one milestone.").max(counts.activityTypes)
      .optional(),
    supportive: optional(z.array(ActivityTypeChange).max(counts.activityTypes)),
  }).refine(together, tooMany).optional(),
}).refine(isOwnedOnce, twiceOwned).meta({
  id: "RelationsPathChange",
  description: "Activity types missing from a given list are retired: cases that have done " +
    "them keep them. An absent member of an activity type keeps its value.",
  example: {
    activity_types: {
      milestones: [{ id: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a002", name: "First call" }, { name: "Signed" }],
    },
  },
});
export type PathChange = z.output<typeof PathChange>;

const ActivityType = z.object({
  id: z.uuid(),
  name: z.string().meta({ example: "Offer" }),
  description: z.string().nullable(),
  type: z.enum(milestoneTypes).nullable(),
  sort_order: z.int(),
  set_status: z.enum(statuses).nullable(),
  suggest_task_after: z.int().nullable(),
  template_id: z.int().nullable(),
  content_suggestions: z.array(z.string()),
  extra_step: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  additional_steps: z.array(z.string()),
  automated_communications: z.array(z.uuid()),
  chance_of_success: z.int().nullable(),
}).meta({ id: "ActivityType", description: "A milestone or a supportive activity of a relations path." });

export const RelationsPath = z.object({
  id: z.uuid(),
  name: z.string().meta({ example: "New cars" }),
  is_sales_type: z.boolean(),
  team_id: z.int().nullable(),
  group_id: z.int().nullable(),
  activity_types: z.object({ milestones: z.array(ActivityType), supportive: z.array(ActivityType) }),
  created_at: z.string(),
  updated_at: z.string(),
}).meta({
  id: "RelationsPath",
  description: "The steps of a sale: milestones in order, and supportive activities.",
});

export const pathSorts = { created_at: "created_at" };
export const PathListQuery = z.object({ ...paging, ...sorting(pathSorts) });
export const RelationsPathPage = describePage(RelationsPath, "RelationsPathPage");

interface Lists {
  readonly milestones?: readonly unknown[] | undefined;
  readonly supportive?: readonly unknown[] | null | undefined;
}

function together({ milestones, supportive }: Lists): boolean {
  return (milestones?.length ?? 0) + (supportive?.length ?? 0) <= counts.activityTypes;
}
