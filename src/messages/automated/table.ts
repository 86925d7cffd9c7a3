import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamps, version } from "../../db/columns.ts";
import { describeOwnerMembers } from "../../identity/owner_members.ts";
import { columns } from "../../records/members.ts";
import { companies } from "../../identity/companies/table.ts";
import { type Sql, sql as query } from "../../db/statements.ts";
import { describeOwnerReferences } from "../../identity/owner_references.ts";
import { block, cascadeAtOnce, clearAtOnce, declareReferences } from "../../db/references.ts";

/** Definitions: series of e-mails that an activity starts. */
export const automatedCommunications = sqliteTable("automated_communications", {
  id: text().primaryKey(),
  company_id: integer().notNull().references(() => companies.id),
  ...columns(describeOwnerMembers()),
  created_by: integer(),
  name: text().notNull(),
  description: text(),
  icon: text(),
  ...timestamps,
  ...version,
}, (table) => [
  index("automated_communications_by_created").on(table.company_id, table.created_at, table.id),
  index("automated_communications_by_owner").on(table.company_id, table.owner, table.created_at, table.id),
  index("automated_communications_by_reader").on(table.company_id, table.reader, table.created_at, table.id),
]);

/** The e-mails of a definition, in their order. */
export const automatedMessages = sqliteTable("automated_messages", {
  id: text().primaryKey(),
  company_id: integer().notNull(),
  definition_id: text().notNull().references(() => automatedCommunications.id),
  position: integer().notNull(),
  name: text().notNull(),
  /** Days after the activity. */
  delay_days: integer().notNull(),
  /** Seconds after midnight by the clock, 0 to 86,400. */
  offset_from_midnight: integer().notNull(),
  template_id: integer(),
  subject: text().notNull(),
  /** Sanitised HTML with placeholders. */
  content: text().notNull(),
  /** JSON list of file ids. */
  attachments: text().notNull().default("[]"),
  /** JSON: the id of the user who chose each file, by its id, and the template, by `template`. */
  chosen_by: text().notNull().default("{}"),
}, (table) => [
  index("automated_messages_by_definition").on(table.definition_id, table.position),
  // For the deletion of a template.
  index("automated_messages_by_template").on(table.company_id, table.template_id).where(
    sql`${table.template_id} is not null`,
  ),
]);

export type AutomatedRow =
  & Omit<typeof automatedCommunications.$inferSelect, "owner" | "reader" | "kept_for">
  & {
    readonly kept_for?: number | null;
  };
export type AutomatedMessageRow = typeof automatedMessages.$inferSelect;

/** SQL after `from`: what waits to be sent with the template, as it will be then. */
function composeWaitingRows(id: Sql, companyId: number): Sql {
  return query`automated_messages m join automated_sends s indexed by automated_sends_by_message
    on s.message_id = m.id and s.status = 'pending' where m.company_id = ${companyId} and m.template_id = ${id}`;
}

/** What its columns name, and what happens when that is deleted. */
export const automatedReferences = declareReferences(automatedCommunications, {
  ...describeOwnerReferences("created_by"),
  created_by: { user: "keep" },
});
export const automatedMessageReferences = declareReferences(automatedMessages, {
  definition_id: { automated_communication: cascadeAtOnce },
  template_id: {
    template: block("automated_communication", {
      rows: composeWaitingRows,
      forced: clearAtOnce({ partOf: { table: "automated_communications", by: "definition_id" } }),
    }),
  },
  // Its e-mails are skipped when they are due.
  subject: { field: "keep" },
  content: { field: "keep" },
  // It is sent without the file, and its record says so.
  attachments: { file: "keep" },
  // What a deleted user chose is left out when it is sent, and its record says so.
  chosen_by: { user: "keep" },
});
