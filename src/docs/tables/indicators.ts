/** The indicators of reports. */
import { indicators } from "../../insight/indicators/catalogue.ts";
import { renderMarkdownTable } from "../content.ts";

export function renderIndicatorTable(): string {
  return renderMarkdownTable(
    ["Indicator", "Kind", "Counts", "Grouped by"],
    indicators.map(({ name, kind, description, group_by }) => [
      `\`${name}\``,
      kind,
      description,
      group_by.map((grouping) => `\`${grouping}\``).join(", "),
    ]),
  );
}
