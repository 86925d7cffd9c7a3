import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { flag, serialId, timestamps, version } from "../../db/columns.ts";
import { companies } from "../companies/table.ts";

export const users = sqliteTable("users", {
  id: serialId(),
  company_id: integer().notNull().references(() => companies.id),
  first_name: text().notNull(),
  last_name: text().notNull(),
  email: text().notNull(),
  /** The address without case: people sign in by it, so it is unique in the whole service. */
  email_key: text().notNull(),
  phone_number: text(),
  job_title: text(),
  email_notifications: integer().notNull().default(1),
  /** Storage key of the picture. */
  profile_picture: text(),
  locale: text().notNull(),
  timezone: text().notNull(),
  user_type: integer().notNull().default(3),
  signature_email: text(),
  /** The team last switched to; where new records go. */
  active_team_id: integer(),
  system_user: flag(),
  password_hash: text(),
  /** The name of the company's driver by which the user signs in, and who the user is there. */
  sso_provider: text(),
  sso_user_id: text(),
  created_by: integer(),
  ...timestamps,
  deleted_at: text(),
  ...version,
}, (table) => [
  uniqueIndex("users_email").on(table.email_key).where(sql`${table.deleted_at} is null`),
  // Who signs in through a provider.
  uniqueIndex("users_sso").on(table.company_id, table.sso_provider, table.sso_user_id).where(
    sql`${table.sso_provider} is not null and ${table.deleted_at} is null`,
  ),
  // All users of a company, deleted ones too.
  index("users_by_company").on(table.company_id),
  index("users_by_created").on(table.company_id, table.created_at, table.id).where(
    sql`${table.deleted_at} is null`,
  ),
]);

/** Ways back in for people who forgot their password, by the SHA-256 of the token that the mail carries. */
export const passwordResets = sqliteTable("password_resets", {
  hash: text().primaryKey(),
  user_id: integer().notNull().references(() => users.id),
  /** Epoch milliseconds. */
  expires_at: integer().notNull(),
  created_at: text().notNull(),
}, (table) => [
  index("password_resets_by_user").on(table.user_id),
  index("password_resets_by_expiry").on(table.expires_at),
]);

/** Deleted users whose open work is still on its way to somebody else; the row goes when it has arrived. */
export const handovers = sqliteTable("handovers", {
  user_id: integer().primaryKey().references(() => users.id),
  company_id: integer().notNull().references(() => companies.id),
  heir_id: integer().notNull().references(() => users.id),
  created_at: text().notNull(),
});

export type UserRow = typeof users.$inferSelect;
