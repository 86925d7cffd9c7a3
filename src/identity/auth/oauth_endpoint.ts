/** Endpoints of OAuth 2.0: bodies as JSON or forms, errors as RFC 6749 has them, nothing kept by caches. */
import type { Hono } from "hono";
import type { Problem } from "../../core/errors.ts";
import type { Json } from "../../core/json.ts";
import type { Deps } from "../../deps.ts";
import { addressOf } from "../../http/address.ts";
import { requestIdOf, securityHeaders } from "../../http/headers.ts";
import { asProblem } from "../../http/problems.ts";
import { logRequest } from "../../http/request_log.ts";
import type { AuthenticatedClient } from "./clients.ts";
import { OAuthError } from "./oauth_error.ts";

export interface Outcome {
  /** Null: an empty body. */
  readonly body: Json | null;
  readonly client: AuthenticatedClient;
  readonly userId: number | null;
}

/**
 * Puts `POST` of the path on the app; other methods there are answered with what reaches no endpoint. `run` is
 * told where the call comes from.
 */
export function oauthEndpoint(
  app: Hono,
  deps: Deps,
  path: string,
  run: (request: Request, address: string) => Promise<Outcome>,
): void {
  app.post(path, (c) => {
    const request = c.req.raw;
    const address = addressOf(request, c.env, deps.config.trustProxy);
    return answer(deps, path, request, () => run(request, address));
  });
}

async function answer(
  deps: Deps,
  path: string,
  request: Request,
  run: () => Promise<Outcome>,
): Promise<Response> {
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
  const body = refusal
    ? JSON.stringify({ error: refusal.code, error_description: refusal.description })
    : outcome?.body?.text ?? null;
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
      ...(body === null ? {} : { "Content-Type": "application/json; charset=utf-8" }),
      ...securityHeaders,
      "Cache-Control": "no-store",
      Pragma: "no-cache",
      "X-Request-Id": requestId,
      ...refusal?.headers,
    },
  });
}

function asOAuthError({ status, detail, more }: Problem): OAuthError {
  if (status < 500) return new OAuthError("invalid_request", detail, status, more.headers);
  const code = status === 503 ? "temporarily_unavailable" : "server_error";
  return new OAuthError(code, detail, status, more.headers);
}
