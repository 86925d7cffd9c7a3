/** Endpoints of OAuth 2.0: bodies as JSON or forms, errors in the form of RFC 6749, and no caching. */
import type { Context as HonoContext, Hono } from "hono";
import type { Problem } from "../../core/errors.ts";
import { formatTimestamp } from "../../core/time.ts";
import { retrying } from "../../db/commit.ts";
import type { Deps } from "../../deps.ts";
import { findCallerAddress } from "../../http/address.ts";
import { securityHeaders } from "../../http/headers.ts";
import { asProblem } from "../../http/problems.ts";
import { findOrigin, readQueryValues } from "../../http/request.ts";
import { handler, type IgnoredHeader, noteIgnored } from "../../http/steps/step.ts";
import { clientSecretPolicy } from "../attempts/limits.ts";
import type { AuthenticatedClient } from "./clients.ts";
import type { OAuthCall } from "./oauth_call.ts";
import { OAuthError } from "./oauth_error.ts";
import { readFields, type Reading } from "./token_request.ts";

declare module "hono" {
  interface ContextVariableMap {
    /** Whether the call has already been counted for its client. */
    counted: boolean | undefined;
  }
}

export interface Outcome {
  /** Null: an empty body. */
  readonly body: object | null;
  readonly client: AuthenticatedClient;
  readonly userId: number | null;
}

/**
 * Adds `POST` of the path to the app. `reading` reads and checks the form or JSON of the request. `run` does
 * the work, and runs again when records have changed since it read them.
 */
export function mountOAuthEndpoint<Asked>(
  app: Hono,
  deps: Deps,
  path: string,
  { read, names, parameters }: Reading<Asked>,
  run: (call: OAuthCall, asked: Asked) => Promise<Outcome>,
): void {
  app.post(
    path,
    handler(deps, {
      path,
      limits: [clientSecretPolicy],
      steps: [],
      async respond(c) {
        const request = c.req.raw;
        noteUnread(c, "Ignored-Parameters", parameters, Object.keys(readQueryValues(request.url)));
        const fields = await readFields(
          request,
          deps.bodyMs,
          (sent) => noteUnread(c, "Ignored-Members", names, sent),
        );
        const asked = read(request, fields);
        const call = makeCall(c, deps);
        return respond(c, await retrying(() => run(call, asked)));
      },
      refuse: (c, error) => respondError(c, chooseError(c, deps, error)),
    }),
  );
}

/** Notes the names that nothing reads. */
function noteUnread(
  c: HonoContext,
  header: IgnoredHeader,
  read: readonly string[],
  sent: readonly string[],
): void {
  noteIgnored(c, header, [...new Set(sent)].filter((name) => !read.includes(name)));
}

/** Builds the call after its body has been read, so that `now` is right even if the body arrives slowly. */
function makeCall(c: HonoContext, deps: Deps): OAuthCall {
  const { publicUrl, trustProxy } = deps.config;
  const request = c.req.raw;
  const now = deps.clock.now();
  const states = c.get("limitStates");
  return {
    deps,
    now,
    at: formatTimestamp(now),
    origin: findOrigin(request, publicUrl, trustProxy),
    address: () => findCallerAddress(request, c.env, trustProxy),
    limitStates: states,
    countFor(clientId) {
      const again = c.get("counted");
      c.set("counted", true);
      if (!again) deps.callLimit?.take(clientId, now, states);
    },
  };
}

function respond(c: HonoContext, { body, client, userId }: Outcome): Response {
  c.set("actor", { companyId: client.company_id, userId });
  if (body === null) return new Response(null, { headers: makeHeaders(c) });
  return new Response(JSON.stringify(body), {
    headers: { "Content-Type": "application/json; charset=utf-8", ...makeHeaders(c) },
  });
}

function respondError(c: HonoContext, { status, code, description, headers }: OAuthError): Response {
  return new Response(JSON.stringify({ error: code, error_description: description }), {
    status,
    headers: { "Content-Type": "application/json; charset=utf-8", ...makeHeaders(c), ...headers },
  });
}

function makeHeaders(c: HonoContext): Record<string, string> {
  const kept = { "Cache-Control": "no-store", Pragma: "no-cache" };
  return { ...securityHeaders, ...kept, "X-Request-Id": c.get("requestId") };
}

/** Returns the error to answer with. A call that was not counted for a client counts for its address. */
function chooseError(c: HonoContext, deps: Deps, error: unknown): OAuthError {
  const address = findCallerAddress(c.req.raw, c.env, deps.config.trustProxy);
  const stranger = c.get("counted")
    ? null
    : deps.callLimit?.stranger(address, deps.clock.now(), c.get("limitStates"));
  const thrown = stranger ?? error;
  return thrown instanceof OAuthError
    ? thrown
    : asOAuthError(asProblem(thrown, deps.log, c.get("requestId")));
}

function asOAuthError({ status, detail, more }: Problem): OAuthError {
  if (status === 429) return new OAuthError("temporarily_unavailable", detail, status, more.headers);
  if (status < 500) return new OAuthError("invalid_request", detail, status, more.headers);
  const code = status === 503 ? "temporarily_unavailable" : "server_error";
  return new OAuthError(code, detail, status, more.headers);
}
