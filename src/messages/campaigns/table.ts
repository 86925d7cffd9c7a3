import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { serialId, timestamps, version } from "../../db/columns.ts";
import { companies } from "../../identity/companies/table.ts";
import { block, declareReferences, stop } from "../../db/references.ts";
import { storedFilter } from "../../customers/fields/stored_filter.ts";

export const campaignTypes = ["email", "letter", "telephone"] as const;
export const campaignStatuses = ["draft", "pending", "sent"] as const;
export const campaignMessageStatuses = [
  "pending",
  "sent",
  "failed",
  "skipped",
] as const;

export const campaigns = sqliteTable("campaigns", {
  /** The row id that the full-text index uses. */
  seq: integer().primaryKey(),
  id: text().notNull().unique(),
  company_id: integer().notNull().references(() => companies.id),
  team_id: integer(),
  group_id: integer(),
  /** The owner in one text: `t7` for a team, `g3` for a group, empty for the company. */
  owner: text().generatedAlwaysAs(
    sql`coalesce('t' || team_id, 'g' || group_id, '')`,
    { mode: "virtual" },
  ),
  /**
   * The maker, once the team or group is deleted without a successor: nobody else sees the record then, except
   * admins. `team_id` and `group_id` still name the deleted one.
   */
  kept_for: integer(),
  /** `k5` for a record that is kept for its maker, else the owner. Lists and counters go by it. */
  reader: text().generatedAlwaysAs(sql`iif(kept_for is null, owner, 'k' || kept_for)`, {
    mode: "virtual",
  }),
  /** The user who receives the answers. Only contacts that this user sees are recipients. */
  user_id: integer().notNull(),
  /** Why it became a draft again, or its sending ended, as a sentence; null after an approval. */
  stopped_reason: text(),
  /** Who approved it; null for a draft. */
  approved_by: integer(),
  type: text({ enum: campaignTypes }).notNull(),
  status: text({ enum: campaignStatuses }).notNull(),
  /** `recipients` while the recipients are written, then `sending`; null before and after. */
  stage: text({ enum: ["recipients", "sending"] }),
  name: text().notNull(),
  description: text(),
  subject: text(),
  /** Sanitised HTML with placeholders. */
  content: text(),
  sender: text(),
  template_id: integer(),
  /** JSON: the list of nodes, as it was given; null: not given yet. */
  filter: text(),
  send_at: text(),
  /** JSON: a `TaskPlan`. */
  task: text(),
  /** The relations path of the task. */
  relations_path_id: text(),
  sent_at: text(),
  total_sent: integer().notNull().default(0),
  /** The origin of links in its messages, such as `https://crm.example.org`. */
  origin: text(),
  /** JSON: a `Snapshot` of the text and the sender, made when sending begins. */
  snapshot: text(),
  /** Not used any more; the index of the campaigns that are being sent has it. */
  served_at: integer().notNull().default(0),
  ...timestamps,
  ...version,
}, (table) => [
  index("campaigns_by_created").on(
    table.company_id,
    table.created_at,
    table.id,
  ),
  index("campaigns_by_owner").on(
    table.company_id,
    table.owner,
    table.created_at,
    table.id,
  ),
  index("campaigns_by_reader").on(table.company_id, table.reader, table.created_at, table.id),
  index("campaigns_by_status").on(
    table.company_id,
    table.status,
    table.created_at,
    table.id,
  ),
  index("campaigns_due").on(table.send_at).where(
    sql`${table.status} = 'pending' and ${table.stage} is null`,
  ),
  index("campaigns_sending").on(table.served_at).where(
    sql`${table.stage} = 'sending'`,
  ),
  index("campaigns_by_user").on(table.company_id, table.user_id),
  index("campaigns_by_template").on(table.company_id, table.template_id).where(
    sql`${table.template_id} is not null`,
  ),
  index("campaigns_by_path").on(table.relations_path_id).where(
    sql`${table.relations_path_id} is not null`,
  ),
]);

/**
 * One row for each recipient, written before anything is sent. Pending rows of e-mails and letters are also
 * the queue.
 */
