import { noContent } from "../../core/answer.ts";
import { commit } from "../../db/commit.ts";
import { sql, update } from "../../db/statements.ts";
import { sha256 } from "../../platform/crypto.ts";
import { guardChanged } from "../../platform/database/database.ts";
import type { Grant } from "./grant.ts";
import { renewPair } from "./issue.ts";
import { invalidGrant } from "./oauth_error.ts";
import { endFamily } from "../tokens/revoke.ts";
import { refreshTokens } from "./table.ts";
import { requireFields } from "./token_request.ts";

/** Milliseconds after its first use in which a token still works, for a client that lost the answer. */
const repeatableFor = 10_000;
/** Further uses in that time: a lost answer, or a second tab. */
const mostRepeats = 2;

/**
 * Exchanges a refresh token. A token works once, and twice more within ten seconds. Any other use means a leak
 * and ends the whole family.
 */
export const refreshTokenGrant: Grant = {
  trusted: false,
  reads: (_call, fields) => [
    sql`select r.hash, r.client_id, r.user_id, r.family_id, r.expires_at, r.used_at, r.repeats
      from refresh_tokens r
      join users u on u.id = r.user_id and u.deleted_at is null
      join companies c on c.id = u.company_id and c.deleted_at is null
      where r.hash = ${sha256(requireFields(fields, "refresh_token").refresh_token)}`,
  ],
  async issue(author, client, _fields, [found]) {
    const row = found!.rows[0];
    if (!row || row.client_id !== client.client_id || (row.expires_at as number) <= author.now) {
      throw invalidGrant("The refresh token is unknown or expired.");
    }
    const familyId = row.family_id as string;
    const usedAt = row.used_at as number | null;
    const repeats = row.repeats as number;
    const isRepeatable = usedAt === null ||
      repeats < mostRepeats && Math.abs(author.now - usedAt) <= repeatableFor;
    if (!isRepeatable) {
      await commit(author, { statements: endFamily(familyId), answer: noContent });
      throw invalidGrant("The refresh token has been used before. All tokens of its sign-in have ended.");
    }
    const userId = row.user_id as number;
    const issued = renewPair(author, client.client_id, userId, familyId);
    await commit(author, {
      statements: [
        update(
          refreshTokens,
          usedAt === null ? { used_at: author.now } : { repeats: repeats + 1 },
          { hash: row.hash as string, used_at: usedAt, repeats },
        ),
        guardChanged("refresh_token"),
        ...issued.statements,
      ],
      answer: noContent,
    });
    return { body: issued.body, userId };
  },
};
