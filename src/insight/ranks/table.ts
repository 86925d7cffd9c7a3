import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamps, version } from "../../db/columns.ts";
import { companies } from "../../identity/tables/companies.ts";
import { referencesOf } from "../../db/references.ts";

export const rankRules = ["conversion_rate", "emails_sent", "total_sales"] as const;
export type RankRule = (typeof rankRules)[number];

/** Rankings of the users of a team or of the company. */
export const ranks = sqliteTable("ranks", {
  id: text().primaryKey(),
  company_id: integer().notNull().references(() => companies.id),
  team_id: integer(),
  /** Always null: ranks belong to a team or the company. */
  group_id: integer(),
  /** The owner in one text: `t7` for a team, empty for the company. */
  owner: text().generatedAlwaysAs(sql`coalesce('t' || team_id, 'g' || group_id, '')`, { mode: "virtual" }),
  /**
   * The maker, once the team or group is deleted without a successor: nobody else sees the record then, except
   * admins. `team_id` and `group_id` still name the deleted one.
   */
  kept_for: integer(),
  /** `k5` for a record that is kept for its maker, else the owner. Lists and counters go by it. */
  reader: text().generatedAlwaysAs(sql`iif(kept_for is null, owner, 'k' || kept_for)`, {
    mode: "virtual",
  }),
  created_by: integer(),
  /** JSON list of the users who belonged to the team when it was deleted without a successor: they still compete. */
  members: text(),
  name: text().notNull(),
  icon: text().notNull(),
  rule: text({ enum: rankRules }).notNull(),
  /** Of the rule `conversion_rate`. */
  relations_path_id: text(),
  milestone_id: text(),
  /** When the next month to award ends, epoch seconds; null until the job first reads the rank. */
  award_at: integer(),
  ...timestamps,
  ...version,
}, (table) => [
  index("ranks_by_created").on(table.company_id, table.created_at, table.id),
  index("ranks_by_owner").on(table.company_id, table.owner, table.created_at, table.id),
  index("ranks_by_reader").on(table.company_id, table.reader, table.created_at, table.id),
  index("ranks_by_award").on(table.award_at),
]);

export type RankRow = Omit<typeof ranks.$inferSelect, "owner" | "reader" | "kept_for" | "members"> & {
  readonly kept_for?: number | null;
};

/** What its columns name, and what happens when that is removed. */
export const rankReferences = referencesOf(ranks, {
  // Without a successor the rank compares those who belonged to the team when it was deleted.
  team_id: { team: ["reassign", "keep"] },
  group_id: { group: "keep" },
  kept_for: { user: "keep" },
  created_by: { user: "keep" },
  members: { user: "keep" },
  relations_path_id: { relations_path: "keep" },
  milestone_id: { activity_type: "keep" },
});
