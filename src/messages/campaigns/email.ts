/** The e-mail to a recipient. */
import { escaped, plainText } from "../../core/html.ts";
import type { Viewer } from "../../core/fields.ts";
import type { Mail } from "../../platform/mail/mail.ts";
import { unsubscribeHeaders } from "../unsubscribe/links.ts";
import { composeMessage, hasUnsubscribeLink, type MessageValues, type Snapshot } from "./snapshot.ts";

/** Returns the subject and sanitised HTML, for a reader as `composeMessage`. Adds a line to unsubscribe to a text that has no such link. */
export async function composeEmail(
  snapshot: Snapshot,
  values: MessageValues,
  reader: Viewer | null = null,
): Promise<{ readonly subject: string; readonly html: string }> {
  const { subject, html } = await composeMessage(snapshot, values, reader);
  const url = values.unsubscribe_url;
  const line = typeof url === "string" && !hasUnsubscribeLink(snapshot)
    ? `<p><a href="${escaped(url)}">Unsubscribe</a></p>`
    : "";
  return { subject: subject ?? "", html: html + line };
}

/** Returns the mail. `oneClick`: the URL of its headers to unsubscribe; `picture`: HTML after the text. */
export async function mailOf(
  snapshot: Snapshot,
  values: MessageValues,
  { to, oneClick, picture = "" }: {
    readonly to: string;
    readonly oneClick: string;
    readonly picture?: string;
  },
): Promise<Omit<Mail, "attachments">> {
  const { subject, html } = await composeEmail(snapshot, values);
  const { first_name, last_name, email } = snapshot.user;
  return {
    to,
    subject,
    title: "A message of a campaign",
    text: await plainText(html),
    html: `<!doctype html><html><head><meta charset="utf-8"></head><body>${html}${picture}</body></html>`,
    from: snapshot.sender,
    author: { name: `${first_name} ${last_name}`.trim(), address: email },
    headers: unsubscribeHeaders(oneClick),
  };
}
