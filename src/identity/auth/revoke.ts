/** Statements that end tokens. */
import { and, eq, ne } from "drizzle-orm";
import { drizzle, type Param, prepared } from "../../db/prepared.ts";
import { remove, sql } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";
import { accessTokens, authorizationCodes, deviceCodes, refreshTokens, sessions } from "./table.ts";

/** Ends all tokens of one sign-in. */
export function endFamily(familyId: string): Statement[] {
  return [remove(accessTokens, { family_id: familyId }), remove(refreshTokens, { family_id: familyId })];
}

/** Ends all tokens and page sessions of a user. */
export function endTokensOf(userId: number): Statement[] {
  return [
    remove(accessTokens, { user_id: userId }),
    remove(refreshTokens, { user_id: userId }),
    ...endSignInsOf(userId),
  ];
}

/** Ends page sessions, and codes that could still be exchanged for tokens. */
function endSignInsOf(userId: number): Statement[] {
  return [
    remove(authorizationCodes, { user_id: userId }),
    remove(deviceCodes, { user_id: userId }),
    remove(sessions, { user_id: userId }),
  ];
}

/** Ends all tokens of a client, for all users. */
export function endTokensOfClient(clientId: string): Statement[] {
  return [
    remove(accessTokens, { client_id: clientId }),
    remove(refreshTokens, { client_id: clientId }),
    remove(authorizationCodes, { client_id: clientId }),
    remove(deviceCodes, { client_id: clientId }),
  ];
}

/**
 * Ends all tokens and sessions of a user except this token (by its public identifier) and its refresh token.
 */
export function endOtherTokensOf(userId: number, tokenId: string): Statement[] {
  return [
    sql`delete from refresh_tokens where user_id = ${userId}
      and family_id is not (select family_id from access_tokens where id = ${tokenId})`,
    otherAccessTokens(userId, tokenId),
    ...endSignInsOf(userId),
  ];
}

const otherAccessTokens = prepared((userId: Param<number>, tokenId: Param<string>) =>
  drizzle.delete(accessTokens).where(and(eq(accessTokens.user_id, userId), ne(accessTokens.id, tokenId)))
);
