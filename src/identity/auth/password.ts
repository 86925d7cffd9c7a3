import { noContent } from "../../core/answer.ts";
import { commit } from "../../db/commit.ts";
import { guardSignIn, selectSignIn } from "../users/sign_in.ts";
import { makePasswordLimits } from "../attempts/limits.ts";
import { Attempts } from "../attempts/attempts.ts";
import type { Grant } from "./grant.ts";
import { issuePair } from "./issue.ts";
import type { OAuthCall } from "./oauth_call.ts";
import { invalidGrant } from "./oauth_error.ts";
import { requireFields } from "./token_request.ts";

/** A user's e-mail address and password, for trusted clients only. */
export const passwordGrant: Grant = {
  trusted: true,
  reads(call, fields) {
    const { username } = requireFields(fields, "username", "password");
    return [selectSignIn(username), makeAttempts(call, username).read];
  },
  async issue(call, client, fields, [found, failed]) {
    const attempts = makeAttempts(call, fields.get("username")!);
    attempts.check(failed!);
    const row = found!.rows[0];
    const stored = (row?.password_hash ?? null) as string | null;
    // An unknown address takes as long as a wrong password and gets the same answer.
    if (!await call.deps.passwords.verify(fields.get("password")!, stored, call.address()) || !row) {
      await attempts.countFailure();
      throw invalidGrant("The user name or the password is wrong.");
    }
    const userId = row.id as number;
    const issued = issuePair(call, client.client_id, userId);
    const statements = [attempts.guard, guardSignIn(row), ...issued.statements];
    await commit(call, { statements, answer: noContent });
    return { body: issued.body, userId };
  },
};

function makeAttempts(call: OAuthCall, username: string): Attempts {
  return new Attempts(call, makePasswordLimits(username, call.address()));
}
