/** The grants of the token endpoint, by `grant_type`. */
import { authorizationCodeGrant } from "./authorization_code.ts";
import { deviceGrant, standardDeviceGrant } from "./device_grant.ts";
import { clientCredentialsGrant } from "./client_credentials.ts";
import type { Grant } from "./grant.ts";
import { passwordGrant } from "./password.ts";
import { refreshTokenGrant } from "./refresh_token.ts";

export const grants: ReadonlyMap<string, Grant> = new Map([
  ["device_code", deviceGrant],
  ["urn:ietf:params:oauth:grant-type:device_code", standardDeviceGrant],
  ["authorization_code", authorizationCodeGrant],
  ["client_credentials", clientCredentialsGrant],
  ["password", passwordGrant],
  ["refresh_token", refreshTokenGrant],
]);
