import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { serialId } from "../db/columns.ts";
import { declareReferences, leaveTo } from "../db/references.ts";

/** Unfinished work that is too large for one commit; the last step deletes the row. */
export const stagedWork = sqliteTable("staged_work", {
  id: serialId(),
  company_id: integer().notNull(),
  kind: text().notNull(),
  /** The id of the record that the work is about. */
  subject: text().notNull(),
  /** JSON of the kind: the input and the progress of the work. */
  payload: text().notNull().default("{}"),
  /** The run that makes the steps of the work, and when other runs may take over, in epoch milliseconds. */
  holder: text(),
  lease_until: integer().notNull().default(0),
  /**
   * The number of failures in a row, the last error, and the time of the next attempt in epoch milliseconds.
   */
  attempts: integer().notNull().default(0),
  error: text(),
  due_at: integer().notNull().default(0),
  created_at: text().notNull(),
}, (table) => [
  // Finds the work on a record, for example whether the record is being deleted.
  uniqueIndex("staged_work_subject").on(table.kind, table.subject),
  index("staged_work_by_company").on(table.company_id, table.kind),
]);

/** Records that failed alone. Their work or timer skips them and retries them later. */
export const setAside = sqliteTable("set_aside", {
  /** The work or timer that skips them; see `nameQueue`. */
  queue: text().notNull(),
  record: text().notNull(),
  company_id: integer().notNull(),
  /** The version of the record when it failed, if the queue knows it. */
  version: integer(),
  attempts: integer().notNull(),
  error: text().notNull(),
  /** When it is retried, in epoch milliseconds. */
  due_at: integer().notNull(),
}, (table) => [
  primaryKey({ columns: [table.queue, table.record] }),
  index("set_aside_by_company").on(table.company_id),
]);

/** What its columns name, and what happens when that is deleted. */
export const stagedWorkReferences = declareReferences(stagedWork, {
  subject: "the record of the work, by its kind; the work ends without it",
  payload: {
    team: leaveTo("staged/work.ts#redirectWork", "step"),
    user: leaveTo("staged/work.ts#redirectWork", "step"),
  },
});
