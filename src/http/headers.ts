/** Headers of responses: common ones, CORS, and deprecation. */
import type { Deprecation, Endpoint } from "./endpoint.ts";
import { extractPath, extractQuery } from "./request.ts";

export const securityHeaders: Readonly<Record<string, string>> = {
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Strict-Transport-Security": "max-age=31536000",
  "Cross-Origin-Resource-Policy": "cross-origin",
};

export const exposedHeaders =
  "ETag, Accept-Ranges, Content-Disposition, Content-Range, X-Request-Id, Idempotent-Replayed, Ignored-Members, Ignored-Parameters, Retry-After, RateLimit, RateLimit-Policy, Deprecation, Sunset, Link, Location, WWW-Authenticate";

/** For paths that take bearer tokens and no cookies, so that any page may call them. */
export const corsHeaders: Readonly<Record<string, string>> = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": exposedHeaders,
};

export const preflightHeaders: Readonly<Record<string, string>> = {
  ...corsHeaders,
  "Access-Control-Allow-Methods": "GET, HEAD, POST, PUT, DELETE",
  "Access-Control-Allow-Headers":
    "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, If-Range, Range, X-Request-Id",
  "Access-Control-Max-Age": "86400",
};

/**
 * Returns `Deprecation`, `Sunset` and `Link` (RFC 9745, RFC 8594, RFC 8288) of the endpoint, or of the first
 * deprecated parameter in the query.
 */
export function composeDeprecationHeaders(declared: Deprecations, url: string): Record<string, string> {
  const deprecation = declared.deprecated ?? findDeprecatedParameter(declared, url);
  if (!deprecation) return {};
  const headers: Record<string, string> = { Deprecation: `@${deprecation.since}` };
  if (deprecation.sunset) headers["Sunset"] = deprecation.sunset;
  if (deprecation.successor) {
    const given = extractPath(url).split("/");
    // The successor's path has the same parameters: `/v1/leads/:lead_id/assign`.
    const path = deprecation.successor.split("/").map((part, index) =>
      part.startsWith(":") ? given[index] : part
    );
    headers["Link"] = `<${path.join("/")}>; rel="successor-version"`;
  }
  return headers;
}

type Deprecations = Pick<Endpoint["declared"], "deprecated" | "deprecatedParameters">;

function findDeprecatedParameter(declared: Deprecations, url: string): Deprecation | undefined {
  if (!declared.deprecatedParameters || !url.includes("?")) return undefined;
  const sent = extractQuery(url);
  return Object.entries(declared.deprecatedParameters)
    .find(([name]) => sent.has(name) || sent.has(`${name}[]`))?.[1];
}
