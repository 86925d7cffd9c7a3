/** Reads an arriving message: `message/rfc822`, as mail servers pass it on. */
import { getExtension } from "hono/utils/mime";
import type { Address, Arriving, MailParser } from "../../platform/mail/parser.ts";
import { cleanName, extractEnding } from "../../library/names.ts";
import { sha256 } from "../../platform/crypto.ts";
import { originalName } from "../../platform/mail/shown_content.ts";

/** An attachment with a name that files may have. */
export interface ArrivedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The id by which the content names the picture. */
  readonly contentId?: string | undefined;
}

export interface Arrived {
  /** Identifies the message: a hash of its Message-ID, or of its bytes. */
  readonly key: string;
  /** The message ids that it refers to, and its own as the last, with spaces between; null without its own. */
  readonly thread: string | null;
  readonly from: { readonly name: string; readonly address: string };
  readonly subject: string | null;
  /** Sanitised HTML. */
  readonly content: string;
  /** Its words, as plain text. */
  readonly words: string;
  readonly files: readonly ArrivedFile[];
  /** Local parts of its recipients' addresses at `INBOUND_MAIL_DOMAIN`. */
  readonly tokens: readonly string[];
  /** Whether it is an automatic reply or mail of a list, which no user waits for. */
  readonly isAutomatic: boolean;
  /** If the message reports that a mail was not delivered: why, and whether its address is refused for good. */
  readonly failure: { readonly reason: string; readonly isForRecipient: boolean } | null;
}

/** Characters of names, subjects and reasons. */
const mostLine = 255;

/** Returns null for bytes that are no message. `domain`: that of `INBOUND_MAIL_DOMAIN`. */
export async function parseArrived(
  parser: MailParser,
  bytes: Uint8Array<ArrayBuffer>,
  domain: string,
): Promise<Arrived | null> {
  // Hashed first, because the parser takes over the bytes.
  const key = sha256(bytes);
  const email = await parser.parse(bytes);
  if (email === null || email.headers.length === 0) return null;
  const from = mailbox(email.from);
  return {
    key: email.messageId ? sha256(`id ${email.messageId.trim()}`) : key,
    thread: composeThread(email),
    from: { name: line(from.name), address: line(from.address) },
    subject: line(email.subject ?? "") || null,
    content: email.content,
    words: email.words,
    files: [
      ...(email.original ? [{ name: originalName, bytes: new Uint8Array(email.original) }] : []),
      ...readFiles(email),
    ],
    tokens: findTokens(email, domain),
    isAutomatic: isAutomatic(email),
    failure: readFailure(email),
  };
}

/** Message ids that an answer refers to; mail programs find the thread by the first and the last ones. */
const mostReferences = 20;

function composeThread({ messageId, references, inReplyTo }: Arriving): string | null {
  const idsIn = (text = "") => text.match(/<[!-;=?-~]{1,250}>/g) ?? [];
  const own = idsIn(messageId).at(-1);
  if (own === undefined) return null;
  const before = [...new Set([...idsIn(references), ...idsIn(inReplyTo)])].filter((id) => id !== own);
  return [...before.slice(0, 1), ...before.slice(1).slice(-mostReferences), own].join(" ");
}

function mailbox(from: Address | undefined): { name: string; address: string } {
  const [one] = from?.group ?? [from];
  return { name: one?.name ?? "", address: one?.address ?? "" };
}

function readFiles({ attachments }: Arriving): ArrivedFile[] {
  return attachments.map(({ filename, mimeType, content, contentId }, index) => ({
    name: withEnding(
      cleanName(filename ?? "") ?? (mimeType === "message/rfc822" ? "message" : `attachment ${index + 1}`),
      mimeType,
    ),
    bytes: new Uint8Array(content as ArrayBuffer),
    contentId: contentId?.trim().replace(/^<|>$/g, ""),
  }));
}

