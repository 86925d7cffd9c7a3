/** Which client is calling, by its secret. */
import { statement } from "../../db/statements.ts";
import { sha256, timingSafeEqualText } from "../../platform/crypto.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import { invalidClient } from "./oauth_error.ts";
import type { ClientCredentials } from "./token_request.ts";

export interface AuthenticatedClient {
  readonly client_id: string;
  /** Null for a client that belongs to no company. */
  readonly company_id: number | null;
  /** Who made it: for whom the client acts by itself. Null when nobody, or when that user is gone. */
  readonly user_id: number | null;
  readonly trusted: boolean;
}

/** The applications by these ids, unless their company is deleted; read with `authenticated`. */
export function clientsBy(credentials: readonly ClientCredentials[]): Statement {
  return statement(
    "select a.client_id, a.company_id, u.id as user_id, a.trusted, a.secret_hash, a.previous_secret_hash, " +
      "a.previous_secret_until from applications a left join companies c on c.id = a.company_id " +
      "left join users u on u.id = a.user_id and u.deleted_at is null " +
      "where a.client_id in (select value from json_each(?)) and c.deleted_at is null",
    JSON.stringify(credentials.map(({ id }) => id)),
  );
}

/** Throws `invalid_client` unless one of the secrets fits. After a rotation the one before serves on. */
export function authenticated(
  result: Result,
  credentials: readonly ClientCredentials[],
  now: number,
): AuthenticatedClient {
  for (const { id, secret } of credentials) {
    const hash = sha256(secret);
    const row = result.rows.find((row) => row.client_id === id);
    // Somebody unknown is compared too, so that the time taken does not tell.
    const fits = timingSafeEqualText(hash, (row?.secret_hash ?? "") as string);
    const before = row && typeof row.previous_secret_hash === "string" &&
      Number(row.previous_secret_until) > now &&
      timingSafeEqualText(hash, row.previous_secret_hash);
    if (row && (fits || before)) {
      return {
        client_id: id,
        company_id: row.company_id as number | null,
        user_id: row.user_id as number | null,
        trusted: row.trusted === 1,
      };
    }
  }
  throw invalidClient();
}
