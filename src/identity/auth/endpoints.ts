/** The OAuth 2.0 endpoints and pages, which are outside of `/v1`. */
import type { Hono } from "hono";
import type { Deps } from "../../deps.ts";
import type { Described } from "../../http/openapi_operation.ts";
import { metadataOperation, mountMetadataEndpoint } from "./metadata.ts";
import { deviceOperation, mountDeviceEndpoint } from "./device_endpoint.ts";
import { mountDevicePages } from "./pages/device.tsx";
import { mountInvitationPages } from "./pages/invitation.tsx";
import { resetPages } from "./pages/reset.tsx";
import { mountAuthPages } from "./pages/routes.tsx";
import { mountSsoPages } from "./pages/sso.tsx";
import { pageOperations } from "./pages/operations.ts";
import { mountRevocationEndpoint, revocationOperation } from "./revocation.ts";
import { mountTokenEndpoint, tokenOperation } from "./token_endpoint.ts";

export function mountAuthEndpoints(app: Hono, deps: Deps): void {
  mountTokenEndpoint(app, deps);
  mountRevocationEndpoint(app, deps);
  mountMetadataEndpoint(app, deps);
  mountAuthPages(app, deps);
  mountDeviceEndpoint(app, deps);
  mountDevicePages(app, deps);
  resetPages(app, deps);
  mountInvitationPages(app, deps);
  mountSsoPages(app, deps);
}

/** For the OpenAPI document. */
export const authOperations: readonly Described[] = [
  tokenOperation,
  revocationOperation,
  metadataOperation,
  deviceOperation,
  ...pageOperations,
];
