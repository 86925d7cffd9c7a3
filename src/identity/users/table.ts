import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { flag, serialId, timestamps, version } from "../../db/columns.ts";
import { companies } from "../companies/table.ts";
import { referencesOf } from "../../db/references.ts";

export const users = sqliteTable("users", {
  id: serialId(),
  company_id: integer().notNull().references(() => companies.id),
  first_name: text().notNull(),
  last_name: text().notNull(),
  email: text().notNull(),
  /** The lower-case address. Unique in the whole service, since people sign in by it. */
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
  /** The active team, one of the user's teams. New records go there. */
  active_team_id: integer(),
  system_user: flag(),
  password_hash: text(),
  /** The company's driver that the user signs in through, and the user's subject there. */
  sso_provider: text(),
  sso_user_id: text(),
  created_by: integer(),
  ...timestamps,
  deleted_at: text(),
  ...version,
}, (table) => [
  uniqueIndex("users_email").on(table.email_key).where(sql`${table.deleted_at} is null`),
  // For sign-ins through a provider.
  uniqueIndex("users_sso").on(table.company_id, table.sso_provider, table.sso_user_id).where(
    sql`${table.sso_provider} is not null and ${table.deleted_at} is null`,
  ),
  // All users of a company, including deleted ones.
  index("users_by_company").on(table.company_id),
  index("users_by_created").on(table.company_id, table.created_at, table.id).where(
    sql`${table.deleted_at} is null`,
  ),
]);

/** Requests for a new password, by the SHA-256 of the token in the mail. */
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

export type UserRow = typeof users.$inferSelect;

/** What its columns name, and what happens when that is removed. */
export const userReferences = referencesOf(users, {
  active_team_id: { team: "clear" },
  sso_user_id: "an id of the sign-on provider",
  created_by: { user: "keep" },
});
export const passwordResetReferences = referencesOf(passwordResets, { user_id: { user: "cascade" } });
