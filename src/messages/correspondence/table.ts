import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { timestamps } from "../../db/columns.ts";
import { cases } from "../../sales/cases/record.ts";
import { declareReferences, leaveTo } from "../../db/references.ts";

export const correspondenceStatuses = ["draft", "pending", "sent", "failed", "made", "received"] as const;

/** E-mails and letters of cases, as they were sent or received. */
export const correspondences = sqliteTable("correspondences", {
  id: text().primaryKey(),
  company_id: integer().notNull(),
  case_id: text().notNull().references(() => cases.id),
  /** Null: received, or sent by an automated communication. */
  activity_id: text(),
  /** The user who wrote it; for an automated communication, the user of the case. */
  user_id: integer(),
  type: text({ enum: ["email", "letter"] }).notNull(),
  direction: text({ enum: ["out", "in"] }).notNull(),
  status: text({ enum: correspondenceStatuses }).notNull(),
  /** JSON {name, address}; null for a letter. */
  sender: text(),
  /** The address of an e-mail. */
  recipient: text(),
  subject: text(),
  /** Sanitised HTML, rendered. */
  content: text(),
  /**
   * JSON of the `KeptText` that subject and content were filled from, for readers who may not see all of it;
   * null when everybody may.
   */
  parts: text(),
  template_id: integer(),
  /** JSON of the `SnapshotMargins` of a letter. */
  margins: text(),
  /** JSON list of the ids of files that were sent or received with it. */
  file_ids: text().notNull().default("[]"),
  /**
   * Identifies a received message, so that it is recorded once: a hash of its Message-ID, or of its bytes.
   */
  message_key: text(),
  /** Message ids of a received message: those that it refers to, and its own as the last. */
  thread: text(),
  /** Why it was not sent. */
  error: text(),
  sent_at: text(),
  opened_at: text(),
  ...timestamps,
}, (table) => [
  index("correspondences_by_case").on(table.case_id, table.created_at, table.id),
  uniqueIndex("correspondences_received").on(table.case_id, table.message_key).where(
    sql`${table.message_key} is not null`,
  ),
]);

export type CorrespondenceRow = typeof correspondences.$inferSelect;

/** What its columns name, and what happens when that is deleted. */
export const correspondenceReferences = declareReferences(correspondences, {
  case_id: { case: leaveTo("sales/deletion/remove_cases.ts#deleteCaseRows", "cascade") },
  activity_id: { activity: leaveTo("sales/deletion/remove_cases.ts#deleteCaseRows", "cascade") },
  user_id: { user: "keep" },
  parts: "values as they were sent",
  template_id: { template: "keep" },
  file_ids: { file: "keep" },
});
