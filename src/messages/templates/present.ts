/** Template → wire shape. */
import type { Fields } from "../../fields/field_sets.ts";
import { placeholders } from "../placeholders/catalogue.ts";
import { listNamesIn, parseText } from "../placeholders/syntax.ts";
import { presentWhole, type TemplateFacts } from "./record.ts";

/** Adds the content, and the placeholders in it that do not exist with the fields that the viewer sees. */
export function presentFullTemplate(template: TemplateFacts, fields: Fields) {
  return presentWhole({ ...template, unknown_placeholders: unknownIn(template, fields) });
}

function unknownIn({ content, type }: TemplateFacts, fields: Fields): string[] {
  const known = new Set(
    placeholders(fields).filter(({ types }) => types.includes(type)).map(({ name }) => name),
  );
  const inRows = (name: string) => known.has(`product_details.${name}`);
  return listNamesIn(parseText(content)).filter((name) => !known.has(name) && !inRows(name));
}
