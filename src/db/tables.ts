/** The tables of the unit of work: what is written beside every change. */
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

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
