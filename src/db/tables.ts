/** Tables of the unit of work, written with every change. */
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { declareReferences } from "./references.ts";

/** Long constant parts of stored JSON, by name. */
export const jsonPool = sqliteTable("json_pool", {
  name: text().primaryKey(),
  text: text().notNull(),
  /** The company that defines it; null: part of the program. */
  company_id: integer(),
  /** When a body with it was last stored, to within a day; epoch milliseconds. */
  used_at: integer().notNull().default(0),
}, (table) => [
  index("json_pool_by_company").on(table.company_id),
  index("json_pool_by_use").on(table.used_at).where(sql`${table.company_id} is not null`),
]);

/**
 * One row: counts changes of rows that callers are read from (users, teams, roles, fields, ended tokens ...).
 * Triggers increase the count, so that one read shows whether cached callers are current.
 */
export const callerChanges = sqliteTable("caller_changes", {
  id: integer().primaryKey(),
  n: integer().notNull(),
});

/** Mail that waits or failed. Sent mail has no row. */
export const mails = sqliteTable("mails", {
  id: text().primaryKey(),
  to_address: text().notNull(),
  subject: text().notNull(),
  /** Sealed with the secrets key: JSON of the mail without recipient and title. */
  body: text().notNull(),
  /** `pending`, `failed`, or `kept`: no mail server was configured. */
  status: text().notNull().default("kept"),
  attempts: integer().notNull().default(0),
  /** Claims since the last result of an attempt, see `later/row_lease.ts`. */
  claims: integer().notNull().default(0),
  /** When it is due, epoch milliseconds; while it is being sent, when the attempt counts as interrupted. */
  due_at: integer(),
  /** Why the last attempt failed. */
  error: text(),
  created_at: text().notNull(),
  /** Epoch milliseconds. */
  expires_at: integer().notNull(),
  /** A number of `mailLanes`. */
  lane: integer().notNull().default(0),
  /** The kind and id of the record for which its end is recorded; null: none. */
  about_kind: text(),
  about_id: text(),
  /** JSON of the storage keys of its attachments; null: it has none. */
  objects: text(),
  /** The company that takes a turn with it; 0: none. */
  company_id: integer().notNull().default(0),
}, (table) => [
  index("mails_expiring").on(table.expires_at),
  index("mails_with_objects").on(table.objects)
    .where(sql`${table.status} = 'pending' and ${table.objects} is not null`),
  index("mails_due").on(table.lane, table.due_at, table.id).where(sql`${table.status} = 'pending'`),
  index("mails_in_turn").on(table.lane, table.company_id, table.due_at, table.id)
    .where(sql`${table.status} = 'pending'`),
]);

/** The rate of automated communications and campaigns: one row. */
export const mailRate = sqliteTable("mail_rate", {
  id: integer().primaryKey(),
  /** When the next mail may be sent, epoch milliseconds. */
  next_at: real().notNull(),
});

/** One row while nothing is sent, because the data is a restored copy or an operator wants it so. */
export const holds = sqliteTable("holds", {
  id: integer().primaryKey(),
  /** When it began, epoch milliseconds. What fell due before may have been sent from the original data. */
  since: integer().notNull(),
});

/**
 * The outbox: one row for each event, with the body at that moment. SQLite has one writer at a time, which
 * assigns the positions: their order is the order of the commits, also of batches that share a commit, and a
 * reader that sees a position has seen all before it. A position is never used again.
 */
export const outbox = sqliteTable("outbox", {
  position: integer().primaryKey({ autoIncrement: true }),
  /** A version 7 id by the author's clock, which says nothing about the order. */
  id: text().notNull(),
  company_id: integer().notNull(),
  event_name: text().notNull(),
  entity_type: text().notNull(),
  entity_id: text().notNull(),
  /** Counts the events of the entity from 1. */
  sequence: integer().notNull(),
  /** The acting user; null for timers. */
  executor_id: integer(),
  /** The teams that decided on its deliveries. */
  team_id: integer(),
  agency_team_id: integer(),
  created_by: integer(),
  body: text().notNull(),
  created_at: text().notNull(),
  /** The true time of the commit, epoch milliseconds, also when the author acts in another time. */
  recorded_at: integer().notNull().default(sql`(cast(unixepoch('subsec') * 1000 as integer))`),
  /** The teams before an event that moves its record; 0: none. Null: it does not move. */
  team_before: integer(),
  agency_team_before: integer(),
}, (table) => [
  uniqueIndex("outbox_by_id").on(table.id),
  index("outbox_by_company").on(table.company_id, table.position),
  index("outbox_by_age").on(table.recorded_at),
]);

/** The last position of each company whose event is removed: the feed begins after it. */
export const feedFloors = sqliteTable("feed_floors", {
  company_id: integer().primaryKey(),
  position: integer().notNull(),
});

/** One row after a restore, which gives positions out anew: cursors from before it are of another epoch. */
export const feedEpochs = sqliteTable("feed_epochs", {
  id: integer().primaryKey(),
  epoch: text().notNull(),
});

/** The last sequence number of each entity. Outlives the outbox rows. */
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

/** Exact totals by company, kind, team, status and agency team; kept by triggers in every change. */
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
 * Objects that are in the storage, or are about to be stored. The row is written before the object and
 * deleted after it, so that no object lacks a row.
 */
export const objects = sqliteTable("objects", {
  key: text().primaryKey(),
  company_id: integer().notNull(),
  /** The media type, detected from the content. */
  type: text().notNull(),
  bytes: integer().notNull(),
  /** When it may be removed, epoch milliseconds; null while a record has it. */
  removed_from: integer(),
  /** 1: another object replaced it. Waiting mail may still need it. */
  replaced: integer().notNull().default(0),
  created_at: text().notNull(),
}, (table) => [
  index("objects_by_company").on(table.company_id),
  index("objects_to_remove").on(table.removed_from).where(sql`${table.removed_from} is not null`),
  // For the bytes that a company keeps for a moment.
  index("objects_for_moment").on(table.company_id, table.removed_from, table.bytes)
    .where(sql`${table.removed_from} is not null`),
]);

/** One row: the moment that decides which old rows are removed. */
export const ageing = sqliteTable("ageing", {
  id: integer().primaryKey(),
  /** Epoch milliseconds. */
  reached: integer().notNull(),
});

/** One row: a known text that was sealed when the database got its key. A wrong key cannot open it. */
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

/**
 * The moment of the running batch, epoch seconds: one row, which `commit` writes first. Triggers use it as
 * the time of their facts.
 */
export const factMoments = sqliteTable("fact_moments", {
  id: integer().primaryKey(),
  at: integer().notNull(),
});

/** What its columns name, and what happens when that is deleted. */
export const outboxReferences = declareReferences(outbox, {
  entity_id: "the record as it was at that moment",
  executor_id: { user: "keep" },
  team_id: { team: "keep" },
  agency_team_id: { team: "keep" },
  created_by: { user: "keep" },
  team_before: { team: "keep" },
  agency_team_before: { team: "keep" },
});
export const eventSequenceReferences = declareReferences(eventSequences, {
  entity_id: "a number of events, which outlives the record",
});
export const mailReferences = declareReferences(mails, {
  about_id: "a record that is looked up when the mail ends, and may be gone",
});
export const idempotencyKeyReferences = declareReferences(idempotencyKeys, {
  client_id: { application: "keep" },
  user_id: { user: "keep" },
});
export const totalReferences = declareReferences(totals, {
  team_id: "a counter, kept by triggers",
  agency_team_id: "a counter, kept by triggers",
});