export const campaignMessages = sqliteTable("campaign_messages", {
  id: serialId(),
  company_id: integer().notNull().references(() => companies.id),
  campaign_id: text().notNull().references(() => campaigns.id),
  contact_id: text().notNull(),
  /** The contact's team when the campaign was sent. */
  team_id: integer(),
  /** The contact's address, of e-mails only. */
  email: text(),
  /** `email` in lower case. */
  email_key: text(),
  status: text({ enum: campaignMessageStatuses }).notNull(),
  /** The campaign and the status, by which `totals` are counted. */
  tally: text().generatedAlwaysAs(sql`campaign_id || ' ' || status`, { mode: "virtual" }),
  /** Epoch milliseconds. */
  due_at: integer().notNull().default(0),
  attempts: integer().notNull().default(0),
  /** Claims since the last result of an attempt, see `later/row_lease.ts`. */
  claims: integer().notNull().default(0),
  /** Why the last attempt failed, or why it is skipped. */
  error: text(),
  /** JSON: the values of the placeholders by name, as they were sent; null before. */
  values: text(),
  subject: text(),
  /** The storage key of the letter. */
  object: text(),
  /** The bytes of the letter and their CRC-32, from which the layout of the ZIP is computed. */
  letter_size: integer(),
  letter_crc: integer(),
  /** The task of the recipient; empty until it is made, null where none is planned. */
  task_id: text(),
  sent_at: text(),
  opened_at: text(),
  ...timestamps,
}, (table) => [
  uniqueIndex("campaign_messages_contact").on(
    table.campaign_id,
    table.contact_id,
  ),
  uniqueIndex("campaign_messages_email").on(table.campaign_id, table.email_key)
    .where(
      sql`${table.email_key} is not null`,
    ),
  index("campaign_messages_by_campaign").on(table.campaign_id, table.id),
  index("campaign_messages_by_status").on(
    table.campaign_id,
    table.status,
    table.id,
  ),
  index("campaign_messages_due").on(table.campaign_id, table.due_at, table.id)
    .where(
      sql`${table.status} = 'pending'`,
    ),
  // Messages that were not tried yet. The campaign is `sent` once there are none.
  index("campaign_messages_untried").on(table.campaign_id).where(
    sql`${table.status} = 'pending' and ${table.error} is null`,
  ),
  index("campaign_messages_taskless").on(table.campaign_id, table.id).where(sql`${table.task_id} = ''`),
  index("campaign_messages_by_contact").on(table.contact_id),
]);

export type CampaignRow =
  & Omit<typeof campaigns.$inferSelect, "owner" | "reader" | "kept_for" | "stopped_reason">
  & {
    readonly stopped_reason?: string | null;
    readonly kept_for?: number | null;
  };
export type CampaignMessageRow = typeof campaignMessages.$inferSelect;

/** Why a removal stops a campaign, as the end of a sentence. */
export const reasons = {
  team: "its team was deleted",
  group: "its group was deleted",
  user: "its user was deleted",
  task: "a user of its tasks was deleted",
} as const;

/** What its columns name, and what happens when that is removed. */
export const campaignReferences = declareReferences(campaigns, {
  team_id: { team: [stop(reasons.team, "reassign"), stop(reasons.team)] },
  group_id: { group: stop(reasons.group) },
  kept_for: { user: "keep" },
  user_id: { user: [stop(reasons.user, "reassign"), stop(reasons.user)] },
  approved_by: { user: "keep" },
  // Once it is being sent it uses the copy of the template in its snapshot.
  template_id: {
    template: block("campaign", {
      where: "status = 'pending' and stage is null",
      company: "company_id",
      forced: "clear",
    }),
  },
  filter: storedFilter,
  subject: { field: stop("the field was deleted") },
  content: { field: stop("the field was deleted") },
  task: { user: stop(reasons.task) },
  relations_path_id: {
    relations_path: block("campaign", {
      attribute: "task.relations_path",
      where: "status = 'pending' or stage is not null",
    }),
  },
  snapshot: "texts as they are sent",
});
export const campaignMessageReferences = declareReferences(campaignMessages, {
  // Only a campaign that is being sent or was sent has messages, and it is never deleted.
  campaign_id: { campaign: "step" },
  contact_id: { contact: "keep" },
  team_id: { team: "keep" },
  values: "values as they were sent",
  task_id: { task: "keep" },
});
