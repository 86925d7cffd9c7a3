/** How long personal data stays where. */
import { personalData } from "../../core/personal_data.ts";
import { markdownTable } from "../content.ts";

export function personalDataTable(): string {
  return markdownTable(
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
