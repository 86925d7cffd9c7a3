/** The headers of pages. */
import { securityHeaders } from "../http/headers.ts";

const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
  "connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Nothing runs or loads in a frame, and it belongs to no origin. */
const framedPolicy =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'";

/** Returns the headers of stored HTML in a frame of a page. */
export function composeFramedHeaders(requestId: string): Record<string, string> {
  const { "X-Frame-Options": _, ...headers } = composePageHeaders(requestId);
  return { ...headers, "Content-Security-Policy": framedPolicy };
}

export function composePageHeaders(requestId: string): Record<string, string> {
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
