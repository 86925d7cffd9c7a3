/** The tables of the unit of work: what is written beside every change. */
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { flag, serialId, timestamps, version } from "./columns.ts";

/** Long constant parts of stored JSON, once each, by the name that stands for them. */
export const jsonPool = sqliteTable("json_pool", {
  name: text().primaryKey(),
  text: text().notNull(),
  /** The company that has made what it says; null: part of the program. */
  company_id: integer(),
  /** When a body that has it was stored last, give or take a day; epoch milliseconds. */
  used_at: integer().notNull().default(0),
}, (table) => [
  index("json_pool_by_company").on(table.company_id),
  index("json_pool_by_use").on(table.used_at).where(sql`${table.company_id} is not null`),
]);

/**
 * One row: how often what callers are made of has changed (users, teams, roles, fields, ended tokens ...), counted
 * by triggers. So whoever remembers callers sees in one read whether they are as they were.
 */
export const callerChanges = sqliteTable("caller_changes", {
  id: integer().primaryKey(),
  n: integer().notNull(),
});

/** Mail on its way, and what did not get there. Mail that was sent has no row any more. */
export const mails = sqliteTable("mails", {
  id: text().primaryKey(),
  to_address: text().notNull(),
  subject: text().notNull(),
  /** Sealed with the secrets key: JSON {text, html}. */
  body: text().notNull(),
  /** `pending`, `failed`, or `kept`: no mail server was there to take it. */
  status: text().notNull().default("kept"),
  attempts: integer().notNull().default(0),
  /** When it is to be sent, epoch milliseconds; while it is being sent, when that counts as broken off. */
  due_at: integer(),
  /** Why the last attempt failed. */
  error: text(),
  created_at: text().notNull(),
  /** Epoch milliseconds. */
  expires_at: integer().notNull(),
}, (table) => [
  index("mails_expiring").on(table.expires_at),
  index("mails_due").on(table.due_at, table.id).where(sql`${table.status} = 'pending'`),
]);

/** Webhook subscriptions. A commit fans its events out over them in its own batch. */
export const webhooks = sqliteTable("webhooks", {
  id: serialId(),
  company_id: integer().notNull(),
  user_id: integer().notNull(),
  target_url: text().notNull(),
  /** An event name, or `*`. */
  event_name: text().notNull(),
  /** Sealed with the secrets key. */
  verification_token: text(),
  /** Sealed: JSON [[token, until], …] of tokens before it that still sign beside it; epoch milliseconds. */
  previous_token: text(),
  /** When the last of them ends, epoch milliseconds. */
  previous_token_until: integer(),
  scope: text().notNull().default("global"),
  paused_at: text(),
  /** Set by DELETE, and by a target that answers 410; the latter can be restored for a while. */
  deleted_at: text(),
  target_gone: flag(),
  /** When its user got it from a deleted one, who may have seen what this one does not; null: made it. */
  owned_since: text(),
  /** When the first attempt failed since one succeeded, epoch milliseconds; null: none did. */
  failing_since: integer(),
  /** How many have failed since then. */
  failures: integer().notNull().default(0),
  ...timestamps,
  ...version,
}, (table) => [
  uniqueIndex("webhooks_url").on(table.company_id, table.target_url).where(sql`${table.deleted_at} is null`),
  // All of a company, deleted ones too.
  index("webhooks_by_company").on(table.company_id),
  // Those that events are fanned out over, paused ones too.
  index("webhooks_by_event").on(table.company_id, table.event_name).where(sql`${table.deleted_at} is null`),
  index("webhooks_failing").on(table.failing_since).where(sql`${table.failing_since} is not null`),
  index("webhooks_rotating").on(table.previous_token_until).where(
    sql`${table.previous_token_until} is not null`,
  ),
]);

/** The outbox: one row an event, with the body that was true at that moment. */
export const outbox = sqliteTable("outbox", {
  id: text().primaryKey(),
  company_id: integer().notNull(),
  event_name: text().notNull(),
  entity_type: text().notNull(),
  entity_id: text().notNull(),
  /** Counts the events of the entity from 1. */
  sequence: integer().notNull(),
  /** The acting user; null for timers. */
  executor_id: integer(),
  /** Whose it was: by these its deliveries were made. */
  team_id: integer(),
  agency_team_id: integer(),
  created_by: integer(),
  body: text().notNull(),
  created_at: text().notNull(),
}, (table) => [index("outbox_by_company").on(table.company_id)]);

/** The last sequence number of each entity; outlives the outbox rows. */
export const eventSequences = sqliteTable("event_sequences", {
  company_id: integer().notNull(),
  entity_type: text().notNull(),
  entity_id: text().notNull(),
  last: integer().notNull(),
}, (table) => [primaryKey({ columns: [table.company_id, table.entity_type, table.entity_id] })]);

