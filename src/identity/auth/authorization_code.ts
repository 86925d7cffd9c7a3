import { decodeHex, encodeBase64urlNoPadding } from "@oslojs/encoding";
import { noContent } from "../../core/answer.ts";
import { commit } from "../../db/commit.ts";
import { sql, update } from "../../db/statements.ts";
import { sha256 } from "../../platform/crypto.ts";
import { guardChanged } from "../../platform/database/database.ts";
import type { Grant } from "./grant.ts";
import { issuePair } from "./issue.ts";
import { invalidGrant } from "./oauth_error.ts";
import { endFamily } from "../tokens/revoke.ts";
import { authorizationCodes } from "./table.ts";
import { requireFields } from "./token_request.ts";

/**
 * Exchanges the code of the authorization page. A code works once; a second use ends the tokens of the first.
 */
export const authorizationCodeGrant: Grant = {
  trusted: false,
  reads: (_call, fields) => [
    sql`select k.hash, k.client_id, k.user_id, k.redirect_uri, k.code_challenge, k.family_id, k.expires_at,
      k.used_at from authorization_codes k join users u on u.id = k.user_id and u.deleted_at is null
      join companies c on c.id = u.company_id and c.deleted_at is null
      where k.hash = ${sha256(requireFields(fields, "code", "redirect_uri").code)}`,
  ],
  async issue(author, client, fields, [found]) {
    const row = found!.rows[0];
    if (!row || row.client_id !== client.client_id) throw invalidGrant("The code is unknown.");
    const familyId = row.family_id as string;
    if (row.used_at !== null) {
      await commit(author, { statements: endFamily(familyId), answer: noContent });
      throw invalidGrant("The code has been used before. All tokens issued with it have ended.");
    }
    if ((row.expires_at as number) <= author.now) throw invalidGrant("The code has expired.");
    if (row.redirect_uri !== fields.get("redirect_uri")) {
      throw invalidGrant("redirect_uri differs from that of the authorization request.");
    }
    checkVerifier(row.code_challenge as string | null, fields.get("code_verifier"));
    const userId = row.user_id as number;
    const issued = issuePair(author, client.client_id, userId, familyId);
    await commit(author, {
      statements: [
        update(authorizationCodes, { used_at: author.now }, { hash: row.hash as string, used_at: null }),
        guardChanged("authorization_code"),
        ...issued.statements,
      ],
      answer: noContent,
    });
    return { body: issued.body, userId };
  },
};

/** The form that RFC 7636 demands; a shorter verifier could be guessed. */
const verifierForm = /^[\w.~-]{43,128}$/;

/** PKCE. A verifier without a challenge means that somebody removed the challenge from the request. */
function checkVerifier(challenge: string | null, verifier: string | undefined): void {
  if (challenge === null && verifier === undefined) return;
  if (challenge === null) throw invalidGrant("The authorization request had no code_challenge.");
  if (verifier === undefined) throw invalidGrant("code_verifier is required.");
  if (!verifierForm.test(verifier)) {
    throw invalidGrant("code_verifier must be 43 to 128 unreserved characters.");
  }
  const hashed = encodeBase64urlNoPadding(decodeHex(sha256(verifier)));
  if (hashed !== challenge) throw invalidGrant("code_verifier does not match the code_challenge.");
}
