import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Failed attempts by limit, in a window that starts with the first failure. `until` is the window's end. */
export const attempts = sqliteTable("attempts", {
  /** A keyed hash of the limit's key. */
  key: text().primaryKey(),
  failures: integer().notNull(),
  until: integer().notNull(),
}, (table) => [index("attempts_by_age").on(table.until)]);
