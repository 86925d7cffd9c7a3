/** The text of an arrived message as it is shown. Cleaning it takes as long as parsing it. */
import type { Email } from "postal-mime";
import { escaped, plainText, sanitizeText } from "../../core/html.ts";
import { beginningOf } from "../../core/text.ts";

/** Characters of a content; more is cut. */
const mostContent = 500_000;
/** Characters of HTML that are read; longer HTML is shown as plain text. */
const mostHtml = 300_000;

/** Returns the text of a message as clean HTML. */
export async function contentOf({ html = "", text }: Email): Promise<string> {
  const clean = await sanitizeText(beginningOf(storable(html), mostHtml));
  if (html !== "" && html.length <= mostHtml && clean.length <= mostContent) {
    return clean;
  }
  const words = beginningOf(
    storable(text?.trim() ? text : await plainText(clean)),
    mostContent,
  );
  const lines = escaped(words).replaceAll(/\r\n?|\n/g, "<br>");
  return lines.length <= mostContent ? lines : whole(lines.slice(0, mostContent));
}

/** Replaces NUL characters, because SQLite ends a text at NUL. */
function storable(text: string): string {
  return text.replaceAll("\0", "\ufffd");
}

/** Removes a cut tag, entity or character from the end of escaped text. */
function whole(html: string): string {
  return html.replace(/(?:<[^>]{0,3}|&[^;]{0,5}|[\ud800-\udbff])$/, "");
}
