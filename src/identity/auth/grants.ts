/** The grants of the token endpoint, by `grant_type`. */
import type { Json } from "../../core/json.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import type { AuthenticatedClient } from "./clients.ts";
import { authorizationCodeGrant } from "./authorization_code.ts";
import { deviceGrant, standardDeviceGrant } from "./device_grant.ts";
import { clientCredentialsGrant } from "./client_credentials.ts";
import type { OAuthCall } from "./oauth_endpoint.ts";
import { passwordGrant } from "./password.ts";
import { refreshTokenGrant } from "./refresh_token.ts";
import type { Fields } from "./token_request.ts";

export interface Grant {
  /** Whether only trusted clients may use it. */
  readonly trusted: boolean;
  /** Returns reads for the round trip that reads the client. Throws `invalid_request` for missing fields. */
  readonly reads: (call: OAuthCall, fields: Fields) => Statement[];
  /** Returns the tokens and their user. `results` are those of `reads`. */
  readonly issue: (
    call: OAuthCall,
    client: AuthenticatedClient,
    fields: Fields,
    results: readonly Result[],
  ) => Promise<Granted>;
}

export interface Granted {
  readonly body: Json;
  readonly userId: number | null;
}

export const grants: ReadonlyMap<string, Grant> = new Map([
  ["device_code", deviceGrant],
  ["urn:ietf:params:oauth:grant-type:device_code", standardDeviceGrant],
  ["authorization_code", authorizationCodeGrant],
  ["client_credentials", clientCredentialsGrant],
  ["password", passwordGrant],
  ["refresh_token", refreshTokenGrant],
]);
