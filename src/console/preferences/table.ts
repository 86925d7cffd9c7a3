import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { cascadeAtOnce, declareReferences } from "../../db/references.ts";
import { users } from "../../identity/users/record.ts";

/** How users want the console. A user without a row has the defaults. */
export const preferences = sqliteTable("preferences", {
  user_id: integer().primaryKey().references(() => users.id),
  /** JSON: the record, as `schema.ts` describes it. */
  chosen: text().notNull(),
});

/** What its columns name, and what happens when that is deleted. */
export const preferenceReferences = declareReferences(preferences, { user_id: { user: cascadeAtOnce } });
