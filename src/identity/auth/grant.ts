/** What each grant of the token endpoint does. */
import type { Result, Statement } from "../../platform/database/database.ts";
import type { AuthenticatedClient } from "./clients.ts";
import type { OAuthCall } from "./oauth_call.ts";
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
  readonly body: object;
  readonly userId: number | null;
}
