/** The rank, described once: a ranking of the users of a team or of the company. */
import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { z } from "zod";
import { describeOwnerReferences } from "../../identity/owner_references.ts";
import { declareReferences } from "../../db/references.ts";
import { refusal } from "../../http/validate.ts";
import { filledLine, integerId, optional, uuid } from "../../http/zod.ts";
import { describeKeptMembers } from "../../identity/owner_members.ts";
import { companies } from "../../identity/companies/table.ts";
import { internal, readOnly, stamps, versioned } from "../../records/kinds.ts";
import { columns, forAnswer, forChange, forCreate, type Members, presenter } from "../../records/members.ts";

export const rankRules = ["conversion_rate", "emails_sent", "total_sales"] as const;
export type RankRule = (typeof rankRules)[number];

const name = filledLine(255).meta({ example: "Best closer" });
const ruleName = z.enum(rankRules).meta({ example: "conversion_rate" });

export const rankMembers = {
  id: readOnly(text().primaryKey(), z.string().meta({ example: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a001" })),
  company_id: internal(integer().notNull().references(() => companies.id)),
  team_id: {
    column: integer(),
    shown: z.int().nullable().meta({ example: null }),
    create: optional(integerId).meta({
      description:
        "The team whose users compete; default: the active team. Null: the company, for admins, whose " +
        "default it is.",
      example: null,
    }),
    stored: "code",
  },
  /** Always null: ranks belong to a team or the company. */
  group_id: internal(integer()),
  /** The owner in one text: `t7` for a team, empty for the company. */
  owner: internal(
    text().generatedAlwaysAs(sql`coalesce('t' || team_id, 'g' || group_id, '')`, { mode: "virtual" }),
  ),
  ...describeKeptMembers(),
  created_by: internal(integer()),
  /** JSON list of the users who belonged to the team when it was deleted without a successor: they still compete. */
  members: internal(text()),
  name: {
    column: text().notNull(),
    shown: z.string().meta({ example: "Best closer" }),
    create: name,
    change: name,
  },
  icon: {
    column: text().notNull(),
    shown: z.string().meta({ example: "trophy" }),
    create: filledLine(255).meta({ example: "trophy" }),
  },
  rule: {
    column: text({ enum: rankRules }).notNull(),
    shown: z.object({ name: ruleName }),
    create: z.union(
      [ruleName, z.object({ name: ruleName })],
      refusal("enum", `One of ${rankRules.join(", ")}.`),
    )
      .transform((rule) => typeof rule === "string" ? rule : rule.name)
      .meta({
        description:
          "`conversion_rate`: percent of the user's cases of the path, made in that time, that reached the milestone or a " +
          "higher one. `emails_sent`: their number. `total_sales`: the value of closed cases, or their number when " +
          "the company's products are in the mode `simple`. As a text, or as `{name}`.",
        example: "emails_sent",
      }),
  },
  settings: {
    create: optional(z.object({ relations_path_id: optional(uuid), milestone_id: optional(uuid) })).meta({
      description:
        "Of `conversion_rate`, which requires both: a visible path, and one of its milestones that does " +
        "not close the case.",
    }),
  },
  /** Of the rule `conversion_rate`. */
  relations_path_id: internal(text()),
  milestone_id: internal(text()),
  /** When the next month to award ends, epoch seconds; null until the job first reads the rank. */
  award_at: internal(integer()),
  ...stamps(),
  ...versioned,
} satisfies Members;

export const ranks = sqliteTable("ranks", columns(rankMembers), (table) => [
  index("ranks_by_created").on(table.company_id, table.created_at, table.id),
  index("ranks_by_owner").on(table.company_id, table.owner, table.created_at, table.id),
  index("ranks_by_reader").on(table.company_id, table.reader, table.created_at, table.id),
  index("ranks_by_award").on(table.award_at),
]);

export type RankRow = Omit<typeof ranks.$inferSelect, "owner" | "reader" | "kept_for" | "members"> & {
  readonly kept_for?: number | null;
};

/** What its columns name, and what happens when that is deleted. */
export const rankReferences = declareReferences(ranks, {
  // Without a successor the rank compares those who belonged to the team when it was deleted.
  ...describeOwnerReferences("created_by"),
  created_by: { user: "keep" },
  members: { user: "keep" },
  relations_path_id: { relations_path: "keep" },
  milestone_id: { activity_type: "keep" },
});

export const RankBody = z.object(forCreate(rankMembers, "name", "icon", "rule")).meta({
  id: "RankBody",
  example: { name: "Most e-mails", icon: "envelope", rule: "emails_sent" },
});

export const RankChange = z.object(forChange(rankMembers)).meta({
  id: "RankChange",
  description: "Only the name can change.",
  example: { name: "Best closer of the year" },
});

export type RankBody = z.output<typeof RankBody>;
export type RankChange = z.output<typeof RankChange>;

export const Rank = z.object(forAnswer(rankMembers)).meta({
  id: "Rank",
  description:
    "Compares the users of its team, or of the company, over the last 30 days. Visible to its team, to " +
    "teams in a group with it, and to admins; without a team, to the whole company.",
});

export const FullRank = Rank.extend({
  settings: z.object({
    relations_path: z.object({
      id: z.string(),
      name: z.string().nullable().meta({ description: "Null when the caller does not see the path." }),
    }).nullable().meta({
      description: "Null when it was deleted.",
    }),
    milestone_id: z.string(),
  }).nullable().meta({ description: "Of `conversion_rate`; otherwise null." }),
}).meta({ id: "FullRank", extends: Rank });

const presentMembers = presenter(rankMembers, Rank);

export function presentRank(rank: RankRow) {
  return presentMembers({ ...rank, rule: { name: rank.rule } });
}
