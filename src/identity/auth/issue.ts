/** Issues tokens of 256 random bits. The database stores only their SHA-256. */
import { lifetimes } from "../../core/lifetimes.ts";
import { makeId, makeToken } from "../../core/ids.ts";
import type { Author } from "../../db/commit.ts";
import { insertFact } from "../../facts/facts.ts";
import { insert, type Sql, sql } from "../../db/statements.ts";
import { sha256 } from "../../platform/crypto.ts";
import type { Statement } from "../../platform/database/database.ts";
import { accessTokens, refreshTokens } from "./table.ts";

/** Seconds. */
export const accessLifetime = lifetimes.accessToken / 1000;
export const clientCredentialsLifetime = lifetimes.clientCredentials / 1000;
export const refreshLifetime = lifetimes.refreshToken / 1000;

export interface Issued {
  readonly statements: readonly Statement[];
  /** The answer of the token endpoint. */
  readonly body: object;
}

/** Issues an access token without a refresh token. `userId` is null for a client that acts for no user. */
export function issueAccess(author: Author, clientId: string, userId: number | null): Issued {
  const token = makeToken();
  return {
    statements: [insertAccessToken(author, token, clientId, userId, null, clientCredentialsLifetime)],
    body: { access_token: token, token_type: "Bearer", expires_in: clientCredentialsLifetime },
  };
}

/** Issues an access and a refresh token to a user who signs in. Tokens of a family end together. */
export function issuePair(
  author: Author,
  clientId: string,
  userId: number,
  familyId: string = makeId(author.now),
): Issued {
  const { statements, body } = renewPair(author, clientId, userId, familyId);
  return { statements: [signIn(author.now, userId), ...statements], body };
}

/** Issues the next access and refresh token of a family. */
export function renewPair(
  author: Author,
  clientId: string,
  userId: number,
  familyId: string,
): Issued {
  const [access, refresh] = [makeToken(), makeToken()];
  return {
    statements: [
      insertAccessToken(author, access, clientId, userId, familyId, accessLifetime),
      insert(refreshTokens, {
        hash: sha256(refresh),
        client_id: clientId,
        user_id: userId,
        family_id: familyId,
        expires_at: author.now + refreshLifetime * 1000,
        created_at: author.at,
      }),
    ],
    body: {
      access_token: access,
      token_type: "Bearer",
      expires_in: accessLifetime,
      refresh_token: refresh,
    },
  };
}

/** Records the fact of a sign-in, in the user's active team. */
function signIn(now: number, user_id: number): Statement {
  const of = (column: Sql) => sql`(select ${column} from users where id = ${user_id})`;
  return insertFact(now, {
    kind: "sign_in",
    company_id: of(sql`company_id`),
    user_id,
    team_id: of(sql`active_team_id`),
  });
}

function insertAccessToken(
  author: Author,
  token: string,
  clientId: string,
  userId: number | null,
  familyId: string | null,
  lifetime: number,
): Statement {
  return insert(accessTokens, {
    hash: sha256(token),
    id: makeId(author.now),
    client_id: clientId,
    user_id: userId,
    family_id: familyId,
    expires_at: author.now + lifetime * 1000,
    created_at: author.at,
  });
}
