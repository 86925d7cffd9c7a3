import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamps, version } from "../../db/columns.ts";
import { companies } from "../../identity/tables/companies.ts";

/** Named filters. */
export const savedFilters = sqliteTable("saved_filters", {
  id: text().primaryKey(),
  company_id: integer().notNull().references(() => companies.id),
  /** The records that the filter selects: `account` or `contact`. */
  kind: text().notNull(),
  /** The active team of the creator; later the successor of a deleted team. */
  team_id: integer(),
  name: text().notNull(),
  /** JSON: the list of nodes, as the request contained it. */
  filter: text().notNull(),
  created_by: integer(),
  ...timestamps,
  ...version,
}, (table) => [
  index("saved_filters_by_created").on(table.company_id, table.kind, table.created_at, table.id),
  index("saved_filters_by_team").on(
    table.company_id,
    table.team_id,
    table.kind,
    table.created_at,
    table.id,
  ),
]);

export type SavedFilterRow = typeof savedFilters.$inferSelect;
