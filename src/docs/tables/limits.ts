/** Limits of failed attempts. */
import type { Endpoint } from "../../http/endpoint.ts";
import { markdownTable } from "../content.ts";

export function attemptLimitTable(endpoints: readonly Endpoint[]): string {
  return markdownTable(
    ["Call", "Limit", "Failures", "Within"],
    endpoints.flatMap(({ declared }) =>
      (declared.limits ?? []).map(({ name, quota, window }) => [
        `\`${declared.method.toUpperCase()} ${declared.path}\``,
        `\`${name}\``,
        String(quota),
        `${window} s`,
      ])
    ),
  );
}
