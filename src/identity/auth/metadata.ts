/** `GET /.well-known/oauth-authorization-server`: RFC 8414, for clients that configure themselves. */
import type { Hono } from "hono";
import { z } from "zod";
import type { Deps } from "../../deps.ts";
import { serveRaw } from "../../http/raw_routes.ts";
import type { Described } from "../../http/openapi_operation.ts";
import { findOrigin } from "../../http/request.ts";
import { authorizePath } from "./authorize.ts";
import { deviceAuthorizationPath } from "./device_endpoint.ts";
import { grants } from "./grants.ts";
import { revocationPath } from "./revocation.ts";

const path = "/.well-known/oauth-authorization-server";
const clientMethods = ["client_secret_basic", "client_secret_post"];

export function mountMetadataEndpoint(app: Hono, deps: Deps): void {
  serveRaw(app, deps, path, (c) => ({
    type: "application/json; charset=utf-8",
    text: JSON.stringify(
      composeMetadata(findOrigin(c.req.raw, deps.config.publicUrl, deps.config.trustProxy)),
    ),
    headers: { "Access-Control-Allow-Origin": "*" },
  }));
}

function composeMetadata(origin: string) {
  return {
    issuer: origin,
    device_authorization_endpoint: origin + deviceAuthorizationPath,
    authorization_endpoint: origin + authorizePath,
    token_endpoint: `${origin}/auth/token`,
    revocation_endpoint: origin + revocationPath,
    response_types_supported: ["code"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    grant_types_supported: [...grants.keys()],
    token_endpoint_auth_methods_supported: clientMethods,
    revocation_endpoint_auth_methods_supported: clientMethods,
    service_documentation: `${origin}/docs`,
  };
}

const Metadata = z.object({
  issuer: z.string(),
  device_authorization_endpoint: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  revocation_endpoint: z.string(),
  response_types_supported: z.array(z.string()),
  code_challenge_methods_supported: z.array(z.string()),
  authorization_response_iss_parameter_supported: z.boolean(),
  grant_types_supported: z.array(z.string()),
  token_endpoint_auth_methods_supported: z.array(z.string()),
  revocation_endpoint_auth_methods_supported: z.array(z.string()),
  service_documentation: z.string(),
}).meta({ id: "AuthorizationServer", example: composeMetadata("https://crm.example.org") });

/** For the OpenAPI document. */
export const metadataOperation: Described = {
  method: "get",
  path,
  operationId: "getAuthorizationServer",
  tags: ["Authentication"],
  summary: "Get the metadata of the authorization server",
  description: "RFC 8414.",
  security: [],
  responses: {
    200: { description: "Its metadata.", content: { "application/json": { schema: Metadata } } },
  },
};