/** Endings by media type, beside those of the library. */
const endings: Readonly<Record<string, string>> = {
  "message/rfc822": "eml",
  "message/delivery-status": "txt",
  "text/rtf": "rtf",
  "text/vcard": "vcf",
  "text/x-vcard": "vcf",
  "text/xml": "xml",
  "application/msword": "doc",
  "application/pgp-signature": "asc",
  "application/pkcs7-mime": "p7m",
  "application/pkcs7-signature": "p7s",
  "application/vnd.ms-excel": "xls",
  "application/vnd.ms-outlook": "msg",
  "application/vnd.ms-powerpoint": "ppt",
  "application/vnd.oasis.opendocument.presentation": "odp",
  "application/vnd.oasis.opendocument.spreadsheet": "ods",
  "application/vnd.oasis.opendocument.text": "odt",
  "application/vnd.openxmlformats-officedocument.presentationml.presentation": "pptx",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
  "application/x-pdf": "pdf",
  "application/x-pkcs7-signature": "p7s",
  "application/x-zip-compressed": "zip",
  "audio/mp4": "m4a",
  "audio/wav": "wav",
  "audio/x-wav": "wav",
  "image/heic": "heic",
  "image/heif": "heif",
  "image/jpg": "jpg",
  "video/quicktime": "mov",
};

/** Gives a name without an ending that of its media type, so that programs open the file. */
function withEnding(name: string, type: string): string {
  const known = type.toLowerCase();
  const ending = Object.hasOwn(endings, known) ? endings[known] : getExtension(known);
  return extractEnding(name) !== "" || !ending ? name : cleanName(`${name}.${ending}`) ?? name;
}

/** Returns the tokens in all headers that can name recipients, because mail servers write different ones. */
function findTokens(email: Arriving, domain: string): string[] {
  const texts = [
    ...[...email.to ?? [], ...email.cc ?? []].flatMap((each) => each.group ?? [each]).map(({ address }) =>
      address
    ),
    ...email.headers.filter(({ key }) => key === "delivered-to" || key === "x-original-to").map(({ value }) =>
      value
    ),
  ];
  const pattern = new RegExp(`([a-z0-9]{20,64})@${domain.replaceAll(".", "\\.")}(?![a-z0-9.-])`, "gi");
  return [
    ...new Set(texts.flatMap((text) => [...(text ?? "").matchAll(pattern)].map(([, token]) => token!))),
  ];
}

/** Checks the header of RFC 3834, and those that older programs write. */
function isAutomatic(email: Arriving): boolean {
  const header = (name: string) => email.headers.find(({ key }) => key === name)?.value.trim().toLowerCase();
  const submitted = header("auto-submitted");
  return (submitted !== undefined && submitted !== "no") || header("x-autoreply") !== undefined ||
    header("x-autorespond") !== undefined || /^(bulk|auto_reply|junk|list)$/.test(header("precedence") ?? "");
}

/** A delivery report (RFC 3464) of a final failure. */
function readFailure({ attachments }: Arriving): Arrived["failure"] {
  const report = attachments.find(({ mimeType }) => mimeType === "message/delivery-status");
  if (!report) return null;
  const text = typeof report.content === "string" ? report.content : new TextDecoder().decode(report.content);
  if (!/^action:\s*failed/im.test(text)) return null;
  const reason = /^diagnostic-code:\s*(.+)$/im.exec(text)?.[1] ?? /^status:\s*(.+)$/im.exec(text)?.[1];
  const status = /^status:\s*([\d.]+)/im.exec(text)?.[1] ?? "";
  return {
    reason: line(reason ?? "The mail was not delivered."),
    // 5.7 is a refusal by policy (RFC 3463), which is about the sender.
    isForRecipient: status.startsWith("5.") && !status.startsWith("5.7."),
  };
}

function line(text: string): string {
  return [...text.replaceAll(/[\p{Cc}\s]+/gu, " ").trim().toWellFormed()].slice(0, mostLine).join("");
}