/** One row a delivery: an event on its way to a subscription. Times are epoch milliseconds. */
export const deliveries = sqliteTable("deliveries", {
  id: text().primaryKey(),
  company_id: integer().notNull(),
  webhook_id: integer().notNull().references(() => webhooks.id),
  event_id: text().notNull().references(() => outbox.id),
  /** `pending`, `delivered` or `failed`. */
  status: text().notNull().default("pending"),
  attempts: integer().notNull().default(0),
  /** Attempts that had been made when it was last begun anew; the ladder of retries counts from there. */
  begun_after: integer().notNull().default(0),
  due_at: integer().notNull(),
  /** JSON [timestamp, SHA-1 hash, signature] of the last attempt; null: it was not signed. */
  signed: text(),
  response_status: integer(),
  error: text(),
  duration_ms: integer(),
  created_at: text().notNull(),
  delivered_at: text(),
  /** JSON: ids of custom fields of the body that the subscription's user did not see when it happened; null: none. */
  hidden_fields: text(),
}, (table) => [
  index("deliveries_due").on(table.webhook_id, table.due_at).where(sql`${table.status} = 'pending'`),
  // The log of a subscription, newest first, and what failed of it in a time.
  index("deliveries_by_status").on(table.webhook_id, table.status, table.created_at, table.id),
  index("deliveries_by_event").on(table.event_id),
  // What is old enough to be removed; what waits never is.
  index("deliveries_by_age").on(table.created_at).where(sql`${table.status} <> 'pending'`),
]);

/** How many deliveries a subscription has of each status; kept by triggers. */
export const deliveryCounts = sqliteTable("delivery_counts", {
  webhook_id: integer().notNull().references(() => webhooks.id),
  status: text().notNull(),
  n: integer().notNull(),
}, (table) => [primaryKey({ columns: [table.webhook_id, table.status] })]);

/** Recoveries of more deliveries than one batch takes: how far each has come. */
export const recoveries = sqliteTable("recoveries", {
  id: serialId(),
  company_id: integer().notNull(),
  webhook_id: integer().notNull().references(() => webhooks.id),
  /** `created_at` and id of the last delivery that was looked at. */
  after_at: text().notNull(),
  after_id: text().notNull(),
  /** Those of the last one of the step under way; null: it is the last step. */
  step_at: text(),
  step_id: text(),
  /** The last `created_at` that belongs to it. */
  until: text().notNull(),
}, (table) => [index("recoveries_by_webhook").on(table.webhook_id)]);

/** One row an attempt at a delivery. */
export const deliveryAttempts = sqliteTable("delivery_attempts", {
  delivery_id: text().notNull().references(() => deliveries.id),
  number: integer().notNull(),
  at: text().notNull(),
  response_status: integer(),
  error: text(),
  duration_ms: integer(),
  response_excerpt: text(),
}, (table) => [primaryKey({ columns: [table.delivery_id, table.number] })]);

/** Answers kept under an idempotency key. */
export const idempotencyKeys = sqliteTable("idempotency_keys", {
  client_id: text().notNull(),
  /** 0 for a client without a user. */
  user_id: integer().notNull(),
  key: text().notNull(),
  /** A keyed hash of method, path and body. */
  fingerprint: text().notNull(),
  status: integer().notNull(),
  body: text(),
  /** Secrets of the body, sealed: a JSON object of values by top-level key. */
  sealed: text(),
  headers: text().notNull().default("{}"),
  expires_at: integer().notNull(),
}, (table) => [
  primaryKey({ columns: [table.client_id, table.user_id, table.key] }),
  index("idempotency_keys_by_expiry").on(table.expires_at),
]);

/** Exact totals by company, kind, team, status and agency team; kept by triggers beside every change. */
export const totals = sqliteTable("totals", {
  company_id: integer().notNull(),
  kind: text().notNull(),
  /** 0 for none. */
  team_id: integer().notNull(),
  status: text().notNull(),
  /** 0 for none. */
  agency_team_id: integer().notNull(),
  n: integer().notNull(),
}, (table) => [
  primaryKey({ columns: [table.company_id, table.kind, table.team_id, table.status, table.agency_team_id] }),
]);

/**
 * What lies in the storage, or is about to: the row comes before the object and goes after it, so that no
 * object is ever without one.
 */
export const objects = sqliteTable("objects", {
  key: text().primaryKey(),
  company_id: integer().notNull(),
  /** The media type, judged by the content. */
  type: text().notNull(),
  bytes: integer().notNull(),
  /** From when on it may be removed, epoch milliseconds; null while a record has it. */
  removed_from: integer(),
  created_at: text().notNull(),
}, (table) => [
  index("objects_by_company").on(table.company_id),
  index("objects_to_remove").on(table.removed_from).where(sql`${table.removed_from} is not null`),
]);

/** One row: the moment that things have aged to, for what removes them. */
export const ageing = sqliteTable("ageing", {
  id: integer().primaryKey(),
  /** Epoch milliseconds. */
  reached: integer().notNull(),
});

/** One row: a known text that was sealed when the database got its key, by which another key is noticed. */
export const keyChecks = sqliteTable("key_checks", {
  id: integer().primaryKey(),
  sealed: text().notNull(),
});

/** Leases of jobs and of webhook targets, so that several processes share the work. */
export const leases = sqliteTable("leases", {
  name: text().primaryKey(),
  holder: text().notNull(),
  until: integer().notNull(),
});
