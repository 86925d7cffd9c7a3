/** The mail that an activity sends: somebody's own words to the contact of the case. */
import { plainText } from "../../core/html.ts";
import { type FieldError, fieldError } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { sql } from "../../db/statements.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import type { Mail } from "../../platform/mail/mail.ts";
import type { Email } from "./body.ts";

/** Reads what `writtenMails` takes: the address of the caller, to which answers go. */
export function authorOf({ caller }: Context): Statement {
  return sql`select email from users where id = ${caller.userId}`;
}

/** What an e-mail that is to be sent lacks; its contact's address, too. */
export function unsendable(email: Email | null | undefined, to: string | null): FieldError[] {
  if (!email?.send) return [];
  const at = "correspondence.email";
  return [
    ...(email.subject?.trim()
      ? []
      : [fieldError(`${at}.subject`, "required", "Required for an e-mail that is sent.")]),
    ...(email.content
      ? []
      : [fieldError(`${at}.content`, "required", "Required for an e-mail that is sent.")]),
    ...(to ? [] : [fieldError(`${at}.send`, "exists", "The contact of the case has no e-mail address.")]),
  ];
}

/** The mail to the contact where the e-mail is to be sent. `author` is the caller's name. */
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
