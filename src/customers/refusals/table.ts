import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { companies } from "../../identity/companies/table.ts";
import { refusalReasons, refusedChannels } from "./reasons.ts";

/**
 * E-mail addresses that a company does not write to, and phone numbers that it does not call. They outlive the
 * contacts, so an address is kept as a keyed hash.
 */
export const refusals = sqliteTable("refusals", {
  seq: integer().primaryKey(),
  company_id: integer().notNull().references(() => companies.id),
  /** The keyed hash of the address in its compared form. */
  hash: text().notNull(),
  reason: text({ enum: refusalReasons }).notNull(),
  channel: text({ enum: refusedChannels }).notNull().default("email"),
  /** The address in its compared form while a contact of the company has it, for conditions in SQL. */
  email_key: text(),
  /** The same of a phone number, in international form. */
  e164: text(),
  created_at: text().notNull(),
}, (table) => [
  uniqueIndex("refusals_by_hash").on(table.company_id, table.hash, table.reason),
  index("refusals_by_email").on(table.company_id, table.email_key).where(
    sql`${table.email_key} is not null`,
  ),
  index("refusals_by_e164").on(table.company_id, table.e164).where(
    sql`${table.e164} is not null`,
  ),
]);
