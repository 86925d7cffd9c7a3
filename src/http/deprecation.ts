/** Headers of what is on its way out: RFC 9745, RFC 8594, RFC 8288. */
import type { Deprecation, Endpoint } from "./endpoint.ts";
import { pathOf, queryOf } from "./paths.ts";

/** Of the endpoint called, or else of the first deprecated parameter that the address names. */
export function deprecationHeaders(declared: Endpoint["declared"], url: string): Record<string, string> {
  const deprecation = declared.deprecated ?? parameterOf(declared, url);
  if (!deprecation) return {};
  const headers: Record<string, string> = { Deprecation: `@${deprecation.since}` };
  if (deprecation.sunset) headers["Sunset"] = deprecation.sunset;
  if (deprecation.successor) {
    const given = pathOf(url).split("/");
    // The successor's parameters are the ones of the address called: `/v1/leads/:lead_id/assign`.
    const path = deprecation.successor.split("/").map((part, index) =>
      part.startsWith(":") ? given[index] : part
    );
    headers["Link"] = `<${path.join("/")}>; rel="successor-version"`;
  }
  return headers;
}

function parameterOf(declared: Endpoint["declared"], url: string): Deprecation | undefined {
  if (!declared.deprecatedParameters || !url.includes("?")) return undefined;
  const sent = queryOf(url);
  return Object.entries(declared.deprecatedParameters)
    .find(([name]) => sent.has(name) || sent.has(`${name}[]`))?.[1];
}
