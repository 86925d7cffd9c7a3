/**
 * Makes one attempt to send a mail: claims it, sends it, and records the result in the database and the log.
 * A claim moves the due time past the longest attempt, so that no other sender takes the mail. If its sender
 * dies, the mail becomes due again.
 */
import { lifetimes } from "../../core/lifetimes.ts";
import { furthestDue, nextAttempt } from "../../core/retries.ts";
import { formatTimestamp } from "../../core/time.ts";
import { stepRows } from "../../db/expiry.ts";
import { isReleased } from "../../db/hold.ts";
import { furthestSlot, slotWait, takeSlots } from "../../db/mail_rate.ts";
import { type MailEnd, type MailKinds, type MailLane, mailLanes, mailOf } from "../../db/mails.ts";
import { literal, type Sql, sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import type { Row, Statement } from "../../platform/database/database.ts";
import {
  type Letter,
  type MailAttachment,
  MailFailed,
  type OpenAttachment,
} from "../../platform/mail/mail.ts";
import { pause } from "../../platform/pause.ts";
import type { Once, Sending } from "../../staged/worker_pool.ts";
import { nextInTurn } from "./turns.ts";

/** Milliseconds of a claim, longer than the longest attempt. */
export const leaseMs = 60_000;

/** The row of a claimed mail. */
export interface Claimed extends Row {
  readonly id: string;
  /** Number of this attempt, from 1. */
  readonly attempts: number;
  /** When the mail was written, epoch milliseconds. */
  readonly written_at: number;
  readonly to_address: string;
  readonly subject: string;
  /** Sealed with the secrets key. */
  readonly body: string;
  readonly about_kind: string | null;
  readonly about_id: string | null;
  /** The company that takes a turn with it; 0: none. */
  readonly company_id: number;
  /** Milliseconds to wait before it is sent. */
  readonly wait: number;
}

/** Milliseconds of a lease that are kept for the longest attempt, and for `step`. */
const attemptMs = 40_000;
/** Milliseconds: the accuracy with which the age of a run lengthens its leases. */
const step = 10_000;

/** How mails are sent once: see `WorkerPool`. */
export function mailsOnce(rate: number): Once<Claimed> {
  return {
    beginWithin: leaseFor(rate) - attemptMs,
    keysOf: ({ id }) => [`mail ${id}`],
    giveBack: (mail, due) => [giveBack(mail, due)],
  };
}

/** Returns the milliseconds of a claim. A mail with a rate waits for its slot first. */
function leaseFor(rate: number): number {
  return leaseMs + (rate > 0 ? furthestSlot : 0);
}

/**
 * Returns a function that makes the statements of a claim. They claim the mail of the lane that has been due
 * longest, of the next company where companies take turns, and report whether there are more. `rate`: mails a
 * second; 0: no limit. `age`: milliseconds since the `now` of the claims, which does not move during a job.
 * `turn`: the company that was last served.
 */
export function claimsOf(
  lane: MailLane,
  rate: number,
  age: () => number = () => 0,
  turn: () => number = () => 0,
): Sending<Claimed>["claim"] {
  const pending = sql`from mails indexed by mails_due
    where status = 'pending' and lane = ${literal(mailLanes[lane])}`;
  const wait = rate > 0 ? slotWait(rate) : literal(0);
  return function claim(now) {
    const due = sql`${pending} and due_at <= ${now} and ${isReleased}`;
    const oldest = sql`(select id ${due} order by due_at, id limit 1)`;
    const end = now + leaseFor(rate) + Math.floor(age() / step) * step;
    return [
      ...(rate > 0 ? [takeSlots(rate, sql`exists (select 1 ${due})`)] : []),
      sql`update mails set due_at = ${end}, attempts = attempts + 1
        where id = ${lane === "correspondence" ? nextInTurn(turn(), now, oldest) : oldest}
        returning id, company_id, attempts, unixepoch(created_at) * 1000 as written_at, to_address, subject, body,
        about_kind, about_id, ${wait} as wait`,
      sql`select exists (select 1 ${due}) as more`,
    ];
  };
}

/**
 * Makes mails due at `now` if they are due later than any retry could be: a clock that was ahead wrote that
 * time. Changes a limited number of rows; see `changes`.
 */
export function bringSomeBack(now: number): Statement {
  const lanes = JSON.stringify(Object.values(mailLanes));
  return sql`update mails set due_at = ${now} where id in (select m.id from json_each(${lanes}) l
    cross join mails m indexed by mails_due on m.lane = l.value
    where m.status = 'pending' and m.due_at > ${furthestDue(now)} limit ${literal(stepRows)})`;
}

/** The log event for each outcome of a mail. */
const logged = { sent: "mail_sent", kept: "mail_without_server", unwanted: "mail_unwanted" } as const;

/** Characters of an error that are kept. */
const errorLength = 500;

export type AttemptDeps = Pick<Deps, "db" | "log" | "mailer" | "secretsKey" | "stopping" | "storage">;

/**
 * Returns a function that sends a mail of the lane once. It never throws: a failure is a result. It reads
 * `now` after the attempt.
 */
export function attemptsOf(deps: AttemptDeps, lane: MailLane, kinds: MailKinds): Sending<Claimed>["attempt"] {
  return async function attempt(mail, now, isHeld) {
    // Logs outlive people's data, so that they have no address and no subject of mail that a server takes.
    const about = { mail: mail.id, attempt: mail.attempts };
    try {
      if (mail.wait > 0) {
        await pause(mail.wait, deps.stopping);
        if (deps.stopping?.aborted) return { serverFailed: false, recording: [giveBack(mail, now())] };
      }
      const reason = lane === "automated" ? await reasonAgainst(deps, mail, kinds) : null;
      const letter = reason === null ? await letterOf(deps, mail, lane) : null;
      // Another sender may have taken a mail over that had to wait for long.
      if (!isHeld()) return { serverFailed: false, recording: [giveBack(mail, now())] };
      const outcome = letter === null ? "unwanted" : await deps.mailer.send(letter);
      const shown = outcome === "kept" ? { to: mail.to_address, subject: mail.subject } : {};
      deps.log.info({ event: logged[outcome], ...about, ...shown, ...(reason === null ? {} : { reason }) });
      const end = { outcome, error: reason, bounced: null } as const;
      return { serverFailed: false, recording: ended(mail, end, now(), kinds) };
    } catch (error) {
      const failure = error instanceof MailFailed ? error.failure : "deferred";
      const reason = (error instanceof Error ? error.message : String(error)).slice(0, errorLength);
      const due = failure === "refused" ? null : nextAttempt(mail.attempts, now());
      deps.log.error({
        event: due === null ? "mail_failed" : "mail_delayed",
        ...about,
        error: reason,
        ...(due === null ? {} : { due_at: formatTimestamp(due) }),
      });
      const bounced = error instanceof MailFailed && error.isForRecipient
        ? { email: mail.to_address, secretsKey: deps.secretsKey }
        : null;
      return {
        serverFailed: failure === "server",
        recording: due === null
          ? ended(mail, { outcome: "failed", error: reason, bounced }, now(), kinds)
          : [sql`update mails set due_at = ${due}, error = ${reason} where ${untouched(mail)}`],
      };
    }
  };
}

/** Returns why the record that the mail is about no longer wants it; null when it does. */
async function reasonAgainst(
  { db }: AttemptDeps,
  { about_kind, about_id }: Claimed,
  kinds: MailKinds,
): Promise<string | null> {
  const against = about_kind === null ? undefined : kinds[about_kind]?.against;
  if (!against || about_id === null) return null;
  const [found] = await db.read([against(about_id)]);
  return found!.rows[0]?.reason as string | null | undefined ?? null;
}

async function letterOf(
  deps: AttemptDeps,
  mail: Claimed,
  lane: MailLane,
): Promise<Letter> {
  const { attachments, ...rest } = mailOf(mail, deps.secretsKey);
  const letter = {
    ...rest,
    id: mail.id,
    at: mail.written_at,
    ...(lane === "automated" ? { isBulk: true } : {}),
    ...(lane === "correspondence" ? { isWritten: true } : {}),
  };
  return attachments ? { ...letter, attachments: await opened(deps, attachments) } : letter;
}

async function opened(
  { storage }: AttemptDeps,
  attachments: readonly MailAttachment[],
): Promise<OpenAttachment[]> {
  const open: OpenAttachment[] = [];
  for (const { name, type, key } of attachments) {
    const object = await storage.get(key);
    if (object !== null) open.push({ name, type, body: object.body });
  }
  return open;
}

/** Makes a mail that was not tried due at once, and does not count the attempt. */
function giveBack(mail: Claimed, now: number): Statement {
  return sql`update mails set due_at = ${now}, attempts = attempts - 1 where ${untouched(mail)}`;
}

/**
 * SQL: the mail is pending and still claimed by this attempt. Another sender that took it over has counted
 * one more attempt.
 */
function untouched({ id, attempts }: Pick<Claimed, "id" | "attempts">): Sql {
  return sql`id = ${id} and status = 'pending' and attempts = ${attempts}`;
}

/**
 * Removes a mail that is sent or unwanted, and keeps others for a while. Also records the outcome in the
 * record that the mail is about.
 */
export function ended(
  mail: Pick<Claimed, "id" | "attempts" | "about_kind" | "about_id">,
  end: Pick<MailEnd, "outcome" | "error" | "bounced">,
  now: number,
  kinds: MailKinds,
): Statement[] {
  const { outcome, error } = end;
  const { about_kind: kind, about_id: id } = mail;
  const record = kind === null || id === null ? undefined : kinds[kind];
  return [
    ...(record?.ended({ ...end, id: id!, now, at: formatTimestamp(now) }) ?? []),
    outcome === "sent" || outcome === "unwanted"
      ? sql`delete from mails where id = ${mail.id}`
      : sql`update mails set status = ${outcome}, error = ${error}, due_at = null, expires_at = ${
        now + lifetimes.endedMail
      } where ${untouched(mail)}`,
  ];
}
