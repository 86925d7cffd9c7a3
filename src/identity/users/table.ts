import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { cascadeAtOnce, declareReferences } from "../../db/references.ts";
import { users } from "./record.ts";

/** Requests for a new password, by the SHA-256 of the token in the mail. */
export const passwordResets = sqliteTable("password_resets", {
  hash: text().primaryKey(),
  user_id: integer().notNull().references(() => users.id),
  /** Epoch milliseconds. */
  expires_at: integer().notNull(),
  created_at: text().notNull(),
}, (table) => [
  index("password_resets_by_user").on(table.user_id),
  index("password_resets_by_expiry").on(table.expires_at),
]);

/** What its columns name, and what happens when that is deleted. */
export const passwordResetReferences = declareReferences(passwordResets, {
  user_id: { user: cascadeAtOnce },
});
