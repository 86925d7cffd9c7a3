import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { companies } from "../../identity/companies/table.ts";

/** Charts that have an address, as they were when they were created. */
export const reportCharts = sqliteTable("report_charts", {
  id: text().primaryKey(),
  company_id: integer().notNull().references(() => companies.id),
  svg: text().notNull(),
  /** Epoch milliseconds. */
  expires_at: integer().notNull(),
  created_at: text().notNull(),
}, (table) => [
  index("report_charts_expired").on(table.expires_at),
  // For an erased company.
  index("report_charts_by_company").on(table.company_id),
]);
