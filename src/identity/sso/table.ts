import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { companies } from "../companies/table.ts";
import { declareReferences } from "../../db/references.ts";

/** The single sign-on providers of companies. A change increases the company's version. */
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

/** Sign-ins that wait for the return from a provider, by the SHA-256 of their state. */
export const signOns = sqliteTable("sign_ons", {
  hash: text().primaryKey(),
  /** SHA-256 of the browser's cookie. */
  browser: text().notNull(),
  company_id: integer().notNull().references(() => companies.id),
  provider_name: text().notNull(),
  /** The data for the return, sealed under the secrets key. */
  kept: text().notNull(),
  /** Epoch milliseconds. */
  expires_at: integer().notNull(),
  created_at: text().notNull(),
}, (table) => [
  index("sign_ons_by_company").on(table.company_id),
  index("sign_ons_by_expiry").on(table.expires_at),
]);

export type SsoDriverRow = typeof ssoDrivers.$inferSelect;

/** What its columns name, and what happens when that is deleted. */
export const ssoDriverReferences = declareReferences(ssoDrivers, { client_id: "an id of the provider" });
