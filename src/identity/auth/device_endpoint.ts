/** `POST /auth/device_authorization`: RFC 8628, section 3.1. */
import type { Hono } from "hono";
import { z } from "@hono/zod-openapi";
import { formatTimestamp } from "../../core/time.ts";
import { retrying } from "../../db/commit.ts";
import type { Deps } from "../../deps.ts";
import { originOf } from "../../http/headers.ts";
import type { Described } from "../../http/openapi.ts";
import { authenticated, clientsBy } from "./clients.ts";
import { authorizeDevice } from "./device_grant.ts";
import { oauthEndpoint } from "./oauth_endpoint.ts";
import { OAuthError } from "./oauth_error.ts";
import { refused } from "./token_operation.ts";
import { readClientRequest } from "./token_request.ts";

export const deviceAuthorizationPath = "/auth/device_authorization";

export function deviceEndpoint(app: Hono, deps: Deps): void {
  oauthEndpoint(app, deps, deviceAuthorizationPath, async (request, address) => {
    const { credentials } = await readClientRequest(request);
    const now = deps.clock.now();
    const origin = originOf(request, deps.config.publicUrl, deps.config.trustProxy);
    const author = { deps, now, at: formatTimestamp(now), origin, address };
    return await retrying(async () => {
      const [found] = await deps.db.read([clientsBy(credentials)]);
      const client = authenticated(found!, credentials, now);
      if (!client.trusted) {
        throw new OAuthError("unauthorized_client", "A trusted client is required for this grant.");
      }
      return { body: await authorizeDevice(author, client), client, userId: null };
    });
  });
}

const DeviceAuthorizationRequest = z.object({
  client_id: z.string().optional().openapi({ description: "Unless sent by HTTP Basic." }),
  client_secret: z.string().optional().openapi({ description: "Unless sent by HTTP Basic." }),
}).openapi("DeviceAuthorizationRequest", { example: { client_id: "my-client", client_secret: "my-secret" } });

const DeviceAuthorization = z.object({
  device_code: z.string(),
  user_code: z.string(),
  verification_uri: z.string(),
  verification_uri_complete: z.string(),
  expires_in: z.int().openapi({ description: "Seconds." }),
  interval: z.int().openapi({ description: "Seconds between two polls." }),
}).openapi("DeviceAuthorization", {
  example: {
    device_code: "Yk3v0m2ZC3vE1xk6mJXl0Yw4o8i1cYkq0m0b5n2h7sQ",
    user_code: "73914520",
    verification_uri: "https://crm.example.org/auth/device",
    verification_uri_complete: "https://crm.example.org/auth/device?user_code=73914520",
    expires_in: 600,
    interval: 5,
  },
});

/** For the OpenAPI document. */
export const deviceOperation: Described = {
  method: "post",
  path: deviceAuthorizationPath,
  operationId: "authorizeDevice",
  tags: ["Service"],
  summary: "Begin to connect a device",
  description: "RFC 8628. Needs a trusted client.",
  security: [],
  request: {
    body: {
      required: false,
      content: {
        "application/x-www-form-urlencoded": { schema: DeviceAuthorizationRequest },
        "application/json": { schema: DeviceAuthorizationRequest },
      },
    },
  },
  responses: {
    200: { description: "The codes.", content: { "application/json": { schema: DeviceAuthorization } } },
    400: refused("`invalid_request`, or `unauthorized_client` for one that is not trusted."),
    401: refused("`invalid_client`: the client is unknown, or its secret is wrong."),
    413: refused("The body is larger than 1 MiB."),
    415: refused("The body is neither JSON nor a form."),
    500: refused("A fault of ours."),
    503: refused("The database did not answer; try again."),
  },
};
