import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamps, version } from "../../db/columns.ts";
import { companies } from "../../identity/companies/table.ts";
import { referencesOf } from "../../db/references.ts";
import { storedFilter } from "../fields/stored_filter.ts";

/** Named filters. */
export const savedFilters = sqliteTable("saved_filters", {
  id: text().primaryKey(),
  company_id: integer().notNull().references(() => companies.id),
  /** The records that the filter selects: `account` or `contact`. */
  kind: text().notNull(),
  /** The active team of the creator; later the successor of a deleted team. */
  team_id: integer(),
  /** The creator, once the team is deleted without a successor: then only that user and admins see it. */
  kept_for: integer(),
  name: text().notNull(),
  /** JSON: the list of nodes, as the request contained it. */
  filter: text().notNull(),
  /** Why it no longer runs, as a sentence: something that it names was removed. */
  stopped_reason: text(),
  created_by: integer(),
  ...timestamps,
  ...version,
}, (table) => [
  index("saved_filters_by_created").on(table.company_id, table.kind, table.created_at, table.id),
  index("saved_filters_by_kept").on(
    table.company_id,
    table.kept_for,
    table.kind,
    table.created_at,
    table.id,
  ).where(sql`${table.kept_for} is not null`),
  index("saved_filters_by_team").on(
    table.company_id,
    table.team_id,
    table.kind,
    table.created_at,
    table.id,
  ),
]);

export type SavedFilterRow = Omit<typeof savedFilters.$inferSelect, "kept_for" | "stopped_reason"> & {
  readonly kept_for?: number | null;
  readonly stopped_reason?: string | null;
};

/** What its columns name, and what happens when that is removed. */
export const savedFilterReferences = referencesOf(savedFilters, {
  team_id: { team: ["reassign", "keep"] },
  kept_for: { user: "keep" },
  filter: storedFilter,
  created_by: { user: "keep" },
});
