/** Headers of what is on its way out: RFC 9745, RFC 8594, RFC 8288. */
import type { Deprecation } from "./endpoint.ts";

export function deprecationHeaders(deprecation: Deprecation, url: string): Record<string, string> {
  const headers: Record<string, string> = { Deprecation: `@${deprecation.since}` };
  if (deprecation.sunset) headers["Sunset"] = deprecation.sunset;
  if (deprecation.successor) {
    const given = new URL(url).pathname.split("/");
    // The successor's parameters are the ones of the address called: `/v1/leads/:lead_id/assign`.
    const path = deprecation.successor.split("/").map((part, index) =>
      part.startsWith(":") ? given[index] : part
    );
    headers["Link"] = `<${path.join("/")}>; rel="successor-version"`;
  }
  return headers;
}
