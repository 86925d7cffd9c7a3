import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { cascadeAtOnce, declareReferences } from "../../db/references.ts";
import { users } from "../../identity/users/record.ts";

/** The records that users opened last in the console. */
export const recentRecords = sqliteTable("recent_records", {
  user_id: integer().primaryKey().references(() => users.id),
  /** JSON: a list of `{type, id, at}`, the latest first. */
  opened: text().notNull(),
});

/** What its columns name, and what happens when that is deleted. */
export const recentReferences = declareReferences(recentRecords, { user_id: { user: cascadeAtOnce } });
