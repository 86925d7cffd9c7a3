/**
 * Triggers of campaigns, which belong to a team, a group or the company. The bytes of their letters count with those of
 * the company's files.
 */
import { makeTotalTriggers, makeWordIndex, type SchemaObject, trigger } from "../../db/triggers.ts";

const uses =
  "insert into file_usage (company_id, files, bytes) values (new.company_id, 0, ifnull(new.letter_size, 0))\n" +
  "    on conflict (company_id) do update set bytes = bytes + excluded.bytes";
const releases =
  "update file_usage set bytes = bytes - ifnull(old.letter_size, 0) where company_id = old.company_id";

export const campaignTriggers: readonly SchemaObject[] = [
  ...makeTotalTriggers({
    table: "campaigns",
    byStatus: "reader",
    columns: ["team_id", "group_id", "kept_for"],
  }),
  ...makeWordIndex("campaigns", "seq"),
  ...makeTotalTriggers({
    table: "campaign_messages",
    // Counts by campaign and status first, because a campaign has few teams and a company many campaigns.
    byStatus: "tally",
    byAgency: "team_id",
    columns: ["status", "team_id"],
  }),
  trigger(
    "letter_usage_made",
    "after update of object on campaign_messages when old.object is null and new.object is not null",
    uses,
  ),
  trigger(
    "letter_usage_removed",
    "after update of object on campaign_messages when old.object is not null and new.object is null",
    releases,
  ),
  trigger("letter_usage_deleted", "after delete on campaign_messages when old.object is not null", releases),
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
