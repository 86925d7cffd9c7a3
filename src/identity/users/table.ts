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
  sso_provider: text(),
  sso_user_id: text(),
  created_by: integer(),
  ...timestamps,
  deleted_at: text(),
  ...version,
}, (table) => [
  uniqueIndex("users_email").on(table.email_key).where(sql`${table.deleted_at} is null`),
  index("users_by_created").on(table.company_id, table.created_at, table.id).where(
    sql`${table.deleted_at} is null`,
  ),
]);

export type UserRow = typeof users.$inferSelect;
