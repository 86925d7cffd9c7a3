/** Tokens in mails: 256 random bits that work once; the database stores their SHA-256. */
import { notFound, type Problem } from "../core/errors.ts";

export type MailedToken = "invitation" | "password_reset";

/** Returns the same error for unknown, expired and used tokens, so that it does not reveal the reason. */
export function wrongToken(kind: MailedToken): Problem {
  return notFound(refusals[kind]);
}

const refusals: Readonly<Record<MailedToken, string>> = {
  invitation: "The invitation is unknown, expired, withdrawn, or has been used.",
  password_reset: "The token is unknown, expired, or has been used.",
};
