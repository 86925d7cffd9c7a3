/** The lead type, described once. */
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { z } from "zod";
import { orShownAs } from "../../http/as_shown.ts";
import { counts, pathsBudget } from "../../core/budgets.ts";
import { maxCountdownMinutes } from "../../core/time.ts";
import { refusal } from "../../http/validate.ts";
import { filledLine, integerId, optional, uuid } from "../../http/zod.ts";
import { companies } from "../../identity/companies/table.ts";
import {
  computed,
  internal,
  optionalFlag,
  optionalLine,
  readOnly,
  requiredLine,
  stamps,
  versioned,
  writeOnly,
} from "../../records/kinds.ts";
import { columns, forAnswer, forChange, forCreate, type Members, presenter } from "../../records/members.ts";
import { composeLeadTypeRows } from "../relations_paths/lead_types.ts";
import { type PathRecord, presentPath } from "../relations_paths/present.ts";
import { RelationsPath } from "../relations_paths/schema.ts";
import { block, declareReferences, leaveTo } from "../../db/references.ts";

const minutes = z.int().min(1).max(maxCountdownMinutes);

/** Minutes; null means no countdown. */
function countdown(meta: { description: string; example: number }) {
  return {
    column: integer(),
    shown: z.int().nullable().meta({ description: "Minutes; null: never." }),
    ...writeOnly(optional(minutes).meta(meta)),
  };
}

const pathIds = distinct(z.array(uuid).min(1, "At least one relations path.").max(counts.paths), (id) => id)
  .meta({
    description: "An acceptance takes the first by default. At most " +
      `${counts.paths} paths, and ${pathsBudget / 1024} KiB together.`,
  });

const TeamSettingBody = z.object({
  team_id: integerId,
  relations_path_id: optional(uuid),
  user_id: optional(integerId),
});

export const leadTypeMembers = {
  id: readOnly(text().primaryKey(), z.uuid()),
  company_id: internal(integer().notNull().references(() => companies.id)),
  name: {
    ...requiredLine(255, { example: "Test drive request" }),
    change: filledLine(255).optional(),
  },
  /** JSON: the case-folded name, where SQLite's `lower` gives another text. Filters compare it. */
  folded: internal(text()),
  /** JSON list of path ids; an acceptance takes the first by default. */
  relations_path_ids: {
    column: text().notNull(),
    create: pathIds,
    change: pathIds.optional(),
    stored: "code",
  },
  icon: optionalLine(255),
  entity_type: {
    column: text().notNull().default("account"),
    shown: z.string().meta({ example: "account" }),
    ...writeOnly(optional(filledLine(60)).meta({ description: "`account` when absent." })),
    otherwise: "account",
  },
  team_id: {
    column: integer(),
    shown: z.int().nullable(),
    ...writeOnly(optional(integerId).meta({ description: "The owning team; default: the company." })),
  },
  /** The maker, once the team is deleted without a successor: then only that user and admins see it. */
  kept_for: internal(integer()),
  relations_paths: computed(z.array(RelationsPath)),
  escalation_accept: countdown({
    description: "Minutes to accept a lead; null means no limit.",
    example: 120,
  }),
  escalation_activity: countdown({
    description: "Minutes from acceptance to the first activity; null means no limit.",
    example: 1440,
  }),
  escalation_ignore_weekends: optionalFlag(),
  /** JSON list of user ids. */
  escalation_user_ids: {
    column: text().notNull().default("[]"),
    shown: z.array(z.int()),
    ...writeOnly(optional(distinct(z.array(integerId).max(100), (id) => id))),
    stored: "code",
  },
  disabled: {
    ...optionalFlag(),
    ...writeOnly(optional(z.boolean()).meta({ description: "A disabled type takes no new leads." })),
  },
  highlighted: optionalFlag(),
  /** JSON list of {team_id, relations_path_id, user_id}. */
  team_settings: {
    column: text().notNull().default("[]"),
    shown: z.array(z.object({
      team_id: z.int(),
      relations_path_id: z.uuid().nullable(),
      user_id: z.int().nullable(),
    })),
    ...writeOnly(
      optional(distinct(z.array(TeamSettingBody).max(10_000), (setting) => setting.team_id)).meta({
        description:
          "For a team: the relations path of its cases, and the user of leads that an admin accepts for it.",
      }),
    ),
    stored: "code",
  },
  created_by: internal(integer()),
  ...stamps({}),
  ...versioned,
} satisfies Members;

export const leadTypes = sqliteTable("lead_types", columns(leadTypeMembers), (table) => [
  index("lead_types_by_created").on(table.company_id, table.created_at, table.id),
  index("lead_types_by_team").on(table.company_id, table.team_id, table.created_at, table.id),
  index("lead_types_by_kept").on(table.company_id, table.kept_for, table.created_at, table.id),
]);

/** What its columns name, and what happens when that is deleted. */
export const leadTypeReferences = declareReferences(leadTypes, {
  team_id: { team: leaveTo("sales/deletion/types_of_teams.ts#reassignTypes", "reassign", "keep") },
  kept_for: { user: "keep" },
  relations_path_ids: { relations_path: block("lead_type", { rows: composeLeadTypeRows }) },
  escalation_user_ids: {
    user: leaveTo("sales/lead_types/deletion.ts#leadTypeReassignment", "reassign", "clear"),
  },
  // The successor takes a team's leads only as a member of it. The paths of settings are among those of the type.
  team_settings: {
    team: leaveTo("sales/deletion/types_of_teams.ts#reassignTypes", "clear"),
    user: leaveTo("sales/lead_types/deletion.ts#leadTypeReassignment", "step", "clear"),
  },
  created_by: { user: "keep" },
});

export const LeadType = z.object(forAnswer(leadTypeMembers))
  .meta({ id: "LeadType", description: "A kind of lead, with the relations paths of its cases." });

export const CreateLeadTypeBody = z.object(forCreate(leadTypeMembers)).meta({
  id: "LeadTypeCreate",
  description: "A kind of lead: its paths and its countdowns.",
  example: {
    name: "Test drive request",
    relations_path_ids: ["01939c5e-7d3a-7c3f-8a55-0a4be5a1a001"],
    escalation_accept: 120,
  },
});

export const LeadTypeChange = orShownAs(z.object(forChange(leadTypeMembers)), {
  relations_path_ids: ["relations_paths", uuid],
}).meta({
  id: "LeadTypeChange",
  description: "An absent member keeps its value. Running countdowns do not change.",
  example: { escalation_accept: 60, disabled: true },
});

export type CreateLeadTypeBody = z.output<typeof CreateLeadTypeBody>;
export type LeadTypeChange = z.output<typeof LeadTypeChange>;
export type LeadTypeRow = Omit<typeof leadTypes.$inferSelect, "kept_for"> & {
  readonly kept_for?: number | null;
};

export interface TeamSetting {
  readonly team_id: number;
  readonly relations_path_id: string | null;
  readonly user_id: number | null;
}

/** A lead type with its paths in order. An acceptance takes the first by default. */
export interface LeadTypeRecord extends Omit<LeadTypeRow, "escalation_user_ids" | "team_settings"> {
  readonly escalation_user_ids: readonly number[];
  readonly team_settings: readonly TeamSetting[];
  readonly relations_paths: readonly PathRecord[];
}

const presentMembers = presenter(leadTypeMembers, LeadType);

export function presentLeadType(type: LeadTypeRecord) {
  return presentMembers({
    ...type,
    relations_paths: type.relations_paths.map((path) => presentPath(path)),
  });
}

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
