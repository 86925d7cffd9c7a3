import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { companies } from "../../identity/companies/table.ts";
import { refusalReasons } from "./reasons.ts";

/**
 * E-mail addresses that a company does not write to. They outlive the contacts, so an address is kept as a
 * keyed hash.
 */
export const refusals = sqliteTable("refusals", {
  seq: integer().primaryKey(),
  company_id: integer().notNull().references(() => companies.id),
  /** The keyed hash of the address in its compared form. */
  hash: text().notNull(),
  reason: text({ enum: refusalReasons }).notNull(),
  /** The address in its compared form while a contact of the company has it, for conditions in SQL. */
  email_key: text(),
  created_at: text().notNull(),
}, (table) => [
  uniqueIndex("refusals_by_hash").on(table.company_id, table.hash, table.reason),
  index("refusals_by_email").on(table.company_id, table.email_key).where(
    sql`${table.email_key} is not null`,
  ),
]);
