/** The tokens that mails carry: 256 random bits, of which the SHA-256 is kept, and which serve once. */
import { notFound, type Problem } from "../core/errors.ts";

export type MailedToken = "invitation" | "password_reset";

/** What every token that serves no more, or never did, is refused with: nothing tells which of these it is. */
export function wrongToken(kind: MailedToken): Problem {
  return notFound(refusals[kind]);
}

const refusals: Readonly<Record<MailedToken, string>> = {
  invitation: "The invitation is unknown, expired, withdrawn, or has been used.",
  password_reset: "The token is unknown, expired, or has been used.",
};
