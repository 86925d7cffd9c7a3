/** Triggers of campaigns, which belong to a team, a group or the company. */
import { type SchemaObject, totalTriggers, trigger, wordIndex } from "../../db/triggers.ts";

export const campaignTriggers: readonly SchemaObject[] = [
  ...totalTriggers({
    table: "campaigns",
    byStatus: "reader",
    columns: ["team_id", "group_id", "kept_for"],
  }),
  ...wordIndex("campaigns", "seq"),
  ...totalTriggers({
    table: "campaign_messages",
    // Counts by campaign and status first, because a campaign has few teams and a company many campaigns.
    byStatus: "tally",
    byAgency: "team_id",
    columns: ["status", "team_id"],
  }),
  // Removes the data of a deleted contact from its messages, and releases its letters.
  trigger(
    "contacts_campaign_messages_delete",
    "after delete on contacts",
    `update objects set removed_from = unixepoch() * 1000 where removed_from is null and key in
    (select object from campaign_messages where contact_id = old.id and object is not null)`,
    `update campaign_messages set object = null, status = iif(status = 'pending', 'skipped', status), email = null,
    email_key = null, subject = null, "values" = null where contact_id = old.id`,
  ),
];
