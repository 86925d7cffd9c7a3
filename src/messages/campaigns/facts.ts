/** Facts of campaigns: sent, and each message. */
import { type FactSql, makeFactTrigger, toEpochSeconds } from "../../facts/facts.ts";
import type { SchemaObject } from "../../db/triggers.ts";

const sent: FactSql = {
  kind: "campaign_sent",
  company: "new.company_id",
  at: toEpochSeconds("new.sent_at"),
  recorded: toEpochSeconds("new.sent_at"),
  user: "new.user_id",
  team: "new.team_id",
  subject: "new.id",
};

const message: FactSql = {
  kind: "campaign_message",
  company: "new.company_id",
  at: toEpochSeconds("new.sent_at"),
  recorded: toEpochSeconds("new.sent_at"),
  user: "c.user_id",
  team: "c.team_id",
  from: "campaigns c",
  where: "c.id = new.campaign_id",
};

const isSent = "new.status = 'sent' and new.sent_at is not null";

export const campaignFacts: readonly SchemaObject[] = [
  makeFactTrigger("facts_campaign_inserted", `after insert on campaigns when ${isSent}`, sent),
  makeFactTrigger(
    "facts_campaign_sent",
    `after update of status on campaigns when old.status <> 'sent' and ${isSent}`,
    sent,
  ),
  makeFactTrigger(
    "facts_campaign_message_inserted",
    `after insert on campaign_messages when ${isSent}`,
    message,
  ),
  makeFactTrigger(
    "facts_campaign_message_sent",
    `after update of status on campaign_messages when old.status <> 'sent' and ${isSent}`,
    message,
  ),
];
