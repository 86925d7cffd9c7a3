/** What is typed into the console for notes and messages is text: escaped when stored, with its line breaks. */
import { escapeHtml, unescapeHtml } from "../core/html.ts";

/** Returns stored HTML as the text that a field shows. */
export function extractTypedText(html: string): string {
  const lines = html.replaceAll(/<br\s*\/?>|<\/(?:p|div|li)>/gi, "\n").replaceAll(/<[^<>]*>/g, "");
  return unescapeHtml(lines.replaceAll(/&#(\d{1,6});/g, (_, code) => String.fromCodePoint(Number(code))))
    .trimEnd();
}

export function composeTypedHtml(text: string | undefined): string | undefined {
  return text === undefined ? undefined : escapeHtml(text).replaceAll("\n", "<br>");
}
