/**
 * The queue of each lane of mails: how they are claimed, attempted and ended. Each attempt sends a mail once, and
 * its result is recorded in the database and the log.
 */
import { lifetimes } from "../../core/lifetimes.ts";
import { longestRetry, planRetry } from "../../core/retries.ts";
import { formatTimestamp } from "../../core/time.ts";
import { furthestSlot } from "../../db/mail_rate.ts";
import {
  isSendable,
  type MailEnd,
  type MailKinds,
  type MailLane,
  mailLanes,
  readMail,
} from "../../db/mails.ts";
import { literal, sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import { plainPace } from "../../later/line.ts";
import type { Attempted, Queue } from "../../later/queue.ts";
import { giveBack, retryAt, type Rows, type RowTask } from "../../later/rows.ts";
import type { Statement } from "../../platform/database/database.ts";
import {
  type Letter,
  type MailAttachment,
  MailFailed,
  type OpenAttachment,
} from "../../platform/mail/mail.ts";
import { pause } from "../../platform/pause.ts";

/** Milliseconds of a claim. An attempt renews it while the mail server takes its time for the answer. */
export const mailLeaseMs = 60_000;

/** A claimed mail. */
export interface ClaimedMail extends RowTask {
  readonly id: string;
  /** When the mail was written, epoch milliseconds. */
  readonly written_at: number;
  readonly to_address: string;
  readonly subject: string;
  /** Sealed with the secrets key. */
  readonly body: string;
  readonly about_kind: string | null;
  readonly about_id: string | null;
}

/** Milliseconds of a lease that are kept until the mail server has a mail, and for the accuracy of leases. */
const attemptMs = 40_000;
/**
 * The waiting mails of a lane; those of a deleted company wait on. `rate`: mails a second; 0: no limit. A mail with a
 * rate waits for its slot first.
 */
export function describeMailRows(lane: MailLane, rate: number): Rows {
  return {
    table: "mails",
    held: "mails",
    index: "mails_due",
    waiting: sql`status = 'pending' and lane = ${literal(mailLanes[lane])}
      and ${isSendable(sql`company_id`)}`,
    columns: sql`unixepoch(created_at) * 1000 as written_at, to_address, subject, body, about_kind, about_id`,
    ...(lane === "correspondence" ? { turns: { column: "company_id", index: "mails_in_turn" } } : {}),
    longestWait: longestRetry,
    rate,
    ms: mailLeaseMs + (rate > 0 ? furthestSlot : 0),
    attemptMs,
    mayLast: true,
  };
}

/** The queue of the mails of a lane. `kinds`: the kinds of records for which the end of a mail is recorded. */
export function makeMailQueue(
  deps: AttemptDeps,
  lane: MailLane,
  rows: Rows,
  kinds: MailKinds,
): Queue<ClaimedMail, Attempted> {
  return {
    ...plainPace,
    attempt: makeAttempt(deps, lane, rows, kinds),
  };
}

/** The log event for each outcome of a mail. */
const logged = { sent: "mail_sent", kept: "mail_without_server", unwanted: "mail_unwanted" } as const;

/** Characters of an error that are kept. */
const errorLength = 500;

export type AttemptDeps = Pick<
  Deps,
  "db" | "log" | "mailer" | "metrics" | "secretsKey" | "stopping" | "storage"
>;

/**
 * Returns a function that sends a mail of the lane once. It never throws: a failure is a result. It reads
 * `now` after the attempt.
 */
function makeAttempt(
  deps: AttemptDeps,
  lane: MailLane,
  rows: Rows,
  kinds: MailKinds,
): Queue<ClaimedMail, Attempted>["attempt"] {
  const postponeMail = (mail: ClaimedMail, now: number): Attempted => {
    return { serverFailed: false, recording: [giveBack(rows, mail, now)] };
  };
  return async function attempt(mail, moment) {
    const { now, isHeld } = moment;
    // Logs outlive people's data, so that they have no address and no subject of mail that a server takes.
    const about = { mail: mail.id, attempt: mail.attempts };
    try {
      const wait = mail.waitFor();
      if (wait > 0) {
        await pause(wait, deps.stopping);
        if (deps.stopping?.aborted) return postponeMail(mail, now());
      }
      const reason = await findReasonAgainst(deps, mail, { lane, kinds });
      const letter = reason === null ? await makeLetter(deps, mail, lane) : null;
      // Another sender may have taken a mail over that had to wait for long.
      if (!isHeld()) return postponeMail(mail, now());
      const outcome = letter === null ? "unwanted" : await deps.mailer.send(letter);
      const shown = outcome === "kept" ? { to: mail.to_address, subject: mail.subject } : {};
      if (outcome === "sent") deps.metrics?.mails.add("sent");
      deps.log.info({ event: logged[outcome], ...about, ...shown, ...(reason === null ? {} : { reason }) });
      const end = { outcome, error: reason, bounced: null } as const;
      return { serverFailed: false, recording: endMail(mail, end, now(), kinds) };
    } catch (error) {
      const failure = error instanceof MailFailed ? error.failure : "deferred";
      const reason = (error instanceof Error ? error.message : String(error)).slice(0, errorLength);
      const retry = failure === "refused" ? null : planRetry(mail.attempts, moment);
      if (retry === null) deps.metrics?.mails.add("failed");
      deps.log.error({
        event: retry === null ? "mail_failed" : "mail_delayed",
        ...about,
        error: reason,
        ...(retry === null ? {} : { due_at: formatTimestamp(retry.due) }),
      });
      const bounced = error instanceof MailFailed && error.isForRecipient
        ? { email: mail.to_address, secretsKey: deps.secretsKey }
        : null;
      return {
        serverFailed: failure === "server",
        recording: retry === null
          ? endMail(mail, { outcome: "failed", error: reason, bounced }, now(), kinds)
          : [retryAt(rows, mail, retry, reason)],
      };
    }
  };
}

/** Returns why the record that the mail is about no longer wants it; null when it does. */
async function findReasonAgainst(
  { db }: AttemptDeps,
  { about_kind, about_id }: ClaimedMail,
  { lane, kinds }: { readonly lane: MailLane; readonly kinds: MailKinds },
): Promise<string | null> {
  const { against, inEachLane } = (about_kind === null ? undefined : kinds[about_kind]) ?? {};
  if (!against || about_id === null || !(inEachLane || lane === "automated")) return null;
  const [found] = await db.read([against(about_id)]);
  return found!.rows[0]?.reason as string | null | undefined ?? null;
}

async function makeLetter(
  deps: AttemptDeps,
  mail: ClaimedMail,
  lane: MailLane,
): Promise<Letter> {
  const { attachments, ...rest } = readMail(mail, deps.secretsKey);
  const letter = {
    ...rest,
    id: mail.id,
    at: mail.written_at,
    ...(lane === "automated" ? { isBulk: true } : {}),
    ...(lane === "correspondence" ? { isWritten: true } : {}),
  };
  return attachments ? { ...letter, attachments: await openAttachments(deps, attachments) } : letter;
}

async function openAttachments(
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

/**
 * Removes a mail that is sent or unwanted, and keeps others for a while. Also records the outcome in the
 * record that the mail is about.
 */
export function endMail(
  mail: Pick<ClaimedMail, "id" | "attempts" | "about_kind" | "about_id">,
  end: Pick<MailEnd, "outcome" | "error" | "bounced">,
  now: number,
  kinds: MailKinds,
): Statement[] {
  const { outcome, error } = end;
  const { about_kind: kind, about_id: id } = mail;
  const record = kind === null || id === null ? undefined : kinds[kind];
  return [
    ...(record?.recordEnd({ ...end, id: id!, now, at: formatTimestamp(now) }) ?? []),
    outcome === "sent" || outcome === "unwanted"
      ? sql`delete from mails where id = ${mail.id}`
      : sql`update mails set status = ${outcome}, error = ${error}, due_at = null,
        expires_at = ${now + lifetimes.endedMail} where id = ${mail.id} and status = 'pending'
        and attempts = ${mail.attempts}`,
  ];
}
