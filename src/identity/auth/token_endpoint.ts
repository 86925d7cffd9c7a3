/** `POST /auth/token`: RFC 6749, so that a standard OAuth client works as it is. */
import type { Hono } from "hono";
import type { Problem } from "../../core/errors.ts";
import type { Json } from "../../core/json.ts";
import { formatTimestamp } from "../../core/time.ts";
import { retrying } from "../../db/commit.ts";
import type { Deps } from "../../deps.ts";
import { requestIdOf, securityHeaders } from "../../http/headers.ts";
import { asProblem } from "../../http/problems.ts";
import { logRequest } from "../../http/request_log.ts";
import { authenticated, type AuthenticatedClient, clientsBy } from "./clients.ts";
import { grants } from "./grants.ts";
import { invalidRequest, OAuthError } from "./oauth_error.ts";
import { readTokenRequest } from "./token_request.ts";

export { tokenOperation } from "./token_operation.ts";

const path = "/auth/token";

/** Puts the token endpoint on the app; other methods at its path are answered with what reaches no endpoint. */
export function tokenEndpoint(app: Hono, deps: Deps): void {
  app.post(path, (c) => answer(deps, c.req.raw, () => grant(deps, c.req.raw)));
}

interface Outcome {
  readonly body: Json;
  readonly client: AuthenticatedClient;
  readonly userId: number | null;
}

async function grant(deps: Deps, request: Request): Promise<Outcome> {
  const { grantType, fields, credentials } = await readTokenRequest(request);
  const asked = grants.get(grantType);
  if (!asked) {
    const description = `This is not one of ${[...grants.keys()].join(", ")}.`;
    throw new OAuthError("unsupported_grant_type", description);
  }
  const reads = [clientsBy(credentials), ...asked.reads(fields)];
  const now = deps.clock.now();
  const author = { deps, now, at: formatTimestamp(now) };
  return await retrying(async () => {
    const [found, ...results] = await deps.db.read(reads);
    const client = authenticated(found!, credentials, now);
    if (asked.trusted && !client.trusted) {
      throw new OAuthError("unauthorized_client", "A trusted client is required for this grant.");
    }
    const { body, userId } = await asked.issue(author, client, fields, results);
    return { body, client, userId };
  });
}

async function answer(deps: Deps, request: Request, run: () => Promise<Outcome>): Promise<Response> {
  const started = performance.now();
  const requestId = requestIdOf(request.headers);
  let outcome: Outcome | null = null;
  let refusal: OAuthError | null = null;
  try {
    outcome = await run();
  } catch (error) {
    refusal = error instanceof OAuthError ? error : asOAuthError(asProblem(error, deps.log, requestId));
  }
  const status = refusal?.status ?? 200;
  const body = outcome?.body.text ??
    JSON.stringify({ error: refusal?.code, error_description: refusal?.description });
  logRequest(deps.log, {
    method: request.method,
    route: path,
    status,
    requestId,
    duration: performance.now() - started,
    companyId: outcome?.client.company_id ?? null,
    userId: outcome?.userId ?? null,
  });
  return new Response(body, {
    status,
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      ...securityHeaders,
      "Cache-Control": "no-store",
      Pragma: "no-cache",
      "X-Request-Id": requestId,
      ...refusal?.headers,
    },
  });
}

function asOAuthError({ status, detail, more }: Problem): OAuthError {
  if (status < 500) return invalidRequest(detail, status);
  const code = status === 503 ? "temporarily_unavailable" : "server_error";
  return new OAuthError(code, detail, status, more.headers);
}
