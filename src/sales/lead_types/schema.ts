/** Wire shapes of lead types. */
import { z } from "zod";
import { counts, pathsBudget } from "../../core/budgets.ts";
import { MAX_COUNTDOWN_MINUTES } from "../../core/time.ts";
import { filledLine, integerId, lineText, optional, uuid } from "../../http/zod.ts";
import { pageOfSchema, paging, sorting } from "../../http/lists.ts";
import { refusal } from "../../http/validate.ts";
import { RelationsPath } from "../relations_paths/schema.ts";

const minutes = z.int().min(1).max(MAX_COUNTDOWN_MINUTES);

const TeamSettingBody = z.object({
  team_id: integerId,
  relations_path_id: optional(uuid),
  user_id: optional(integerId),
});

const pathIds = distinct(z.array(uuid).min(1, "At least one relations path.").max(counts.paths), (id) => id)
  .meta({
    description: "An acceptance takes the first by default. At most " +
      `${counts.paths} paths, and ${pathsBudget / 1024} KiB together.`,
  });

const ofType = {
  icon: optional(lineText(255)),
  entity_type: optional(filledLine(60)).meta({ description: "`account` when absent." }),
  team_id: optional(integerId).meta({
    description: "The owning team; default: the company.",
  }),
  escalation_accept: optional(minutes).meta({
    description: "Minutes to accept a lead; null means no limit.",
    example: 120,
  }),
  escalation_activity: optional(minutes).meta({
    description: "Minutes from acceptance to the first activity; null means no limit.",
    example: 1440,
  }),
  escalation_ignore_weekends: optional(z.boolean()),
  escalation_user_ids: optional(distinct(z.array(integerId).max(100), (id) => id)),
  disabled: optional(z.boolean()).meta({ description: "A disabled type takes no new leads." }),
  highlighted: optional(z.boolean()),
  team_settings: optional(distinct(z.array(TeamSettingBody).max(10_000), (setting) => setting.team_id))
    .meta({
      description:
        "For a team: the relations path of its cases, and the user of leads that an admin accepts for it.",
    }),
};

export const CreateLeadTypeBody = z.object({
  name: filledLine(255).meta({ example: "Test drive request" }),
  relations_path_ids: pathIds,
  ...ofType,
}).meta({
  id: "LeadTypeCreate",
  description: "A kind of lead: its paths and its countdowns.",
  example: {
    name: "Test drive request",
    relations_path_ids: ["01939c5e-7d3a-7c3f-8a55-0a4be5a1a001"],
    escalation_accept: 120,
  },
});
export type CreateLeadTypeBody = z.output<typeof CreateLeadTypeBody>;

export const LeadTypeChange = z.object({
  name: filledLine(255).optional(),
  relations_path_ids: pathIds.optional(),
  ...ofType,
}).meta({
  id: "LeadTypeChange",
  description: "An absent member keeps its value. Running countdowns do not change.",
  example: { escalation_accept: 60, disabled: true },
});
export type LeadTypeChange = z.output<typeof LeadTypeChange>;

export const LeadType = z.object({
  id: z.uuid(),
  name: z.string().meta({ example: "Test drive request" }),
  icon: z.string().nullable(),
  entity_type: z.string().meta({ example: "account" }),
  team_id: z.int().nullable(),
  relations_paths: z.array(RelationsPath),
  escalation_accept: z.int().nullable().meta({ description: "Minutes; null: never." }),
  escalation_activity: z.int().nullable().meta({ description: "Minutes; null: never." }),
  escalation_ignore_weekends: z.boolean(),
  escalation_user_ids: z.array(z.int()),
  disabled: z.boolean(),
  highlighted: z.boolean(),
  team_settings: z.array(z.object({
    team_id: z.int(),
    relations_path_id: z.uuid().nullable(),
    user_id: z.int().nullable(),
  })),
  created_at: z.string(),
  updated_at: z.string(),
}).meta({ id: "LeadType", description: "A kind of lead, with the relations paths of its cases." });

export const leadTypeSorts = { created_at: "created_at" };
export const LeadTypeListQuery = z.object({ ...paging, ...sorting(leadTypeSorts) });
export const LeadTypePage = pageOfSchema(LeadType, "LeadTypePage");

/** A list without duplicates. */
function distinct<T extends z.ZodType>(
  list: T,
  key: (item: z.output<T> extends (infer I)[] ? I : never) => unknown,
) {
  return list.refine((items) => {
    const keys = (items as Parameters<typeof key>[0][]).map(key);
    return new Set(keys).size === keys.length;
  }, refusal("unique", "Contains a duplicate."));
}
