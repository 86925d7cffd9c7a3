import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { flag } from "../../db/columns.ts";
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
  index("access_tokens_by_client").on(table.client_id),
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
  index("refresh_tokens_by_client").on(table.client_id),
  index("refresh_tokens_by_family").on(table.family_id),
  index("refresh_tokens_by_user").on(table.user_id),
  index("refresh_tokens_by_expiry").on(table.expires_at),
]);

/** An authorisation code serves once; the row stays for a while, so that a second use is noticed. */
export const authorizationCodes = sqliteTable("authorization_codes", {
  hash: text().primaryKey(),
  client_id: text().notNull().references(() => applications.client_id),
  user_id: integer().notNull().references(() => users.id),
  redirect_uri: text().notNull(),
  /** Of PKCE with S256. */
  code_challenge: text(),
  /** What the tokens that it gives belong to. */
  family_id: text().notNull(),
  expires_at: integer().notNull(),
  used_at: integer(),
  kept_until: integer().notNull(),
  created_at: text().notNull(),
}, (table) => [
  index("authorization_codes_by_client").on(table.client_id),
  index("authorization_codes_by_user").on(table.user_id),
  index("authorization_codes_by_age").on(table.kept_until),
]);

/** People signed in at the pages, by the SHA-256 of their cookie. */
export const sessions = sqliteTable("sessions", {
  hash: text().primaryKey(),
  user_id: integer().notNull().references(() => users.id),
  expires_at: integer().notNull(),
  created_at: text().notNull(),
}, (table) => [
  index("sessions_by_user").on(table.user_id),
  index("sessions_by_expiry").on(table.expires_at),
]);

/** Devices that wait for somebody to let them in; the row stays for a while after it has served or expired. */
export const deviceCodes = sqliteTable("device_codes", {
  hash: text().primaryKey(),
  /** Eight digits, which a person types in. */
  user_code: integer().notNull().unique(),
  client_id: text().notNull().references(() => applications.client_id),
  /** Who let the device in. */
  user_id: integer().references(() => users.id),
  denied: flag(),
  /** Seconds between two polls. */
  poll_interval: integer().notNull(),
  /** The earliest moment of the next poll. */
  poll_at: integer().notNull(),
  used_at: integer(),
  expires_at: integer().notNull(),
  kept_until: integer().notNull(),
  created_at: text().notNull(),
}, (table) => [
  index("device_codes_by_client").on(table.client_id),
  index("device_codes_by_user").on(table.user_id),
  index("device_codes_by_age").on(table.kept_until),
]);

/** Failures within a window that opens with the first, by what was tried from where. */
export const attempts = sqliteTable("attempts", {
  /** A keyed hash of what is counted by. */
  key: text().primaryKey(),
  failures: integer().notNull(),
  until: integer().notNull(),
}, (table) => [index("attempts_by_age").on(table.until)]);
