/** Endpoints of OAuth 2.0: bodies as JSON or forms, errors as RFC 6749 has them, nothing kept by caches. */
import type { Hono } from "hono";
import type { Problem } from "../../core/errors.ts";
import type { Json } from "../../core/json.ts";
import { Standings } from "../../core/rate_limits.ts";
import { formatTimestamp } from "../../core/time.ts";
import { type Author, retrying } from "../../db/commit.ts";
import type { Deps } from "../../deps.ts";
import { addressOf } from "../../http/address.ts";
import { originOf, requestIdOf, securityHeaders } from "../../http/headers.ts";
import { asProblem } from "../../http/problems.ts";
import { logRequest } from "../../http/request_log.ts";
import { clientSecretPolicy } from "./attempt_limits.ts";
import type { AuthenticatedClient } from "./clients.ts";
import { OAuthError } from "./oauth_error.ts";

/** What an endpoint is called with. */
export interface OAuthCall extends Author {
  /** Of this service, such as `https://crm.example.org`, for what tells a person where to go. */
  readonly origin: string;
  /** Where the call comes from, as failures are counted by it. */
  readonly address: () => string;
  readonly standings: Standings;
  /** Counts the call for its client, once however often it is run; throws 429 beyond the general limit. */
  readonly countFor: (clientId: string) => void;
}

export interface Outcome {
  /** Null: an empty body. */
  readonly body: Json | null;
  readonly client: AuthenticatedClient;
  readonly userId: number | null;
}

/**
 * Puts `POST` of the path on the app; other methods there are answered with what reaches no endpoint. `read`
 * takes what is asked out of the request, and `run` does it, again when the ground moved under it.
 */
export function oauthEndpoint<Asked>(
  app: Hono,
  deps: Deps,
  path: string,
  read: (request: Request, withinMs: number) => Promise<Asked>,
  run: (call: OAuthCall, asked: Asked) => Promise<Outcome>,
): void {
  const { publicUrl, trustProxy } = deps.config;
  app.post(path, (c) => {
    const request = c.req.raw;
    const standings = new Standings();
    standings.declare([clientSecretPolicy]);
    let counted = false;
    const address = () => addressOf(request, c.env, trustProxy);
    const stranger = () => counted ? null : deps.callLimit?.stranger(address(), deps.clock.now(), standings);
    return answer(deps, path, request, standings, stranger, async () => {
      const asked = await read(request, deps.bodyMs);
      // The moment comes after the body, which can be as slow as its sender likes.
      const now = deps.clock.now();
      const call: OAuthCall = {
        deps,
        now,
        at: formatTimestamp(now),
        origin: originOf(request, publicUrl, trustProxy),
        address,
        standings,
        countFor(clientId) {
          const again = counted;
          counted = true;
          if (!again) deps.callLimit?.take(clientId, now, standings);
        },
      };
      return await retrying(() => run(call, asked));
    });
  });
}

async function answer(
  deps: Deps,
  path: string,
  request: Request,
  standings: Standings,
  stranger: () => Problem | null | undefined,
  run: () => Promise<Outcome>,
): Promise<Response> {
  const started = performance.now();
  const requestId = requestIdOf(request.headers);
  let outcome: Outcome | null = null;
  let refusal: OAuthError | null = null;
  try {
    outcome = await run();
  } catch (error) {
    const thrown = stranger() ?? error;
    refusal = thrown instanceof OAuthError ? thrown : asOAuthError(asProblem(thrown, deps.log, requestId));
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
      ...standings.headers(),
      ...refusal?.headers,
    },
  });
}

function asOAuthError({ status, detail, more }: Problem): OAuthError {
  if (status === 429) return new OAuthError("temporarily_unavailable", detail, status, more.headers);
  if (status < 500) return new OAuthError("invalid_request", detail, status, more.headers);
  const code = status === 503 ? "temporarily_unavailable" : "server_error";
  return new OAuthError(code, detail, status, more.headers);
}
