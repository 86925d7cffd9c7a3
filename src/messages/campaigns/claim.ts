/**
 * Claims the next messages of a campaign. A claim moves their due time past the longest attempt, so that no other
 * sender takes them, and they become due again when their sender dies.
 */
import { furthestDue } from "../../core/retries.ts";
import { formatTimestamp } from "../../core/time.ts";
import { stepRows } from "../../db/expiry.ts";
import { isReleased } from "../../db/hold.ts";
import { isSendable } from "../../db/mails.ts";
import { identifier, literal, type Sql, sql } from "../../db/statements.ts";
import type { Row, Statement } from "../../platform/database/database.ts";
import { consentsSql, isBounced, isRefused } from "../consent.ts";

/** Milliseconds of a claim, longer than all its attempts. */
export const leaseMs = 600_000;

/** Messages of one claim. */
export const lotSize = 10;

export interface ClaimedMessage {
  readonly id: number;
  readonly contact_id: string;
  readonly email: string;
  /** Number of this attempt, from 1. */
  readonly attempts: number;
}

/** Messages of one campaign that a sender has claimed. */
export interface Lot {
  readonly campaign_id: string;
  readonly messages: readonly ClaimedMessage[];
}

/** Types of campaigns whose messages are claimed. */
export type Claimable = "email" | "letter";

/**
 * Picks the campaign of the type that has waited longest for its turn, and claims its messages that are due
 * at `now`.
 */
export function claimStatements(type: Claimable, now: number, most: number): Statement[] {
  const served = sql`(select c.id ${servable(type, now)} order by c.served_at desc limit 1)`;
  return [
    sql`update campaigns set served_at = 1 + (select max(served_at) from campaigns where stage = 'sending')
      where id = (select c.id ${servable(type, now)} order by c.served_at limit 1)`,
    sql`update campaign_messages set due_at = ${now + leaseMs}, attempts = attempts + 1
      where id in (select id from campaign_messages indexed by campaign_messages_due where campaign_id = ${served}
      and status = 'pending' and due_at <= ${now} and not ${isHeldBack(type, now)} order by due_at, id
      limit ${literal(most)})
      returning id, campaign_id, contact_id, email, attempts`,
  ];
}

/** Reads `waits`: whether campaigns by e-mail wait until automated mail is sent. */
export function waitsForOthers(now: number): Statement {
  return sql`select ${isHeldBack("email", now)} and exists (select 1 ${servable("email", now)}) as waits`;
}

/** Reads `more`: whether more messages can be claimed. */
export function moreStatement(type: Claimable, now: number): Statement {
  return sql`select exists (select 1 ${servable(type, now)}) and not ${isHeldBack(type, now)} as more`;
}

export function lotOf(rows: readonly Row[]): Lot | null {
  const first = rows[0];
  if (!first) return null;
  const messages = (rows as (Row & ClaimedMessage)[]).toSorted((one, other) => one.id - other.id);
  return { campaign_id: String(first.campaign_id), messages };
}

/**
 * Makes messages due at `now` whose due time is further away than any wait, because a clock that was ahead
 * wrote it. Changes at most `stepRows` messages.
 */
export function bringSomeBack(now: number): Statement {
  return sql`update campaign_messages set due_at = ${now} where id in (select m.id from campaigns c
    indexed by campaigns_sending cross join campaign_messages m indexed by campaign_messages_due
    on m.campaign_id = c.id and m.status = 'pending' and m.due_at > ${furthestDue(now)}
    where c.stage = 'sending' limit ${literal(stepRows)})`;
}

/** SQL: a row when the company of the campaign `c` is not deleted. */
const liveCompany = sql`select 1 from companies k where k.id = c.company_id and k.deleted_at is null`;

/** SQL from `from` on: campaigns of the type with messages due at `now`. */
function servable(type: Claimable, now: number): Sql {
  return sql`from campaigns c indexed by campaigns_sending where c.stage = 'sending' and c.type = ${type}
    and exists (${liveCompany})
    and ${hasDue(sql`c.id`, now)} and ${isReleased}`;
}

/**
 * SQL: whether campaigns of the type wait, because automated mail is due and goes before campaigns by e-mail.
 */
function isHeldBack(type: Claimable, now: number): Sql {
  if (type !== "email") return sql`0`;
  return sql`exists (select 1 from mails indexed by mails_due where status = 'pending' and lane = 1
    and due_at <= ${now} and ${isSendable(sql`mails.company_id`)})`;
}

function hasDue(campaign: Sql, now: number): Sql {
  return sql`exists (select 1 from campaign_messages m indexed by campaign_messages_due
    where m.campaign_id = ${campaign} and m.status = 'pending' and m.due_at <= ${now})`;
}

/**
 * Reads, right before sending, the `stage` of the campaign (null when its company is deleted), `is_wanted`: whether the contact still wants the
 * message, and `is_bounced`: whether a mail server has refused the address meanwhile.
 */
export function standing(type: Claimable, campaignId: string, { id }: ClaimedMessage): Statement {
  const consent = identifier("r", `consent_${type}`);
  const bounced = type === "email"
    ? sql`exists (select 1 from campaign_messages m where m.id = ${id} and ${
      isBounced(sql`m.company_id`, sql`m.email_key`)
    })`
    : sql`0`;
  const refused = type === "email" ? isRefused(sql`m.company_id`, sql`m.email_key`) : sql`0`;
  return sql`select iif(exists (${liveCompany}), c.stage, null) as stage, exists (select 1 from campaign_messages m join contacts r on r.id = m.contact_id
      where m.id = ${id} and m.status = 'pending' and ${
    consentsSql(consent, sql`coalesce(s.consent_enable, 0)`)
  } and not ${refused}) as is_wanted, ${bounced} as is_bounced
    from campaigns c left join campaign_settings s on s.company_id = c.company_id where c.id = ${campaignId}`;
}

export function skip(message: ClaimedMessage, reason: string, now: number): Statement {
  return sql`update campaign_messages set status = 'skipped', error = ${reason},
    updated_at = ${formatTimestamp(now)} where ${untouched(message)}`;
}

/**
 * SQL: whether this sender still has the message. A sender that took it over from a slower one has counted
 * another attempt.
 */
export function untouched({ id, attempts }: ClaimedMessage): Sql {
  return sql`id = ${id} and status = 'pending' and attempts = ${attempts}`;
}
