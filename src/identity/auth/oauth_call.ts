/** A call of an endpoint of OAuth 2.0. */
import type { LimitStates } from "../../core/rate_limits.ts";
import type { Author } from "../../db/author.ts";

export interface OAuthCall extends Author {
  /** The origin of this service, such as `https://crm.example.org`, for links that people open. */
  readonly origin: string;
  /** The network address of the caller; failures count by it. */
  readonly address: () => string;
  readonly limitStates: LimitStates;
  /** Counts the call for its client, once even if it is retried. Throws 429 beyond the general limit. */
  readonly countFor: (clientId: string) => void;
}
