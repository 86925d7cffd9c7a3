import { noContent } from "../../core/answer.ts";
import { commit } from "../../db/commit.ts";
import { verifyPassword } from "../../platform/crypto.ts";
import { signInOf } from "../users/sign_in.ts";
import { attemptsAt, checkAttempts, countFailure, guardAttempts, passwordLimit } from "./attempts.ts";
import type { Grant } from "./grants.ts";
import { issuePair } from "./issue.ts";
import { invalidGrant } from "./oauth_error.ts";
import { required } from "./token_request.ts";

/** A user's e-mail address and password, in the hands of a trusted client. */
export const passwordGrant: Grant = {
  trusted: true,
  reads(fields, now) {
    const { username } = required(fields, "username", "password");
    return [signInOf(username), attemptsAt(passwordLimit(username), now)];
  },
  async issue(author, client, fields, [found, failed]) {
    const limit = passwordLimit(fields.get("username")!);
    checkAttempts(limit, failed!, author.now);
    const row = found!.rows[0];
    const stored = (row?.password_hash ?? null) as string | null;
    // An unknown address takes as long as a wrong password and gets the same answer.
    if (!await verifyPassword(fields.get("password")!, stored) || !row) {
      await author.deps.db.write([countFailure(limit, author.now)]);
      throw invalidGrant("The user name or the password is wrong.");
    }
    const userId = row.id as number;
    const issued = issuePair(author, client.client_id, userId);
    await commit(author, {
      statements: [guardAttempts(limit, author.now), ...issued.statements],
      answer: noContent,
    });
    return { body: issued.body, userId };
  },
};
