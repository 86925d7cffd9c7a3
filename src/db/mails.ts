/**
 * Mails as rows. The commit of a change writes the mails that it causes; the secrets key opens their text.
 */
import { makeId } from "../core/ids.ts";
import { type MailLane, mailLanes } from "../core/mail_lanes.ts";
import { open, seal } from "../platform/crypto.ts";
import type { Database, Row, Statement } from "../platform/database/database.ts";
import type { Mail } from "../platform/mail/mail.ts";
import type { Author } from "./author.ts";
import { dueAtOnce } from "./outbox.ts";
import { bindRows, insert, type Sql, sql } from "./statements.ts";
import { mails } from "./tables.ts";

/** The expiry of waiting mail, which is never removed: the latest moment that a date can express. */
export const never = 8.64e15;

export { type MailLane, mailLanes };

/** A mail of a change. */
export interface MailDraft extends Mail {
  /** `prompt` by default. */
  readonly lane?: MailLane;
  /** The company that takes a turn with it; that of the change by default. */
  readonly ofCompany?: number;
  /** The record that the mail is about, for which its end is recorded: a kind of `MailKinds`, and an id. */
  readonly about?: { readonly kind: string; readonly id: string };
}

/** How a mail ended. */
export interface MailEnd {
  /** The id of the record that the mail is about. */
  readonly id: string;
  /** `kept`: there is no mail server. `unwanted`: `MailKind.against` read a reason not to send it. */
  readonly outcome: "sent" | "failed" | "kept" | "unwanted";
  /** Why it failed, or the reason that `MailKind.against` read. */
  readonly error: string | null;
  /** The address, if its mail server refused it permanently, and the key of its hash; otherwise null. */
  readonly bounced: { readonly email: string; readonly secretsKey: Uint8Array } | null;
  /** Epoch milliseconds, and the same as a wire timestamp. */
  readonly now: number;
  readonly at: string;
}

/** A kind of record that mails are about. */
export interface MailKind {
  /** The statements that record the end of a mail. They are written together with that end. */
  readonly recordEnd: (end: MailEnd) => readonly Statement[];
  /**
   * Reads one row right before an automated mail is sent: its `reason` is why the mail is not sent any more,
   * or null. `id`: the id of the record that the mail is about.
   */
  readonly against?: (id: string) => Statement;
  /** `against` is read before mails of the kind in each lane, not in the automated one alone. */
  readonly inEachLane?: true;
}

/** The kind of mails that inform a user about something in the company. Their id is that of the user. */
export const informingKind = "user";

export type MailKinds = Readonly<Record<string, MailKind>>;

/** Writes a mail that is due at once. Its text is sealed, because it can contain sign-in links. */
export function insertMail(
  author: Author,
  mail: MailDraft,
  companyId: number | undefined = author.caller?.companyId,
): Statement {
  const { deps, now, at } = author;
  const { to, subject, title, lane = "prompt", about, ofCompany = companyId, ...sealed } = mail;
  return insert(mails, {
    id: makeId(now),
    to_address: to,
    subject: title ?? subject,
    body: seal(deps.secretsKey, JSON.stringify(title === undefined ? sealed : { ...sealed, subject })),
    status: "pending",
    due_at: dueAtOnce(author),
    created_at: at,
    expires_at: never,
    lane: mailLanes[lane],
    company_id: ofCompany ?? 0,
    about_kind: about?.kind ?? null,
    about_id: about?.id ?? null,
    objects: mail.attachments?.length ? JSON.stringify(mail.attachments.map(({ key }) => key)) : null,
  });
}

/**
 * SQL: whether mails of a company (SQL; 0: of none) are sent. Those of a deleted company wait, in case it comes back;
 * its erasure removes them.
 */
export function isSendable(companyId: Sql): Sql {
  return sql`not exists (select 1 from companies gone where gone.id = ${companyId} and gone.deleted_at is not null)`;
}

/** Reads a row when mails of the company wait. */
export function selectWaitingMails(companyId: number): Statement {
  return sql`select 1 as found ${composeWaitingRows(companyId)} limit 1`;
}

/** Removes at most `most` waiting mails of a company. */
export function removeWaitingMails(companyId: number, most: number): Statement {
  return sql`delete from mails where id in (select m.id ${composeWaitingRows(companyId)}
    limit ${bindRows(most)})`;
}

function composeWaitingRows(companyId: number): Sql {
  return sql`from json_each(${JSON.stringify(Object.values(mailLanes))}) l
    cross join mails m indexed by mails_in_turn
    on m.status = 'pending' and m.lane = l.value and m.company_id = ${companyId}`;
}

/** A mail that was not sent, or not yet. */
export interface Unsent extends Mail {
  /** When it was written. */
  readonly created_at: string;
  readonly status: "pending" | "failed" | "kept";
  /** Why the last attempt failed. */
  readonly error: string | null;
}

/** Returns mails that wait, that failed, and that no mail server was configured for; oldest first. */
export async function readUnsentMails(deps: { db: Database; secretsKey: Uint8Array }): Promise<Unsent[]> {
  const [found] = await deps.db.read([
    sql`select created_at, status, error, to_address, subject, body from mails order by id`,
  ]);
  return found!.rows.map((row) => {
    const { created_at, status, error } = row as Row & Pick<Unsent, "created_at" | "status" | "error">;
    return { created_at, status, error, ...readMail(row, deps.secretsKey) };
  });
}

/** Returns a mail from its row's `to_address`, `subject` and `body`. */
export function readMail(
  row: Partial<Record<"to_address" | "subject" | "body", unknown>>,
  secretsKey: Uint8Array,
): Mail {
  const { html, ...sealed } = JSON.parse(open(secretsKey, row.body as string)) as
    & Omit<Mail, "to" | "subject" | "title" | "html">
    & { subject?: string; html?: string | null };
  const mail = { to: row.to_address as string, subject: row.subject as string, ...sealed };
  return typeof html === "string" ? { ...mail, html } : mail;
}
