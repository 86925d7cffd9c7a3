import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { address, flag, serialId, timestamps, version } from "../../db/columns.ts";
import { companies } from "./companies.ts";
import { groups } from "./groups.ts";
import { users } from "./users.ts";
import { referencesOf } from "../../db/references.ts";

export const teams = sqliteTable("teams", {
  id: serialId(),
  company_id: integer().notNull().references(() => companies.id),
  group_id: integer().references(() => groups.id),
  name: text().notNull(),
  ...address,
  phone_number: text(),
  website: text(),
  vat: text(),
  timezone: text().notNull(),
  locale: text().notNull(),
  /** `dealer` teams take leads from the agency. */
  team_type: text({ enum: ["dealer"] }),
  use_social_lookup: flag(),
  /** Custom values as a JSON object by field id. */
  custom: text().notNull().default("{}"),
  created_by: integer(),
  ...timestamps,
  ...version,
}, (table) => [
  index("teams_by_created").on(table.company_id, table.created_at, table.id),
  // For the agency's list of dealers.
  index("dealers_by_created").on(table.company_id, table.created_at, table.id).where(
    sql`${table.team_type} = 'dealer'`,
  ),
  index("dealers_by_updated").on(table.company_id, table.updated_at, table.id).where(
    sql`${table.team_type} = 'dealer'`,
  ),
  // For teams that share records in a group.
  index("teams_by_group").on(table.group_id, table.id),
]);

export const teamMembers = sqliteTable("team_members", {
  user_id: integer().notNull().references(() => users.id),
  team_id: integer().notNull().references(() => teams.id),
}, (table) => [
  primaryKey({ columns: [table.user_id, table.team_id] }),
  index("team_members_by_team").on(table.team_id, table.user_id),
]);

export type TeamRow = typeof teams.$inferSelect;

/** What its columns name, and what happens when that is removed. */
export const teamReferences = referencesOf(teams, {
  group_id: { group: "clear" },
  created_by: { user: "keep" },
});
export const teamMemberReferences = referencesOf(teamMembers, {
  user_id: { user: "cascade" },
  team_id: { team: "cascade" },
});
