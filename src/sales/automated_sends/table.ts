import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamps } from "../../db/columns.ts";
import { cases } from "../cases/record.ts";
import { declareReferences, leaveTo } from "../../db/references.ts";

export const automatedStatuses = ["pending", "sent", "skipped", "cancelled", "failed"] as const;

/** Automated communications of cases: one row for each e-mail that an activity starts. */
export const automatedSends = sqliteTable("automated_sends", {
  /** Also the id of its correspondence. */
  id: text().primaryKey(),
  company_id: integer().notNull(),
  case_id: text().notNull().references(() => cases.id),
  activity_id: text().notNull(),
  activity_type_id: text().notNull(),
  /** The definition, and its message. Both may be deleted meanwhile. */
  definition_id: text().notNull(),
  message_id: text().notNull(),
  /** The texts at the start of the communication. Once it is sent, the subject of the mail. */
  name: text().notNull(),
  subject: text().notNull(),
  /** Epoch milliseconds. */
  due_at: integer().notNull(),
  /** The status that the activity left the case with. */
  case_status: text().notNull(),
  status: text({ enum: automatedStatuses }).notNull(),
  /** Why it was not sent. */
  reason: text(),
  /** The origin of links, such as `https://crm.example.org`. */
  origin: text().notNull(),
  ...timestamps,
}, (table) => [
  index("automated_sends_by_case").on(table.case_id, table.due_at, table.id),
  index("automated_sends_waiting").on(table.case_id, table.due_at, table.id).where(
    sql`${table.status} = 'pending'`,
  ),
  index("automated_sends_due").on(table.due_at, table.id).where(sql`${table.status} = 'pending'`),
  // For the deletion of a template.
  index("automated_sends_by_message").on(table.message_id).where(sql`${table.status} = 'pending'`),
]);

export type AutomatedSendRow = typeof automatedSends.$inferSelect;

/** What its columns name, and what happens when that is deleted. */
export const automatedSendReferences = declareReferences(automatedSends, {
  case_id: { case: leaveTo("sales/deletion/remove_cases.ts#deleteCaseRows", "cascade") },
  activity_id: { activity: leaveTo("sales/deletion/remove_cases.ts#deleteCaseRows", "cascade") },
  activity_type_id: { activity_type: "keep" },
  // It is skipped with the reason when it is due.
  definition_id: { automated_communication: "keep" },
  message_id: { automated_message: "keep" },
});
