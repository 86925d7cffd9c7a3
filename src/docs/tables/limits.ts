/** Limits of failed attempts. */
import type { Endpoint } from "../../http/endpoint.ts";
import { renderMarkdownTable } from "../content.ts";

export function renderAttemptLimitTable(endpoints: readonly Endpoint[]): string {
  return renderMarkdownTable(
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
