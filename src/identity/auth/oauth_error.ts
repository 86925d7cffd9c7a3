/** Error answers of the OAuth endpoints: RFC 6749, section 5.2. */

export type OAuthErrorCode =
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "unauthorized_client"
  | "unsupported_grant_type"
  | "authorization_pending"
  | "slow_down"
  | "expired_token"
  | "access_denied"
  | "server_error"
  | "temporarily_unavailable";

export class OAuthError extends Error {
  readonly description: string;

  constructor(
    readonly code: OAuthErrorCode,
    description: string,
    readonly status = 400,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(`${code}: ${description}`);
    this.description = description.replace(notPrintable, "?");
  }
}

/** Characters that RFC 6749 forbids in descriptions, which may contain what a client sent. */
const notPrintable = /[^\x20\x21\x23-\x5b\x5d-\x7e]/g;

export function invalidRequest(description: string, status = 400): OAuthError {
  return new OAuthError("invalid_request", description, status);
}

export function invalidGrant(description: string): OAuthError {
  return new OAuthError("invalid_grant", description);
}

export function invalidClient(): OAuthError {
  return new OAuthError("invalid_client", "The client is unknown, or its secret is wrong.", 401, {
    "WWW-Authenticate": 'Basic realm="Wayline CRM"',
  });
}
