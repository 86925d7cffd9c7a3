import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { flag, serialId, timestamps, version } from "../../db/columns.ts";
import { messageTypes } from "../message_type.ts";
import { companies } from "../../identity/tables/companies.ts";
import { referencesOf } from "../../db/references.ts";

export const templates = sqliteTable("templates", {
  id: serialId(),
  company_id: integer().notNull().references(() => companies.id),
  team_id: integer(),
  group_id: integer(),
  /** The owner in one text: `t7` for a team, `g3` for a group, empty for the company. */
  owner: text().generatedAlwaysAs(sql`coalesce('t' || team_id, 'g' || group_id, '')`, { mode: "virtual" }),
  /**
   * The maker, once the team or group is deleted without a successor: nobody else sees the record then, except
   * admins. `team_id` and `group_id` still name the deleted one.
   */
  kept_for: integer(),
  /** `k5` for a record that is kept for its maker, else the owner. Lists and counters go by it. */
  reader: text().generatedAlwaysAs(sql`iif(kept_for is null, owner, 'k' || kept_for)`, {
    mode: "virtual",
  }),
  /** The author. */
  user_id: integer().notNull(),
  type: text({ enum: messageTypes }).notNull(),
  title: text().notNull(),
  /** Whether it is offered for campaigns. */
  campaign: flag(),
  /** Millimetres; of letters only. */
  margin_top: integer(),
  margin_left: integer(),
  margin_right: integer(),
  margin_bottom: integer(),
  /** Sanitised HTML with placeholders. */
  content: text().notNull(),
  ...timestamps,
  ...version,
}, (table) => [
  index("templates_by_created").on(table.company_id, table.created_at, table.id),
  index("templates_by_owner").on(table.company_id, table.owner, table.created_at, table.id),
  index("templates_by_reader").on(table.company_id, table.reader, table.created_at, table.id),
]);

export type TemplateRow = Omit<typeof templates.$inferSelect, "owner" | "reader" | "kept_for"> & {
  readonly kept_for?: number | null;
};

/** What its columns name, and what happens when that is removed. */
export const templateReferences = referencesOf(templates, {
  team_id: { team: ["reassign", "keep"] },
  group_id: { group: "keep" },
  kept_for: { user: "keep" },
  user_id: { user: "keep" },
});
