import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { flag, timestamps, version } from "../../db/columns.ts";
import { companies } from "../../identity/tables/companies.ts";

export const leadTypes = sqliteTable("lead_types", {
  id: text().primaryKey(),
  company_id: integer().notNull().references(() => companies.id),
  team_id: integer(),
  name: text().notNull(),
  /** JSON: the case-folded name, where SQLite's `lower` gives another text. Filters compare it. */
  folded: text(),
  icon: text(),
  entity_type: text().notNull().default("account"),
  /** JSON list of path ids; an acceptance takes the first by default. */
  relations_path_ids: text().notNull(),
  /** Minutes; null means no countdown. */
  escalation_accept: integer(),
  escalation_activity: integer(),
  escalation_ignore_weekends: flag(),
  /** JSON list of user ids. */
  escalation_user_ids: text().notNull().default("[]"),
  disabled: flag(),
  highlighted: flag(),
  /** JSON list of {team_id, relations_path_id, user_id}. */
  team_settings: text().notNull().default("[]"),
  created_by: integer(),
  ...timestamps,
  ...version,
}, (table) => [
  index("lead_types_by_created").on(table.company_id, table.created_at, table.id),
  index("lead_types_by_team").on(table.company_id, table.team_id, table.created_at, table.id),
]);

export type LeadTypeRow = typeof leadTypes.$inferSelect;
