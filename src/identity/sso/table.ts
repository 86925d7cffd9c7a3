import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { companies } from "../companies/table.ts";

/** The providers that a company's people may sign in through. A change moves the company's version on. */
export const ssoDrivers = sqliteTable("sso_drivers", {
  company_id: integer().notNull().references(() => companies.id),
  provider_name: text().notNull(),
  issuer: text().notNull(),
  client_id: text().notNull(),
  /** Sealed under the secrets key. */
  client_secret: text().notNull(),
  /** Its place in the list, from 0. */
  position: integer().notNull(),
}, (table) => [primaryKey({ columns: [table.company_id, table.provider_name] })]);

/** People who are away at a provider to sign in, by the SHA-256 of the state that they come back with. */
export const signOns = sqliteTable("sign_ons", {
  hash: text().primaryKey(),
  /** SHA-256 of the cookie of the browser that they left from. */
  browser: text().notNull(),
  company_id: integer().notNull().references(() => companies.id),
  provider_name: text().notNull(),
  /** What must be known when they come back, sealed under the secrets key. */
  kept: text().notNull(),
  /** Epoch milliseconds. */
  expires_at: integer().notNull(),
  created_at: text().notNull(),
}, (table) => [
  index("sign_ons_by_company").on(table.company_id),
  index("sign_ons_by_expiry").on(table.expires_at),
]);

export type SsoDriverRow = typeof ssoDrivers.$inferSelect;
