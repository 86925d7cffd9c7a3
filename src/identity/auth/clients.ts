/** Authenticates clients by their secret. */
import { isStillAhead } from "../../core/clocks.ts";
import { lifetimes } from "../../core/lifetimes.ts";
import { isAhead } from "../../db/moments.ts";
import { sql } from "../../db/statements.ts";
import { sha256, timingSafeEqualText } from "../../platform/crypto.ts";
import { guardThat, type Result, type Statement } from "../../platform/database/database.ts";
import { makeClientSecretLimit } from "../attempts/limits.ts";
import { Attempts, selectAttempts } from "../attempts/attempts.ts";
import type { OAuthCall } from "./oauth_call.ts";
import { invalidClient } from "./oauth_error.ts";
import type { ClientCredentials } from "./token_request.ts";

export interface AuthenticatedClient {
  readonly client_id: string;
  /** Null for a client that belongs to no company. */
  readonly company_id: number | null;
  /** The user that the client acts for; null when it acts for none, or the user is deleted. */
  readonly user_id: number | null;
  readonly trusted: boolean;
}

export interface Identified {
  readonly client: AuthenticatedClient;
  /** The results of `reads`. */
  readonly results: readonly Result[];
  /** The call with guards: its commits fail after too many wrong secrets, or when the secret has ended. */
  readonly call: OAuthCall;
}

/**
 * Authenticates the client, in one round trip with `reads`. Throws `invalid_client` unless a secret matches,
 * and 429 after too many wrong ones.
 */
export async function identify(
  call: OAuthCall,
  credentials: readonly ClientCredentials[],
  reads: readonly Statement[],
): Promise<Identified> {
  const { deps, now, address } = call;
  const makeLimit = (id: string | null) => makeClientSecretLimit(id, address());
  const possible = [...credentials.map(({ id }) => makeLimit(id)), makeLimit(null)];
  const [clients, failed, ...results] = await deps.db.read([
    selectClients(credentials),
    selectAttempts(call, possible),
    ...reads,
  ]);
  const ids = clients!.rows.map((row) => makeLimit(row.client_id as string));
  const attempts = new Attempts(call, ids.length > 0 ? ids : [makeLimit(null)]);
  attempts.check(failed!);
  const found = findAuthenticated(clients!, credentials, now);
  if (!found) {
    await attempts.countFailure();
    throw invalidClient();
  }
  const { client, secretHash } = found;
  call.countFor(client.client_id);
  const guards = [attempts.guard, guardClient(client.client_id, secretHash, now)];
  return { client, results, call: { ...call, guards } };
}

/** The applications by these ids, unless their company is deleted. */
function selectClients(credentials: readonly ClientCredentials[]): Statement {
  return sql`select a.client_id, a.company_id, u.id as user_id, a.trusted, a.secret_hash,
    a.previous_secret_hash,
    a.previous_secret_until from applications a left join companies c on c.id = a.company_id
    left join users u on u.id = a.user_id and u.deleted_at is null
    where a.client_id in (select value from json_each(${JSON.stringify(credentials.map(({ id }) => id))}))
    and c.deleted_at is null`;
}

/** Refuses the batch when the client or its company is deleted, or the secret no longer works. */
function guardClient(id: string, secretHash: string, now: number): Statement {
  return guardThat(
    "client",
    sql`exists (select 1 from applications a left join companies c on c.id = a.company_id
      where a.client_id = ${id} and c.deleted_at is null and (a.secret_hash = ${secretHash}
      or (a.previous_secret_hash = ${secretHash}
      and ${isAhead(sql`a.previous_secret_until`, now, lifetimes.replacedSecret)})))`,
  );
}

/** Returns the client whose secret matches, or null. A previous secret matches for a day after a rotation. */
function findAuthenticated(
  result: Result,
  credentials: readonly ClientCredentials[],
  now: number,
): { client: AuthenticatedClient; secretHash: string } | null {
  for (const { id, secret } of credentials) {
    const hash = sha256(secret);
    const row = result.rows.find((row) => row.client_id === id);
    // Compares for unknown clients too, so that the time does not reveal whether a client exists.
    const fits = timingSafeEqualText(hash, (row?.secret_hash ?? "") as string);
    const before = row && typeof row.previous_secret_hash === "string" &&
      isStillAhead(Number(row.previous_secret_until), now, lifetimes.replacedSecret) &&
      timingSafeEqualText(hash, row.previous_secret_hash);
    if (row && (fits || before)) {
      return {
        client: {
          client_id: id,
          company_id: row.company_id as number | null,
          user_id: row.user_id as number | null,
          trusted: row.trusted === 1,
        },
        secretHash: hash,
      };
    }
  }
  return null;
}
