import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamps, version } from "../../db/columns.ts";
import { companies } from "../../identity/companies/table.ts";
import { describeSharedMembers } from "../../identity/owner_members.ts";
import { columns } from "../../records/members.ts";
import { describeSharedReferences } from "../../identity/owner_references.ts";
import { sql } from "../../db/statements.ts";
import { declareReferences, leaveTo, stop } from "../../db/references.ts";
import { declareFilter, filterReasons } from "../fields/stored_filter.ts";

/**
 * Named views of lists, which people save. Those of accounts and contacts with a filter are the saved filters.
 */
export const savedFilters = sqliteTable("saved_filters", {
  id: text().primaryKey(),
  company_id: integer().notNull().references(() => companies.id),
  /** A kind of `kinds.ts`: the records that it shows, and whether it has a filter. */
  kind: text().notNull(),
  ...columns(describeSharedMembers("created_by")),
  name: text().notNull(),
  /** JSON: the list of nodes, as the request contained it; `null` without a filter. */
  filter: text().notNull(),
  /** JSON: the parameters of the list. */
  query: text().notNull().default("{}"),
  /** JSON: the records that the parameters name, as a filter would. */
  query_names: text(),
  /** Its place among others; smaller ones come first. */
  position: integer().notNull().default(0),
  /** Why it no longer runs, as a sentence: something that it names was removed. */
  stopped_reason: text(),
  created_by: integer(),
  ...timestamps,
  ...version,
}, (table) => [
  index("saved_filters_by_reader").on(
    table.company_id,
    table.reader,
    table.kind,
    table.created_at,
    table.id,
  ),
  index("views_by_reader").on(table.company_id, table.reader, table.position, table.id),
  // For admins, who see all shared ones. By team, for the deletion of a team and its records.
  index("saved_filters_by_private").on(
    table.company_id,
    table.private_to,
    table.kind,
    table.created_at,
    table.id,
  ),
  index("views_by_private").on(table.company_id, table.private_to, table.position, table.id),
  index("saved_filters_by_owner").on(table.company_id, table.owner),
]);

type Computed = "owner" | "reader" | "private_to" | "query_names";

export type SavedFilterRow =
  & Omit<typeof savedFilters.$inferSelect, Computed | "kept_for" | "stopped_reason">
  & {
    readonly kept_for?: number | null;
    readonly stopped_reason?: string | null;
    readonly query_names?: string | null;
  };

/** SQL: all conditions, those of `query_names` too. */
export const conditions = sql`iif(query_names is null, filter, json_array(json(filter), json(query_names)))`;

const storedFilter = declareFilter(conditions);
const withFilter = { by: "customers/saved_filters/stop.ts#stopSavedFilters" } as const;

/** What its columns name, and what happens when that is deleted. */
export const savedFilterReferences = declareReferences(savedFilters, {
  ...describeSharedReferences("created_by"),
  filter: storedFilter,
  // It stops with the conditions of `filter`.
  query_names: {
    team: stop(filterReasons.team, withFilter),
    user: [stop(filterReasons.user, withFilter), "keep"],
  },
  // A private one goes to the successor, else with its creator.
  created_by: { user: leaveTo("identity/naming_records.ts#changeRecordsOfUser", "step") },
});
