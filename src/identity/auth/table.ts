import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { flag } from "../../db/columns.ts";
import { applications } from "../applications/table.ts";
import { users } from "../users/record.ts";
import { cascadeAtOnce, declareReferences } from "../../db/references.ts";

/** Bearer tokens, by the SHA-256 of the token. Times are epoch milliseconds. */
export const accessTokens = sqliteTable("access_tokens", {
  hash: text().primaryKey(),
  /** The public identifier, for lists and for revoking. */
  id: text().notNull().unique(),
  client_id: text().notNull().references(() => applications.client_id),
  user_id: integer().references(() => users.id),
  /** The sign-in. All its tokens end together. Null for client credentials. */
  family_id: text(),
  expires_at: integer().notNull(),
  created_at: text().notNull(),
}, (table) => [
  index("access_tokens_by_user").on(table.user_id, table.expires_at),
  index("access_tokens_by_client").on(table.client_id),
  index("access_tokens_by_family").on(table.family_id),
  index("access_tokens_by_expiry").on(table.expires_at),
]);

/** Refresh tokens. Each works once; the row remains until it expires, to detect a second use. */
export const refreshTokens = sqliteTable("refresh_tokens", {
  hash: text().primaryKey(),
  client_id: text().notNull().references(() => applications.client_id),
  user_id: integer().notNull().references(() => users.id),
  family_id: text().notNull(),
  expires_at: integer().notNull(),
  used_at: integer(),
  /** Uses right after the first one, by clients that did not receive its answer. */
  repeats: integer().notNull().default(0),
  created_at: text().notNull(),
}, (table) => [
  index("refresh_tokens_by_client").on(table.client_id),
  index("refresh_tokens_by_family").on(table.family_id),
  index("refresh_tokens_by_user").on(table.user_id),
  index("refresh_tokens_by_expiry").on(table.expires_at),
]);

/** Authorization codes. Each works once; the row remains until `kept_until`, to detect a second use. */
export const authorizationCodes = sqliteTable("authorization_codes", {
  hash: text().primaryKey(),
  client_id: text().notNull().references(() => applications.client_id),
  user_id: integer().notNull().references(() => users.id),
  redirect_uri: text().notNull(),
  /** The challenge of PKCE, with the method S256. */
  code_challenge: text(),
  /** The family of the tokens that the code is exchanged for. */
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

/** People signed in at the pages, by the SHA-256 of their cookie. Times of integers are epoch milliseconds. */
export const sessions = sqliteTable("sessions", {
  hash: text().primaryKey(),
  /** The public identifier, for lists and for ending a session. */
  id: text(),
  user_id: integer().notNull().references(() => users.id),
  expires_at: integer().notNull(),
  created_at: text().notNull(),
  /** Written at most once a day; null until the first use. */
  last_used_at: integer(),
  /** The browser and the network address at the sign-in. */
  user_agent: text(),
  address: text(),
}, (table) => [
  index("sessions_by_user").on(table.user_id),
  index("sessions_by_expiry").on(table.expires_at),
]);

/** Devices that wait for a person to allow them. The row remains until `kept_until`, after use or expiry. */
export const deviceCodes = sqliteTable("device_codes", {
  hash: text().primaryKey(),
  /** Eight digits, which a person types. */
  user_code: integer().notNull().unique(),
  client_id: text().notNull().references(() => applications.client_id),
  /** The user who allowed the device. */
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

/** What its columns name, and what happens when that is deleted. */
export const accessTokenReferences = declareReferences(accessTokens, {
  client_id: { application: cascadeAtOnce },
  user_id: { user: cascadeAtOnce },
  family_id: "the sign-in",
});
export const refreshTokenReferences = declareReferences(refreshTokens, {
  client_id: { application: cascadeAtOnce },
  user_id: { user: cascadeAtOnce },
  family_id: "the sign-in",
});
export const authorizationCodeReferences = declareReferences(authorizationCodes, {
  client_id: { application: cascadeAtOnce },
  user_id: { user: cascadeAtOnce },
  family_id: "the sign-in",
});
export const sessionReferences = declareReferences(sessions, { user_id: { user: cascadeAtOnce } });
export const deviceCodeReferences = declareReferences(deviceCodes, {
  client_id: { application: cascadeAtOnce },
  user_id: { user: cascadeAtOnce },
});
