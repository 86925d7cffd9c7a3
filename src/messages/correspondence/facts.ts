/** Facts of correspondence: e-mails sent and opened, letters made. */
import { type FactSql, makeFactTrigger, toEpochSeconds } from "../../facts/facts.ts";
import type { SchemaObject } from "../../db/triggers.ts";
import { describeCaseDims } from "../../sales/cases/facts.ts";

const base: Omit<FactSql, "kind" | "at"> = {
  company: "new.company_id",
  user: "new.user_id",
  team: "c.team_id",
  dims: describeCaseDims("c"),
  subject: "new.id",
  from: "cases c",
  where: "c.id = new.case_id",
};

/** A job records that the mail server accepted the e-mail. The time of the fact is `sent_at`. */
const sent: FactSql = {
  ...base,
  kind: "email_sent",
  at: toEpochSeconds("new.sent_at"),
  recorded: toEpochSeconds("new.sent_at"),
};
const isSent =
  "new.type = 'email' and new.direction = 'out' and new.status = 'sent' and new.sent_at is not null";

export const correspondenceFacts: readonly SchemaObject[] = [
  makeFactTrigger("facts_email_sent_at_once", `after insert on correspondences when ${isSent}`, sent),
  makeFactTrigger(
    "facts_email_sent",
    `after update of status on correspondences when old.status <> 'sent' and ${isSent}`,
    sent,
  ),
  makeFactTrigger(
    "facts_letter_made",
    "after insert on correspondences when new.type = 'letter' and new.direction = 'out' and new.activity_id is not null",
    {
      ...base,
      kind: "letter_made",
      at: toEpochSeconds(
        "ifnull((select a.created_at from activities a where a.id = new.activity_id), new.created_at)",
      ),
    },
  ),
  makeFactTrigger(
    "facts_email_opened",
    "after update of opened_at on correspondences when old.opened_at is null and new.opened_at is not null",
    {
      ...base,
      kind: "email_opened",
      at: toEpochSeconds("new.opened_at"),
      recorded: toEpochSeconds("new.opened_at"),
    },
  ),
];
