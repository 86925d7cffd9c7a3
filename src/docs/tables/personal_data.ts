/** How long personal data stays where. */
import { personalData } from "../../core/personal_data.ts";
import { renderMarkdownTable } from "../content.ts";

export function renderPersonalDataTable(): string {
  return renderMarkdownTable(
    ["What", "Stays until", "Where"],
    personalData.map(({ name, until, columns, otherPlace }) => [
      name,
      until,
      [...Object.keys(columns).map((table) => `\`${table}\``), ...(otherPlace ? [otherPlace] : [])].join(
        ", ",
      ),
    ]),
  );
}
