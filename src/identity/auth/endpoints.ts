/** The OAuth 2.0 endpoints and pages, which are outside of `/v1`. */
import type { Hono } from "hono";
import type { Deps } from "../../deps.ts";
import type { Described } from "../../http/openapi_operation.ts";
import { metadataEndpoint, metadataOperation } from "./metadata.ts";
import { deviceEndpoint, deviceOperation } from "./device_endpoint.ts";
import { devicePages } from "./pages/device.tsx";
import { invitationPages } from "./pages/invitation.tsx";
import { resetPages } from "./pages/reset.tsx";
import { authPages } from "./pages/routes.tsx";
import { ssoPages } from "./pages/sso.tsx";
import { pageOperations } from "./pages/operations.ts";
import { revocationEndpoint, revocationOperation } from "./revocation.ts";
import { tokenEndpoint, tokenOperation } from "./token_endpoint.ts";

export function authEndpoints(app: Hono, deps: Deps): void {
  tokenEndpoint(app, deps);
  revocationEndpoint(app, deps);
  metadataEndpoint(app, deps);
  authPages(app, deps);
  deviceEndpoint(app, deps);
  devicePages(app, deps);
  resetPages(app, deps);
  invitationPages(app, deps);
  ssoPages(app, deps);
}

/** For the OpenAPI document. */
export const authOperations: readonly Described[] = [
  tokenOperation,
  revocationOperation,
  metadataOperation,
  deviceOperation,
  ...pageOperations,
];
