/** Checks authorization requests (`GET /auth/`) and builds their answers. */
import { lifetimes } from "../../core/lifetimes.ts";
import { makeId, makeToken } from "../../core/ids.ts";
import { type Author } from "../../db/commit.ts";
import { insert, sql } from "../../db/statements.ts";
import { sha256 } from "../../platform/crypto.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import { PageRefusal } from "./pages/refusal.ts";
import { composePolicySource, fitsRegistered, isNativeAddress } from "../applications/redirect_address.ts";
import { authorizationCodes } from "./table.ts";

export const authorizePath = "/auth/";

export interface AuthorizationRequest {
  readonly client: {
    readonly client_id: string;
    readonly name: string;
    readonly company_id: number | null;
    readonly company_name: string | null;
    readonly trusted: boolean;
  };
  readonly redirectUri: string;
  readonly state: string | null;
  readonly codeChallenge: string | null;
  /** A fault of the request, which the redirect reports to the application. */
  readonly fault: { readonly error: string; readonly description: string } | null;
}

/** The application that the request names; read with `readAuthorizationRequest`. */
export function selectClient(query: URLSearchParams): Statement {
  return sql`select a.client_id, a.name, a.redirect_uri, a.company_id, c.name as company_name, a.trusted
    from applications a left join companies c on c.id = a.company_id
    where a.client_id = ${(query.get("client_id") ?? "").replaceAll("\0", "")} and c.deleted_at is null`;
}

/**
 * Returns the source of the requested redirect address for the policy of the page. Browsers must allow forms
 * to redirect to it.
 */
export function redirectSource(query: URLSearchParams, { rows: [row] }: Result): string | undefined {
  const address = query.get("redirect_uri");
  return address && row?.redirect_uri && fitsRegistered(address, row.redirect_uri as string)
    ? composePolicySource(address)
    : undefined;
}

/**
 * Reads and checks the request. For a wrong client or redirect address throws a page, because such a request
 * must not be redirected; other faults are in `fault`.
 */
export function readAuthorizationRequest(query: URLSearchParams, found: Result): AuthorizationRequest {
  const row = found.rows[0];
  if (!row || query.getAll("client_id").length !== 1) throw new PageRefusal(400, "unknownClient");
  const redirectUri = query.get("redirect_uri");
  const registered = row.redirect_uri as string | null;
  const fits = redirectUri !== null && registered !== null && fitsRegistered(redirectUri, registered);
  if (!fits || query.getAll("redirect_uri").length !== 1) {
    throw new PageRefusal(400, "wrongRedirect");
  }
  return {
    client: {
      client_id: row.client_id as string,
      name: row.name as string,
      company_id: row.company_id as number | null,
      company_name: row.company_name as string | null,
      trusted: row.trusted === 1,
    },
    redirectUri,
    state: readParameter(query, "state"),
    codeChallenge: readParameter(query, "code_challenge"),
    fault: findFault(query, isNativeAddress(redirectUri)),
  };
}

/** Returns the redirect address with the parameters of the answer to the application. */
export function composeRedirectAddress(
  request: AuthorizationRequest,
  issuer: string,
  answer: Readonly<Record<string, string>>,
): string {
  const parameters = new URLSearchParams(answer);
  if (request.state !== null) parameters.set("state", request.state);
  parameters.set("iss", issuer);
  const { redirectUri } = request;
  return new URL(`${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${parameters}`).href;
}

/** Creates an authorization code. Returns it with the statement that stores its hash. */
export function makeCode(
  author: Author,
  request: AuthorizationRequest,
  userId: number,
): { code: string; statement: Statement } {
  const code = makeToken();
  return {
    code,
    statement: insert(authorizationCodes, {
      hash: sha256(code),
      client_id: request.client.client_id,
      user_id: userId,
      redirect_uri: request.redirectUri,
      code_challenge: request.codeChallenge,
      family_id: makeId(author.now),
      expires_at: author.now + lifetimes.authorizationCode,
      kept_until: author.now + lifetimes.authorizationCodeKept,
      created_at: author.at,
    }),
  };
}

function findFault(query: URLSearchParams, needsChallenge: boolean): AuthorizationRequest["fault"] {
  const invalid = (description: string) => ({ error: "invalid_request", description });
  for (const name of ["response_type", "state", "code_challenge", "code_challenge_method"]) {
    if (query.getAll(name).length > 1) return invalid(`${name} is repeated.`);
  }
  const type = query.get("response_type");
  if (!type) return invalid("response_type is missing.");
  if (type !== "code") {
    return { error: "unsupported_response_type", description: "response_type must be code." };
  }
  const [challenge, method] = [
    readParameter(query, "code_challenge"),
    readParameter(query, "code_challenge_method"),
  ];
  if (challenge === null && method === null && !needsChallenge) return null;
  if (challenge === null) return invalid("code_challenge is missing.");
  if (method !== "S256") return invalid("code_challenge_method must be S256.");
  return /^[\w-]{43}$/.test(challenge) ? null : invalid("code_challenge must be a SHA-256 in base64url.");
}

/** An empty parameter counts as absent: RFC 6749, section 3.1. */
function readParameter(query: URLSearchParams, name: string): string | null {
  return query.get(name) || null;
}
