/** Writes a correspondence and the mail that it becomes. */
import { refuseAddress } from "../../customers/refusals/refusals.ts";
import { extractPlainText } from "../../core/html.ts";
import { makeId } from "../../core/ids.ts";
import type { Author } from "../../db/commit.ts";
import type { MailDraft, MailEnd } from "../../db/mails.ts";
import { insert, type Sql, sql } from "../../db/statements.ts";
import type { FileFacts } from "../../library/access.ts";
import type { Statement } from "../../platform/database/database.ts";
import type { MailAddress } from "../../platform/mail/mail.ts";
import { composeBounceAddress, composeReplyAddress } from "../return_address.ts";
import { composeOpenedPicture } from "../opened_picture.ts";
import { type CorrespondenceRow, correspondences } from "./table.ts";

/** The kind under which mails report their end; see `mailKinds`. */
export const correspondenceKind = "correspondence";

type Given = Pick<CorrespondenceRow, "company_id" | "case_id" | "user_id" | "type" | "status" | "content">;

/** Returns a row with defaults for what is not given. */
export function makeCorrespondence(
  author: Author,
  given: Given & Partial<CorrespondenceRow>,
): CorrespondenceRow {
  return {
    id: makeId(author.now),
    activity_id: null,
    direction: "out",
    sender: null,
    recipient: null,
    subject: null,
    parts: null,
    template_id: null,
    margins: null,
    file_ids: "[]",
    message_key: null,
    thread: null,
    error: null,
    sent_at: null,
    opened_at: null,
    created_at: author.at,
    updated_at: author.at,
    ...given,
  };
}

export function insertCorrespondence(row: CorrespondenceRow): Statement {
  return insert(correspondences, row);
}

interface Sending {
  /** The user whose name is on the mail. Without `INBOUND_MAIL_DOMAIN`, this user also gets the answers. */
  readonly user: MailAddress;
  readonly files: readonly Pick<FileFacts, "name" | "media" | "object_key">[];
  /** Whether the company wants to know which mails are opened. */
  readonly tracks: boolean;
  /** The origin of links; null: unknown, so that the mail is not tracked. */
  readonly origin: string | null;
  readonly lane?: MailDraft["lane"];
  readonly headers?: Readonly<Record<string, string>>;
  /** The `selectNewestThread` of the case; null when nobody has written. */
  readonly thread: string | null;
}

/** Returns the mail of an e-mail that has an address and a subject. */
export async function composeMailOfCorrespondence(
  { deps }: Author,
  row: CorrespondenceRow,
  { user, files, tracks, origin, lane, headers, thread }: Sending,
): Promise<MailDraft> {
  const content = row.content ?? "";
  const sent = { kind: "correspondence", id: row.id } as const;
  const picture = tracks && origin !== null ? composeOpenedPicture(deps.secretsKey, origin, sent) : "";
  const back = composeReplyAddress(deps, row.case_id);
  return {
    to: row.recipient!,
    subject: (row.subject ?? "").replaceAll(/\s+/g, " ").trim(),
    title: "An e-mail of a case",
    text: await extractPlainText(content),
    ...(content.includes("<") || picture !== "" ? { html: wrapPage(content + picture) } : {}),
    from: { name: user.name },
    author: back === null ? user : { name: user.name, address: back },
    ...composeBounceAddress(deps, sent),
    headers: { ...headers, ...answerHeaders(thread) },
    lane: lane ?? "correspondence",
    about: { kind: correspondenceKind, id: row.id },
    ...(files.length === 0 ? {} : {
      attachments: files.map(({ name, media, object_key }) => ({
        name,
        type: media ?? "application/octet-stream",
        key: object_key,
      })),
    }),
  };
}

/** SQL: the message ids that the next mail of a case (SQL of its id) answers; null when nobody has written. */
export function selectNewestThread(caseId: Sql): Sql {
  return sql`(select answered.thread from correspondences answered where answered.case_id = ${caseId}
    and answered.thread is not null order by answered.created_at desc, answered.id desc limit 1)`;
}

/** The headers by which mail programs show the mail below the one that it answers. */
function answerHeaders(thread: string | null): Record<string, string> {
  const newest = thread?.split(" ").at(-1);
  return newest ? { "In-Reply-To": newest, "References": thread! } : {};
}

/** Records the end of the mail, and refuses an address that does not exist. */
export function endCorrespondence({ id, outcome, error, bounced, at }: MailEnd): Statement[] {
  const company_id = sql`(select company_id from correspondences where id = ${id})`;
  const reason = outcome === "kept"
    ? "There is no mail server."
    : outcome === "unwanted"
    ? `Skipped: ${error}.`
    : error;
  return [
    outcome === "sent"
      ? sql`update correspondences set status = 'sent', error = null, sent_at = ${at}, updated_at = ${at}
        where id = ${id} and status = 'pending'`
      : sql`update correspondences set status = 'failed', error = ${reason}, updated_at = ${at}
        where id = ${id} and status = 'pending'`,
    ...(bounced ? [refuseAddress(bounced, { company_id, email: bounced.email }, "bounced", at)] : []),
  ];
}

/** Reads the company and the address that an e-mail was sent to. */
export function selectRecipientOfCorrespondence(id: string): Statement {
  return sql`select company_id, recipient as email from correspondences where id = ${id} and direction = 'out'`;
}

/** Marks a sent e-mail that its mail server could not deliver. */
export function failCorrespondence(id: string, reason: string, at: string): Statement {
  return sql`update correspondences set status = 'failed', error = ${reason}, updated_at = ${at}
    where id = ${id} and direction = 'out' and status in ('pending', 'sent')`;
}

/** SQL: whether a received message is a correspondence of the case (SQL of its id) already. */
export function isTaken(caseId: Sql, messageKey: string): Sql {
  return sql`exists (select 1 from correspondences taken
    where taken.case_id = ${caseId} and taken.message_key = ${messageKey})`;
}

function wrapPage(content: string): string {
  return `<!doctype html><html><head><meta charset="utf-8"></head><body>${content}</body></html>`;
}
