/** A mail as the SMTP library composes it. */
import { Readable } from "node:stream";
import type { SendMailOptions } from "nodemailer";
import type { Letter } from "./mail.ts";

/** The key that signs all mail (RFC 6376), including the headers by which mail programs unsubscribe. */
export interface Dkim {
  readonly domain: string;
  readonly selector: string;
  readonly privateKey: string;
}

/** `sender`: an address, or `Name <address>`. The id of a message has its domain. */
export function composeMessage(letter: Letter, sender: string, dkim: Dkim | null): SendMailOptions {
  const domain = /@([\w.-]+)>?\s*$/.exec(sender)?.[1] ?? "localhost";
  const { id, at, to, subject, text, html, author, from, envelopeFrom, headers, attachments } = letter;
  return {
    from: from ? { name: from.name, address: from.address ?? extractAddress(sender) } : sender,
    to: { name: "", address: to },
    ...(envelopeFrom === undefined ? {} : { envelope: { from: envelopeFrom, to } }),
    subject,
    text,
    ...(html === undefined ? {} : { html }),
    messageId: `<${id}@${domain}>`,
    date: new Date(at),
    ...(author === undefined ? {} : { replyTo: author }),
    headers: { ...(author === undefined ? { "Auto-Submitted": "auto-generated" } : {}), ...headers },
    attachments: attachments?.map(({ name, type, body }) => ({
      filename: name,
      contentType: type,
      content: Readable.from(body),
    })),
    ...(dkim ? { dkim: signing(dkim) } : {}),
  };
}

/** The address of `Name <address>`. */
function extractAddress(sender: string): string {
  return /<([^<>]+)>\s*$/.exec(sender)?.[1] ?? sender.trim();
}

/** Headers to sign, even those that a mail lacks, so that nobody can add them. */
const signedHeaders = [
  "From",
  "Reply-To",
  "Subject",
  "Date",
  "Message-ID",
  "To",
  "MIME-Version",
  "Content-Type",
  "Content-Transfer-Encoding",
  "List-Unsubscribe",
  "List-Unsubscribe-Post",
].join(":");

function signing({ domain, selector, privateKey }: Dkim) {
  return { domainName: domain, keySelector: selector, privateKey, headerFieldNames: signedHeaders };
}
