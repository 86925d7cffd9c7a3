/** Ending tokens before their time. */
import { remove } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";
import { accessTokens, refreshTokens } from "./table.ts";

/** Ends all tokens that descend from one sign-in. */
export function endFamily(familyId: string): Statement[] {
  return [remove(accessTokens, { family_id: familyId }), remove(refreshTokens, { family_id: familyId })];
}

/** Ends all tokens of a user. */
export function endTokensOf(userId: number): Statement[] {
  return [remove(accessTokens, { user_id: userId }), remove(refreshTokens, { user_id: userId })];
}
