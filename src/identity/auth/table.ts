import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { applications } from "../applications/table.ts";
import { users } from "../users/table.ts";

/** Bearer tokens, by the SHA-256 of the token. Times are epoch milliseconds. */
export const accessTokens = sqliteTable("access_tokens", {
  hash: text().primaryKey(),
  /** The public identifier, for lists and for revoking. */
  id: text().notNull().unique(),
  client_id: text().notNull().references(() => applications.client_id),
  user_id: integer().references(() => users.id),
  /** All tokens that descend from one sign-in; they end together. Null: client credentials. */
  family_id: text(),
  expires_at: integer().notNull(),
  created_at: text().notNull(),
}, (table) => [
  index("access_tokens_by_user").on(table.user_id, table.expires_at),
  index("access_tokens_by_family").on(table.family_id),
  index("access_tokens_by_expiry").on(table.expires_at),
]);

/** A refresh token serves once; the row stays as long as it lives, so that a second use is noticed. */
export const refreshTokens = sqliteTable("refresh_tokens", {
  hash: text().primaryKey(),
  client_id: text().notNull().references(() => applications.client_id),
  user_id: integer().notNull().references(() => users.id),
  family_id: text().notNull(),
  expires_at: integer().notNull(),
  used_at: integer(),
  created_at: text().notNull(),
}, (table) => [
  index("refresh_tokens_by_family").on(table.family_id),
  index("refresh_tokens_by_user").on(table.user_id),
  index("refresh_tokens_by_expiry").on(table.expires_at),
]);
