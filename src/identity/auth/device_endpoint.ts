/** `POST /auth/device_authorization`: RFC 8628, section 3.1. */
import type { Hono } from "hono";
import { z } from "zod";
import type { Deps } from "../../deps.ts";
import { addRateLimits, type Described } from "../../http/openapi_operation.ts";
import { identify } from "./clients.ts";
import { authorizeDevice } from "./device_grant.ts";
import { mountOAuthEndpoint } from "./oauth_endpoint.ts";
import { OAuthError } from "./oauth_error.ts";
import { clientRefusals, describeRefusal } from "./token_operation.ts";
import { clientRequest } from "./token_request.ts";

export const deviceAuthorizationPath = "/auth/device_authorization";

export function mountDeviceEndpoint(app: Hono, deps: Deps): void {
  mountOAuthEndpoint(app, deps, deviceAuthorizationPath, clientRequest(), async (called, { credentials }) => {
    const { client, call } = await identify(called, credentials, []);
    if (!client.trusted) {
      throw new OAuthError("unauthorized_client", "A trusted client is required for this grant.");
    }
    return { body: await authorizeDevice(call, client), client, userId: null };
  });
}

const DeviceAuthorizationRequest = z.object({
  client_id: z.string().optional().meta({ description: "Unless sent by HTTP Basic." }),
  client_secret: z.string().optional().meta({ description: "Unless sent by HTTP Basic." }),
}).meta({
  id: "DeviceAuthorizationRequest",
  example: { client_id: "my-client", client_secret: "my-secret" },
});

const DeviceAuthorization = z.object({
  device_code: z.string(),
  user_code: z.string(),
  verification_uri: z.string(),
  verification_uri_complete: z.string(),
  expires_in: z.int().meta({ description: "Seconds." }),
  interval: z.int().meta({ description: "Seconds between two polls." }),
}).meta({
  id: "DeviceAuthorization",
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
export const deviceOperation: Described = addRateLimits({
  method: "post",
  path: deviceAuthorizationPath,
  operationId: "authorizeDevice",
  tags: ["Authentication"],
  summary: "Start the device flow",
  description: "RFC 8628. Requires a trusted client.",
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
    400: describeRefusal("`invalid_request`, or `unauthorized_client` for a client that is not trusted."),
    ...clientRefusals,
  },
});
