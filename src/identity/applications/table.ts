import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { flag, timestamps, version } from "../../db/columns.ts";
import { companies } from "../companies/table.ts";
import { users } from "../users/record.ts";
import { declareReferences, leaveTo } from "../../db/references.ts";

export const applications = sqliteTable("applications", {
  client_id: text().primaryKey(),
  /** Null for a client without a company, such as the bootstrap client. */
  company_id: integer().references(() => companies.id),
  user_id: integer().references(() => users.id),
  name: text().notNull(),
  redirect_uri: text(),
  /** SHA-256. Only the answer that creates the secret shows it. */
  secret_hash: text().notNull(),
  /** The last four characters, as a hint for people who have several. */
  secret_hint: text().notNull(),
  /** SHA-256 of the secret before the last rotation, and the end of its validity in epoch milliseconds. */
  previous_secret_hash: text(),
  previous_secret_until: integer(),
  trusted: flag(),
  /** Created from `BOOTSTRAP_CLIENT_ID`; deleted at the next start when the variable no longer names it. */
  bootstrap: flag(),
  ...timestamps,
  ...version,
}, (table) => [
  index("applications_by_company").on(table.company_id, table.created_at),
  index("applications_by_user").on(table.user_id),
  // Read at each start.
  index("applications_bootstrap").on(table.client_id).where(sql`${table.bootstrap} = 1`),
]);

export type ApplicationRow = typeof applications.$inferSelect;

/** What its columns name, and what happens when that is deleted. */
export const applicationReferences = declareReferences(applications, {
  client_id: "its own id",
  // With a successor it also loses its secret.
  user_id: {
    user: leaveTo("identity/applications/deletion.ts#applicationReassignment", "reassign", "cascade"),
  },
});
