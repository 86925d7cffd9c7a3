/** `POST /auth/token`: RFC 6749, for standard OAuth clients. */
import type { Hono } from "hono";
import type { Deps } from "../../deps.ts";
import { identify } from "./clients.ts";
import { grants } from "./grants.ts";
import type { OAuthCall } from "./oauth_call.ts";
import { mountOAuthEndpoint, type Outcome } from "./oauth_endpoint.ts";
import { OAuthError } from "./oauth_error.ts";
import { type TokenRequest, tokenRequest } from "./token_request.ts";

export { tokenOperation } from "./token_operation.ts";

export function mountTokenEndpoint(app: Hono, deps: Deps): void {
  mountOAuthEndpoint(app, deps, "/auth/token", tokenRequest, grant);
}

async function grant(called: OAuthCall, { grantType, fields, credentials }: TokenRequest): Promise<Outcome> {
  const asked = grants.get(grantType);
  if (!asked) {
    const description = `grant_type must be one of ${[...grants.keys()].join(", ")}.`;
    throw new OAuthError("unsupported_grant_type", description);
  }
  const { client, results, call } = await identify(called, credentials, asked.reads(called, fields));
  if (asked.trusted && !client.trusted) {
    throw new OAuthError("unauthorized_client", "A trusted client is required for this grant.");
  }
  const { body, userId } = await asked.issue(call, client, fields, results);
  return { body, client, userId };
}
