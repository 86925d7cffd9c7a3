/** The e-mail that an activity sends to the contact of its case. */
import { plainText } from "../../core/html.ts";
import { type FieldError, fieldError } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { sql } from "../../db/statements.ts";
import { userEmail } from "../../identity/users/fragments.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import type { Mail } from "../../platform/mail/mail.ts";
import type { Email } from "./body.ts";

/** The read of `writtenMails`: the address of the caller, for replies. */
export function authorOf({ caller }: Context): Statement {
  return sql`select ${userEmail(sql`${caller.userId}`)} as email`;
}

/** Errors for each missing part of an e-mail to send. */
export function unsendable(email: Email | null | undefined, to: string | null): FieldError[] {
  if (!email?.send) return [];
  const at = "correspondence.email";
  return [
    ...(email.subject?.trim()
      ? []
      : [fieldError(`${at}.subject`, "required", "Required to send the e-mail.")]),
    ...(email.content ? [] : [fieldError(`${at}.content`, "required", "Required to send the e-mail.")]),
    ...(to ? [] : [fieldError(`${at}.send`, "exists", "The contact of the case has no e-mail address.")]),
  ];
}

/** The mail to the contact, if the e-mail is to be sent. `author` is the name of the caller. */
export function writtenMails(
  email: Email | null | undefined,
  to: string | null,
  author: string,
  { rows: [row] }: Result,
): Mail[] {
  if (!email?.send || !email.subject || !email.content || !to) return [];
  const { subject, content } = email;
  return [{
    to,
    subject: subject.replaceAll(/\s+/g, " ").trim(),
    title: "An e-mail of a case",
    text: plainText(content),
    ...(content.includes("<") ? { html: pageOf(content) } : {}),
    author: { name: author, address: String(row!.email) },
  }];
}

function pageOf(content: string): string {
  return `<!doctype html><html><head><meta charset="utf-8"></head><body>${content}</body></html>`;
}
