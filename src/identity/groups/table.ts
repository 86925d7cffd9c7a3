import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { serialId, timestamps, version } from "../../db/columns.ts";
import { companies } from "../companies/table.ts";

export const groups = sqliteTable("groups", {
  id: serialId(),
  company_id: integer().notNull().references(() => companies.id),
  name: text().notNull(),
  ...timestamps,
  ...version,
}, (table) => [
  index("groups_by_created").on(table.company_id, table.created_at, table.id),
]);

export type GroupRow = typeof groups.$inferSelect;
