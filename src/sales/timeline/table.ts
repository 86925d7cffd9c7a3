import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamps } from "../../db/columns.ts";
import { cases } from "../cases/record.ts";
import { declareReferences, leaveTo } from "../../db/references.ts";

/** Events that other systems report on cases. */
export const timelineEvents = sqliteTable("timeline_events", {
  id: text().primaryKey(),
  company_id: integer().notNull(),
  case_id: text().notNull().references(() => cases.id),
  /** The reporting user. */
  user_id: integer(),
  type: text(),
  title: text().notNull(),
  /** HTML, sanitised. */
  content: text(),
  occurred_at: text().notNull(),
  ...timestamps,
}, (table) => [index("timeline_events_by_case").on(table.case_id, table.occurred_at, table.id)]);

export type TimelineEventRow = typeof timelineEvents.$inferSelect;

/** What its columns name, and what happens when that is deleted. */
export const timelineEventReferences = declareReferences(timelineEvents, {
  case_id: { case: leaveTo("sales/deletion/remove_cases.ts#deleteCaseRows", "cascade") },
  user_id: { user: "keep" },
});
