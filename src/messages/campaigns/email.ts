/** The e-mail to a recipient. */
import type { Viewer } from "../../fields/custom_fields.ts";
import type { Mail } from "../../platform/mail/mail.ts";
import { unsubscribeHeaders } from "../unsubscribe/links.ts";
import { composeMail, type MessageValues, type Snapshot } from "./snapshot.ts";

/** Returns the subject and sanitised HTML, for a reader as `composeMessage`. */
export async function composeEmail(
  snapshot: Snapshot,
  values: MessageValues,
  reader: Viewer | null = null,
): Promise<{ readonly subject: string; readonly html: string }> {
  const { subject, html } = await composeMail(snapshot, values, reader);
  return { subject: subject ?? "", html };
}

/** Returns the mail. `oneClick`: the URL of its headers to unsubscribe; `picture`: HTML after the text. */
export async function composeCampaignMail(
  snapshot: Snapshot,
  values: MessageValues,
  { to, oneClick, picture = "" }: {
    readonly to: string;
    readonly oneClick: string;
    readonly picture?: string;
  },
): Promise<Omit<Mail, "attachments">> {
  const { subject, html, words } = await composeMail(snapshot, values);
  const { first_name, last_name, email } = snapshot.user;
  return {
    to,
    subject: subject ?? "",
    title: "A message of a campaign",
    text: await words(),
    html: `<!doctype html><html><head><meta charset="utf-8"></head><body>${html}${picture}</body></html>`,
    from: snapshot.sender,
    author: { name: `${first_name} ${last_name}`.trim(), address: email },
    headers: unsubscribeHeaders(oneClick),
  };
}
