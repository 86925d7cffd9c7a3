import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { flag, timestamps, version } from "../../db/columns.ts";
import { companies } from "../../identity/tables/companies.ts";
import { referencesOf } from "../../db/references.ts";

/** Named lists of indicators, private or of a team, a group or the company. */
export const indicatorSets = sqliteTable("indicator_sets", {
  id: text().primaryKey(),
  company_id: integer().notNull().references(() => companies.id),
  /** The maker. */
  user_id: integer().notNull(),
  /** Whether only the maker sees it; it then has no team and no group. */
  private: flag(),
  team_id: integer(),
  group_id: integer(),
  /** The owner in one text: `u5` for its maker, `t7` for a team, `g3` for a group, empty for the company. */
  owner: text().generatedAlwaysAs(
    sql`iif(private, 'u' || user_id, coalesce('t' || team_id, 'g' || group_id, ''))`,
    { mode: "virtual" },
  ),
  /**
   * The maker, once the team or group is deleted without a successor: nobody else sees the record then, except
   * admins. `team_id` and `group_id` still name the deleted one.
   */
  kept_for: integer(),
  /** `k5` for a record that is kept for its maker, else the owner. Lists and counters go by it. */
  reader: text().generatedAlwaysAs(sql`iif(kept_for is null, owner, 'k' || kept_for)`, {
    mode: "virtual",
  }),
  /** The only user who sees it; null for a shared one. */
  private_to: integer().generatedAlwaysAs(sql`iif(private, user_id, null)`, { mode: "virtual" }),
  name: text().notNull(),
  /** JSON list of names of the catalogue. */
  indicators: text().notNull(),
  ...timestamps,
  ...version,
}, (table) => [
  index("indicator_sets_by_owner").on(table.company_id, table.owner, table.created_at, table.id),
  index("indicator_sets_by_reader").on(table.company_id, table.reader, table.created_at, table.id),
  // For admins, who see all shared sets.
  index("indicator_sets_by_private").on(table.company_id, table.private_to, table.created_at, table.id),
]);

export type IndicatorSetRow =
  & Omit<typeof indicatorSets.$inferSelect, "owner" | "reader" | "kept_for" | "private_to">
  & {
    readonly kept_for?: number | null;
  };

/** What its columns name, and what happens when that is removed. */
export const indicatorSetReferences = referencesOf(indicatorSets, {
  // A private set goes to the successor, else with its maker unless a colleague's report uses it.
  user_id: { user: "step" },
  team_id: { team: ["reassign", "keep"] },
  group_id: { group: "keep" },
  kept_for: { user: "keep" },
});
