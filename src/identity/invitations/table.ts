import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { serialId, timestamps, version } from "../../db/columns.ts";
import { companies } from "../companies/table.ts";
import { users } from "../users/record.ts";
import { clearAtOnce, declareReferences } from "../../db/references.ts";

/** Open invitations. A row is deleted when the invitation is accepted, withdrawn or expired. */
export const invitations = sqliteTable("invitations", {
  id: serialId(),
  company_id: integer().notNull().references(() => companies.id),
  email: text().notNull(),
  /** The address as it is compared with others. */
  email_key: text().notNull().default(""),
  /** SHA-256 of the token that the mail carries. */
  token_hash: text().notNull().unique(),
  /** JSON lists of ids, in the order of the request. */
  role_ids: text().notNull(),
  team_ids: text().notNull(),
  created_by: integer().notNull().references(() => users.id),
  /** Epoch milliseconds. */
  expires_at: integer().notNull(),
  ...timestamps,
  ...version,
}, (table) => [
  index("invitations_by_created").on(table.company_id, table.created_at, table.id),
  index("invitations_by_creator").on(table.created_by),
  index("invitations_by_expiry").on(table.expires_at),
]);

export type InvitationRow = typeof invitations.$inferSelect;

/** What its columns name, and what happens when that is deleted. */
export const invitationReferences = declareReferences(invitations, {
  role_ids: { role: clearAtOnce({ list: true }) },
  team_ids: { team: clearAtOnce({ list: true }) },
  created_by: { user: "keep" },
});
