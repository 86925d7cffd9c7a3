import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { companies } from "../../identity/companies/table.ts";
import { accounts } from "../accounts/table.ts";

/** Accounts that are deleted and had too much for one commit; the row goes with the last of it. */
export const accountRemovals = sqliteTable("account_removals", {
  account_id: text().primaryKey().references(() => accounts.id),
  company_id: integer().notNull().references(() => companies.id),
  created_at: text().notNull(),
});
