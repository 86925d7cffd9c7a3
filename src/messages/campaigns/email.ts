/** The e-mail to a recipient. */
import { escaped } from "../../core/html.ts";
import { composeMessage, hasUnsubscribeLink, type MessageValues, type Snapshot } from "./snapshot.ts";

/** Sanitised HTML, with a line to unsubscribe under a text that has no such link. */
export function composeEmail(
  snapshot: Snapshot,
  values: MessageValues,
): { readonly subject: string; readonly html: string } {
  const { subject, html } = composeMessage(snapshot, values);
  const url = values.unsubscribe_url;
  const line = typeof url === "string" && !hasUnsubscribeLink(snapshot)
    ? `<p><a href="${escaped(url)}">Unsubscribe</a></p>`
    : "";
  return { subject: subject ?? "", html: html + line };
}
