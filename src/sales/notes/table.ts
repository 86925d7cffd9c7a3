import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { serialId, timestamps, version } from "../../db/columns.ts";
import { accounts } from "../../customers/accounts/table.ts";
import { contacts } from "../../customers/contacts/table.ts";
import { companies } from "../../identity/tables/companies.ts";
import { activities } from "../activities/table.ts";
import { cases } from "../cases/table.ts";
import { referencesOf } from "../../db/references.ts";

export const notes = sqliteTable("notes", {
  /** Also the row id of the full-text index. */
  id: serialId(),
  company_id: integer().notNull().references(() => companies.id),
  /** The team of the case or, without a case, of the contact; triggers maintain it. */
  team_id: integer(),
  /** The author. */
  user_id: integer().notNull(),
  /** HTML, sanitised. */
  note: text().notNull(),
  case_id: text().references(() => cases.id),
  activity_id: text().references(() => activities.id),
  /** The account of the contact; triggers maintain it. */
  account_id: text().references(() => accounts.id),
  contact_id: text().references(() => contacts.id),
  /** Bits. 1: the note names users or teams; 2: somebody other than its author is among them. */
  mentions: integer().notNull().default(0),
  ...timestamps,
  ...version,
}, (table) => [
  index("notes_by_created").on(table.company_id, table.created_at, table.id),
  index("notes_by_team_created").on(table.company_id, table.team_id, table.created_at, table.id),
  index("notes_by_case").on(table.case_id, table.created_at, table.id),
  index("notes_by_activity").on(table.activity_id, table.created_at, table.id),
  index("notes_by_account").on(table.account_id, table.created_at, table.id),
  index("notes_by_contact").on(table.contact_id, table.created_at, table.id),
]);

export type NoteRow = typeof notes.$inferSelect;

/** What its columns name, and what happens when that is removed. */
export const noteReferences = referencesOf(notes, {
  team_id: "a copy of the case's or account's, kept by triggers",
  user_id: { user: "keep" },
  case_id: { case: "cascade" },
  activity_id: { activity: "cascade" },
  account_id: "a copy of the contact's, kept by triggers",
  // A note on a case of another contact stays, without the contact.
  contact_id: { contact: "step" },
});
