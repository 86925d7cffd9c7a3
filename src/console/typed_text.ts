/** What is typed into the console for notes and messages is text: escaped when stored, with its line breaks. */
import { escaped } from "../core/html.ts";

export function typedHtml(text: string | undefined): string | undefined {
  return text === undefined ? undefined : escaped(text).replaceAll("\n", "<br>");
}
