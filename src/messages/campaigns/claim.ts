/** The messages of campaigns that wait, as the rows of a queue for each type. Campaigns take turns. */
import { longestRetry } from "../../core/retries.ts";
import { formatTimestamp } from "../../core/time.ts";
import { isSendable } from "../../db/mails.ts";
import { identifier, type Sql, sql } from "../../db/statements.ts";
import type { Rows, RowTask } from "../../later/rows.ts";
import type { Statement } from "../../platform/database/database.ts";
import { hasConsented, isBounced, isRefused } from "../consent.ts";

/** Milliseconds of a claim: longer than a letter waits for the printer, or a mail for its slot and the server. */
const leaseMs = 600_000;

/** Milliseconds of a lease that are kept for the longest attempt to send a mail. */
const attemptMs = 60_000;

/** A claimed message. */
export interface ClaimedMessage extends RowTask {
  readonly id: number;
  readonly campaign_id: string;
  readonly contact_id: string;
  readonly email: string;
}

/** Types of campaigns whose messages are claimed. */
export type Claimable = "email" | "letter";

/** SQL: a row when the company of the campaign `c` is not deleted. */
const liveCompany = sql`select 1 from companies k where k.id = c.company_id and k.deleted_at is null`;

/** A letter is stored with the commit that records it, so a second attempt shows nobody anything. */
const attempting = { email: { mayLast: true }, letter: { mayRepeat: true } } as const;

/** The waiting messages of a type. `rate`: messages a second; 0: no limit. */
export function describeMessageRows(type: Claimable, rate = 0): Rows {
  return {
    table: "campaign_messages",
    held: "campaigns",
    index: "campaign_messages_due",
    waiting: sql`status = 'pending'`,
    columns: sql`campaign_id, contact_id, email`,
    turns: {
      column: "campaign_id",
      index: "campaign_messages_due",
      among: sql`select c.id as turn from campaigns c indexed by campaigns_sending
        where c.stage = 'sending' and c.type = ${type} and exists (${liveCompany})`,
    },
    ...(type === "email" ? { yields: isAutomatedDue } : {}),
    longestWait: longestRetry,
    rate,
    ms: leaseMs,
    attemptMs,
    ...attempting[type],
  };
}

/** SQL: automated mail is due, which goes before campaigns by e-mail. */
function isAutomatedDue(now: number): Sql {
  return sql`exists (select 1 from mails indexed by mails_due where status = 'pending' and lane = 1
    and due_at <= ${now} and ${isSendable(sql`mails.company_id`)})`;
}

/**
 * Reads, right before sending, the `stage` of the campaign (null when its company is deleted), `is_wanted`: whether
 * the contact still wants the message, and `is_bounced`: whether a mail server has refused the address meanwhile.
 */
export function selectCurrent(type: Claimable, { id, campaign_id }: ClaimedMessage): Statement {
  const consent = identifier("r", `consent_${type}`);
  const bounced = type === "email"
    ? sql`exists (select 1 from campaign_messages m where m.id = ${id}
      and ${isBounced(sql`m.company_id`, sql`m.email_key`)})`
    : sql`0`;
  const refused = type === "email" ? isRefused(sql`m.company_id`, sql`m.email_key`) : sql`0`;
  return sql`select iif(exists (${liveCompany}), c.stage, null) as stage, exists (select 1
      from campaign_messages m join contacts r on r.id = m.contact_id
      where m.id = ${id} and m.status = 'pending'
      and ${hasConsented(consent, sql`coalesce(s.consent_enable, 0)`)} and not ${refused}) as is_wanted,
      ${bounced} as is_bounced
    from campaigns c left join campaign_settings s on s.company_id = c.company_id
      where c.id = ${campaign_id}`;
}

export function skip(message: ClaimedMessage, reason: string, now: number): Statement {
  return sql`update campaign_messages set status = 'skipped', error = ${reason},
    updated_at = ${formatTimestamp(now)} where ${isStillClaimed(message)}`;
}

/**
 * SQL: whether this sender still has the message. A sender that took it over from a slower one has counted
 * another attempt.
 */
export function isStillClaimed({ id, attempts }: ClaimedMessage): Sql {
  return sql`id = ${id} and status = 'pending' and attempts = ${attempts}`;
}
