/** Deliveries of webhook subscriptions. The outbox, which deliveries refer to, is part of each commit. */
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { serialId } from "../../db/columns.ts";
import { outbox } from "../../db/tables.ts";
import { cascadeAtOnce, declareReferences, leaveTo } from "../../db/references.ts";
import { webhooks } from "./record.ts";

/** One row per delivery of an event to a subscription. Times are epoch milliseconds. */
export const deliveries = sqliteTable("deliveries", {
  id: text().primaryKey(),
  company_id: integer().notNull(),
  webhook_id: integer().notNull().references(() => webhooks.id),
  event_id: text().notNull().references(() => outbox.id),
  /** `pending`, `delivered` or `failed`. */
  status: text({ enum: ["pending", "delivered", "failed"] }).notNull().default("pending"),
  attempts: integer().notNull().default(0),
  /** Attempts that do not count for the retry delays: those before the last redelivery, and those made too early. */
  begun_after: integer().notNull().default(0),
  due_at: integer().notNull(),
  /** JSON [timestamp, SHA-1 hash, signature] of the last attempt; null when it was not signed. */
  signed: text(),
  response_status: integer(),
  error: text(),
  duration_ms: integer(),
  created_at: text().notNull(),
  delivered_at: text(),
  /** Type and id of the record, for subscriptions in order; null for others. */
  entity: text(),
  /** 1: it waits for an earlier delivery of its record, whose end releases it. */
  parked: integer().notNull().default(0),
  /** 1: it was sent or ended before and is sent again, out of its place. */
  again: integer().notNull().default(0),
  /** JSON: ids of custom fields of the body that the subscription's user did not see; null for none. */
  hidden_fields: text(),
}, (table) => [
  index("deliveries_ready").on(table.webhook_id, table.parked, table.due_at)
    .where(sql`${table.status} = 'pending'`),
  // The deliveries of a record that are in order.
  index("deliveries_in_order").on(table.webhook_id, table.entity)
    .where(sql`${table.status} = 'pending' and ${table.again} = 0 and ${table.entity} is not null`),
  // The log of a subscription, newest first, and its failures in a period.
  index("deliveries_by_status").on(table.webhook_id, table.status, table.created_at, table.id),
  index("deliveries_by_event").on(table.event_id),
  // Deletion by age; pending ones stay.
  index("deliveries_by_age").on(table.created_at).where(sql`${table.status} <> 'pending'`),
]);

/** Number of deliveries of a subscription by status, kept by triggers. */
export const deliveryCounts = sqliteTable("delivery_counts", {
  webhook_id: integer().notNull().references(() => webhooks.id),
  status: text().notNull(),
  n: integer().notNull(),
}, (table) => [primaryKey({ columns: [table.webhook_id, table.status] })]);

/** Progress of recoveries with more deliveries than one batch. */
export const recoveries = sqliteTable("recoveries", {
  id: serialId(),
  company_id: integer().notNull(),
  webhook_id: integer().notNull().references(() => webhooks.id),
  /** `created_at` and id of the last visited delivery. */
  after_at: text().notNull(),
  after_id: text().notNull(),
  /** `created_at` and id of the last delivery of the current step; null in the last step. */
  step_at: text(),
  step_id: text(),
  /** The last `created_at` of the period. */
  until: text().notNull(),
}, (table) => [index("recoveries_by_webhook").on(table.webhook_id)]);

/** One row per attempt. */
export const deliveryAttempts = sqliteTable("delivery_attempts", {
  delivery_id: text().notNull().references(() => deliveries.id),
  number: integer().notNull(),
  at: text().notNull(),
  response_status: integer(),
  error: text(),
  duration_ms: integer(),
  response_excerpt: text(),
}, (table) => [primaryKey({ columns: [table.delivery_id, table.number] })]);

/** What their columns name, and what happens when that is deleted. */
export const deliveryReferences = declareReferences(deliveries, {
  webhook_id: { webhook: "keep" },
  event_id: "an event of the outbox, which stays as long",
  entity: "the record as it was at that moment",
  hidden_fields: { field: "keep" },
});
export const deliveryCountReferences = declareReferences(deliveryCounts, { webhook_id: { webhook: "keep" } });
export const recoveryReferences = declareReferences(recoveries, {
  webhook_id: { webhook: leaveTo("delivery/webhooks/recover.ts#continueRecoveries", "cascade") },
  after_id: "a delivery, of which only the place counts",
  step_id: "a delivery, of which only the place counts",
});
export const deliveryAttemptReferences = declareReferences(deliveryAttempts, {
  delivery_id: { delivery: cascadeAtOnce },
});
