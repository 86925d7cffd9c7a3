/** `POST /auth/token`: RFC 6749, so that a standard OAuth client works as it is. */
import type { Hono } from "hono";
import { formatTimestamp } from "../../core/time.ts";
import { retrying } from "../../db/commit.ts";
import type { Deps } from "../../deps.ts";
import { originOf } from "../../http/headers.ts";
import { authenticated, clientsBy } from "./clients.ts";
import { grants } from "./grants.ts";
import { oauthEndpoint, type Outcome } from "./oauth_endpoint.ts";
import { OAuthError } from "./oauth_error.ts";
import { readTokenRequest } from "./token_request.ts";

export { tokenOperation } from "./token_operation.ts";

export function tokenEndpoint(app: Hono, deps: Deps): void {
  oauthEndpoint(app, deps, "/auth/token", (request, address) => grant(deps, request, address));
}

async function grant(deps: Deps, request: Request, address: string): Promise<Outcome> {
  const { grantType, fields, credentials } = await readTokenRequest(request);
  const asked = grants.get(grantType);
  if (!asked) {
    const description = `This is not one of ${[...grants.keys()].join(", ")}.`;
    throw new OAuthError("unsupported_grant_type", description);
  }
  const now = deps.clock.now();
  const reads = [clientsBy(credentials), ...asked.reads(fields, now)];
  const origin = originOf(request, deps.config.publicUrl, deps.config.trustProxy);
  const author = { deps, now, at: formatTimestamp(now), origin, address };
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
