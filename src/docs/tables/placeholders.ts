/** The placeholders of templates, without the custom fields of companies. */
import { plainFields } from "../../fields/field_sets.ts";
import { placeholders } from "../../messages/placeholders/catalogue.ts";
import { renderMarkdownTable } from "../content.ts";

export function renderPlaceholderTable(): string {
  return renderMarkdownTable(
    ["Placeholder", "Value", "Templates of type"],
    placeholders(plainFields).map(({ name, description, types }) => [
      `\`{{${name}}}\``,
      description,
      types.join(", "),
    ]),
  );
}
