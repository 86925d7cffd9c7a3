/** Reads an arriving message: `message/rfc822`, as mail servers pass it on. */
import { escaped, plainText, sanitizeText } from "../../core/html.ts";
import { beginningOf } from "../../core/text.ts";
import type { Address, Email, MailParser } from "../../platform/mail/parser.ts";
import { cleanName } from "../../library/names.ts";
import { sha256 } from "../../platform/crypto.ts";

/** An attachment with a name that files may have. */
export interface ArrivedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface Arrived {
  /** Names the message: a hash of its Message-ID, or of its bytes. */
  readonly key: string;
  readonly from: { readonly name: string; readonly address: string };
  readonly subject: string | null;
  /** Sanitised HTML. */
  readonly content: string;
  readonly files: readonly ArrivedFile[];
  /** Local parts of the addresses at our domain that it came for. */
  readonly tokens: readonly string[];
  /** An automatic reply, or mail of a list: nobody waits for it. */
  readonly isAutomatic: boolean;
  /** Why a mail was not delivered, when this is a report of that; else null. */
  readonly failure: string | null;
}

/** Characters of a content; more is cut. */
const mostContent = 500_000;
/** Characters of HTML that are read; longer HTML shows as its text. */
const mostHtml = 300_000;
/** Characters of names, subjects and reasons. */
const mostLine = 255;
/** Attachments of a message; further ones are left out. */
const mostFiles = 100;

/** Returns null for bytes that are no message. `domain`: ours. */
export async function parseArrived(
  parser: MailParser,
  bytes: Uint8Array<ArrayBuffer>,
  domain: string,
): Promise<Arrived | null> {
  // The parser takes the bytes over.
  const key = sha256(bytes);
  const email = await parser.parse(bytes);
  if (email === null || email.headers.length === 0) return null;
  const from = mailbox(email.from);
  return {
    key: email.messageId ? sha256(`id ${email.messageId.trim()}`) : key,
    from: { name: line(from.name), address: line(from.address) },
    subject: line(email.subject ?? "") || null,
    content: await contentOf(email),
    files: filesOf(email),
    tokens: tokensOf(email, domain),
    isAutomatic: isAutomatic(email),
    failure: failureOf(email),
  };
}

function mailbox(from: Address | undefined): { name: string; address: string } {
  const [one] = from?.group ?? [from];
  return { name: one?.name ?? "", address: one?.address ?? "" };
}

async function contentOf({ html = "", text }: Email): Promise<string> {
  const clean = await sanitizeText(beginningOf(storable(html), mostHtml));
  if (html !== "" && html.length <= mostHtml && clean.length <= mostContent) return clean;
  const words = beginningOf(storable(text?.trim() ? text : await plainText(clean)), mostContent);
  const lines = escaped(words).replaceAll(/\r\n?|\n/g, "<br>");
  return lines.length <= mostContent ? lines : whole(lines.slice(0, mostContent));
}

/** SQLite ends a text at NUL. */
function storable(text: string): string {
  return text.replaceAll("\0", "\ufffd");
}

/** Escaped text without a cut tag, entity or character at its end. */
function whole(html: string): string {
  return html.replace(/(?:<[^>]{0,3}|&[^;]{0,5}|[\ud800-\udbff])$/, "");
}

function filesOf({ attachments }: Email): ArrivedFile[] {
  return attachments.slice(0, mostFiles).map(({ filename, mimeType, content }, index) => ({
    name: cleanName(filename ?? "") ??
      (mimeType === "message/rfc822" ? "message.eml" : `attachment ${index + 1}`),
    bytes: new Uint8Array(content as ArrayBuffer),
  }));
}

/** The token stands in a header of recipients, whichever the mail server writes. */
function tokensOf(email: Email, domain: string): string[] {
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

/** RFC 3834, and what older programs write. */
function isAutomatic(email: Email): boolean {
  const header = (name: string) => email.headers.find(({ key }) => key === name)?.value.trim().toLowerCase();
  const submitted = header("auto-submitted");
  return (submitted !== undefined && submitted !== "no") || header("x-autoreply") !== undefined ||
    header("x-autorespond") !== undefined || /^(bulk|auto_reply|junk|list)$/.test(header("precedence") ?? "");
}

/** A delivery report (RFC 3464) of a final failure. */
function failureOf({ attachments }: Email): string | null {
  const report = attachments.find(({ mimeType }) => mimeType === "message/delivery-status");
  if (!report) return null;
  const text = typeof report.content === "string" ? report.content : new TextDecoder().decode(report.content);
  if (!/^action:\s*failed/im.test(text)) return null;
  const reason = /^diagnostic-code:\s*(.+)$/im.exec(text)?.[1] ?? /^status:\s*(.+)$/im.exec(text)?.[1];
  return line(reason ?? "The mail was not delivered.");
}

function line(text: string): string {
  return [...text.replaceAll(/[\p{Cc}\s]+/gu, " ").trim().toWellFormed()].slice(0, mostLine).join("");
}
