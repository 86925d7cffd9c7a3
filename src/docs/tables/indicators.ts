/** The indicators of reports. */
import { indicators } from "../../insight/indicators/catalogue.ts";
import { markdownTable } from "../content.ts";

export function indicatorTable(): string {
  return markdownTable(
    ["Indicator", "Kind", "Counts", "Grouped by"],
    indicators.map(({ name, kind, description, group_by }) => [
      `\`${name}\``,
      kind,
      description,
      group_by.map((grouping) => `\`${grouping}\``).join(", "),
    ]),
  );
}
