import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Failures within a window that starts with the first, by the key of the limit. */
export const attempts = sqliteTable("attempts", {
  /** A keyed hash of the limit's key. */
  key: text().primaryKey(),
  failures: integer().notNull(),
  until: integer().notNull(),
}, (table) => [index("attempts_by_age").on(table.until)]);
