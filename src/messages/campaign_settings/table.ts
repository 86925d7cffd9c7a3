import { sql } from "drizzle-orm";
import { integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { flag, timestamps, version } from "../../db/columns.ts";
import { companies } from "../../identity/companies/table.ts";

/**
 * The domain from which a company sends campaigns, and its rules of consent. A company without a row has the
 * defaults.
 */
export const campaignSettings = sqliteTable("campaign_settings", {
  company_id: integer().primaryKey().references(() => companies.id),
  /** Only the operator sets it, because it names a sender. */
  domain: text(),
  domain_slug: text(),
  /** Whether only contacts that have agreed receive campaigns. */
  consent_enable: flag(),
  /** Whether the link in the text leads to `unsubscribe_url`. */
  consent_custom: flag(),
  unsubscribe_url: text(),
  ...timestamps,
  ...version,
}, (table) => [
  uniqueIndex("campaign_settings_slug").on(table.domain_slug).where(
    sql`${table.domain_slug} is not null`,
  ),
]);

export type CampaignSettingsRow = typeof campaignSettings.$inferSelect;
