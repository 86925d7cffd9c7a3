/** The recipients of campaigns. */
import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { serialId, timestamps } from "../../db/columns.ts";
import { declareReferences, leaveTo } from "../../db/references.ts";
import { companies } from "../../identity/companies/table.ts";
import { campaigns } from "./record.ts";

export const campaignMessageStatuses = ["pending", "sent", "failed", "skipped"] as const;

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

export type CampaignMessageRow = typeof campaignMessages.$inferSelect;

/** What its columns name, and what happens when that is deleted. */
export const campaignMessageReferences = declareReferences(campaignMessages, {
  // Only a campaign that is being sent or was sent has messages, and it is never deleted.
  campaign_id: { campaign: leaveTo("messages/campaigns/delete.ts#deleteCampaign", "step") },
  contact_id: { contact: "keep" },
  team_id: { team: "keep" },
  values: "values as they were sent",
  task_id: { task: "keep" },
});
