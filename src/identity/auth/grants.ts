/** The grants that the token endpoint knows: a table, each a row. */
import type { Author } from "../../db/commit.ts";
import type { Json } from "../../core/json.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import type { AuthenticatedClient } from "./clients.ts";
import { authorizationCodeGrant } from "./authorization_code.ts";
import { deviceGrant, standardDeviceGrant } from "./device_grant.ts";
import { clientCredentialsGrant } from "./client_credentials.ts";
import { passwordGrant } from "./password.ts";
import { refreshTokenGrant } from "./refresh_token.ts";
import type { Fields } from "./token_request.ts";

export interface Grant {
  /** Whether only trusted clients may use it. */
  readonly trusted: boolean;
  /** What it reads, in the same round trip as the client; throws `invalid_request` for what is missing. */
  readonly reads: (fields: Fields, now: number) => Statement[];
  /** Answers the body with the tokens, and for whom they are; `results` are those of `reads`. */
  readonly issue: (
    author: GrantAuthor,
    client: AuthenticatedClient,
    fields: Fields,
    results: readonly Result[],
  ) => Promise<Granted>;
}

/** A grant may have to tell where a person goes, and counts failures. */
export interface GrantAuthor extends Author {
  /** Of this service, such as `https://crm.example.org`. */
  readonly origin: string;
  /** Where the call comes from. */
  readonly address: string;
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
