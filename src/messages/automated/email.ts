/** The e-mail of an automated communication, which is a correspondence of its case. */
import { escapeHtml } from "../../core/html.ts";
import type { Author } from "../../db/commit.ts";
import type { MailDraft } from "../../db/mails.ts";
import type { Statement } from "../../platform/database/database.ts";
import type { FullCase } from "../../sales/cases/parts.ts";
import { makeLinks } from "../campaigns/links.ts";
import {
  composeMailOfCorrespondence,
  insertCorrespondence,
  makeCorrespondence,
} from "../correspondence/write.ts";
import { compose } from "../placeholders/compose.ts";
import { composeKeptText, openSubject } from "../placeholders/kept_text.ts";
import { listNamesIn, parseText } from "../placeholders/syntax.ts";
import { unsubscribeHeaders } from "../unsubscribe/links.ts";
import { composePlaceholderFacts, type SendFacts, type Text } from "./records.ts";

/** The facts of a communication that is sent. */
export type Sendable = SendFacts & { readonly of: FullCase; readonly text: Text };

export interface AutomatedEmail {
  /** The subject for the list of what was sent, which everybody sees who sees the case. */
  readonly subject: string;
  /** Writes the correspondence. */
  readonly statement: Statement;
  readonly mail: MailDraft;
}

/**
 * Composes the e-mail. It has the name of the case's user, who gets the answers, or without a user the name
 * of the company. Throws `TooLong`.
 */
export async function composeAutomatedEmail(author: Author, facts: Sendable): Promise<AutomatedEmail> {
  const { send, settings, text, user, of, company, files } = facts;
  const links = makeLinks(author.deps, {
    id: send.definition_id,
    company_id: send.company_id,
    origin: send.origin,
    custom_url: settings.consent_custom === 1 ? settings.unsubscribe_url : null,
  }, { contactId: of.contact.id, email: of.contact.email! });
  const draft = { type: "email", ...text } as const;
  const composing = {
    facts: composePlaceholderFacts(facts, links.text, author.now),
    fields: facts.fields.shown,
  };
  const { subject, html } = await compose(draft, composing);
  const tail = hasLink(text) ? "" : `<p><a href="${escapeHtml(links.text)}">Unsubscribe</a></p>`;
  const parts = composeKeptText(draft, composing, tail);
  const sender = user && { name: `${user.first_name} ${user.last_name}`.trim(), address: user.email };
  const row = makeCorrespondence(author, {
    id: send.id,
    company_id: send.company_id,
    case_id: of.id,
    user_id: of.user_id,
    type: "email",
    status: "pending",
    sender: JSON.stringify(sender ?? { name: company.name, address: null }),
    recipient: of.contact.email!.trim(),
    subject: subject ?? "",
    content: html + tail,
    parts,
    template_id: text.template_id,
    file_ids: JSON.stringify(files.map(({ id }) => id)),
  });
  const { author: replies, ...mail } = await composeMailOfCorrespondence(author, row, {
    user: sender ?? { name: company.name, address: "" },
    files,
    tracks: settings.email_tracking === 1,
    origin: send.origin,
    lane: "automated",
    thread: facts.thread,
    headers: unsubscribeHeaders(links.oneClick),
  });
  return {
    subject: await openSubject(parts) ?? mail.subject,
    statement: insertCorrespondence(row),
    // Without a user there is no address for answers.
    mail: replies?.address ? { ...mail, author: replies } : mail,
  };
}

function hasLink({ content, frame }: Text): boolean {
  return [content, frame ?? ""].some((text) => listNamesIn(parseText(text)).includes("unsubscribe_url"));
}
