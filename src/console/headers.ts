/** The headers of pages. */
import { securityHeaders } from "../http/headers.ts";

const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
  "connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

export function pageHeaders(requestId: string): Record<string, string> {
  return {
    ...securityHeaders,
    "Content-Security-Policy": policy,
    // With `no-referrer`, browsers send `Origin: null` with forms.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
    "X-Request-Id": requestId,
  };
}
