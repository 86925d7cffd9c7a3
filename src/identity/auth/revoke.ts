/** Ending tokens before their time. */
import { remove, sql } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";
import { accessTokens, authorizationCodes, deviceCodes, refreshTokens, sessions } from "./table.ts";

/** Ends all tokens that descend from one sign-in. */
export function endFamily(familyId: string): Statement[] {
  return [remove(accessTokens, { family_id: familyId }), remove(refreshTokens, { family_id: familyId })];
}

/** Ends all tokens of a user, and all sessions at the pages. */
export function endTokensOf(userId: number): Statement[] {
  return [
    remove(accessTokens, { user_id: userId }),
    remove(refreshTokens, { user_id: userId }),
    ...endSignInsOf(userId),
  ];
}

/** What a user could still get tokens by: sessions at the pages, and codes that are not redeemed yet. */
function endSignInsOf(userId: number): Statement[] {
  return [
    remove(authorizationCodes, { user_id: userId }),
    remove(deviceCodes, { user_id: userId }),
    remove(sessions, { user_id: userId }),
  ];
}

/** Ends all tokens that a client got, for whomever. */
export function endTokensOfClient(clientId: string): Statement[] {
  return [
    remove(accessTokens, { client_id: clientId }),
    remove(refreshTokens, { client_id: clientId }),
    remove(authorizationCodes, { client_id: clientId }),
    remove(deviceCodes, { client_id: clientId }),
  ];
}

/** Ends all tokens and sessions of a user but the token of this public identifier, and what refreshes it. */
export function endOtherTokensOf(userId: number, tokenId: string): Statement[] {
  return [
    sql`delete from refresh_tokens where user_id = ${userId}
      and family_id is not (select family_id from access_tokens where id = ${tokenId})`,
    sql`delete from access_tokens where user_id = ${userId} and id <> ${tokenId}`,
    ...endSignInsOf(userId),
  ];
}
