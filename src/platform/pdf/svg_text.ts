/** Sets the texts of SVG images in the fonts of a document. */
import { escapeHtml } from "../../core/html.ts";
import type { SetText } from "./press.ts";
import { keepShown } from "./shown_text.ts";
import { orderVisually } from "./visual_order.ts";

/** A part of a text, as a box sets it: the name of its font, and its level when it runs from right to left. */
interface Part {
  readonly text: string;
  readonly font?: string;
  readonly level?: number;
}

const texts = /(<text\b[^>]*>)([^<]+)(?=<\/text>)/g;
/** Returns the image with each text in fonts that have its characters, and without those that none has. */
export async function withSetText(
  svg: string,
  set: (text: string) => Promise<SetText>,
): Promise<string> {
  let made = "";
  let at = 0;
  for (const { 0: whole, 1: start, 2: escapedText, index } of svg.matchAll(texts)) {
    const { text } = await set(unescapeText(escapedText!));
    made += keepShown(svg.slice(at, index)) + start;
    made += typeof text === "string"
      ? escapeHtml(text)
      : orderVisually(text as readonly Part[]).map(writeSpan).join("");
    at = index + whole.length;
  }
  return made + keepShown(svg.slice(at));
}

function writeSpan({ text, font }: Part): string {
  const family = font ? ` font-family="${font}"` : "";
  return `<tspan xml:space="preserve"${family}>${escapeHtml(text)}</tspan>`;
}

/** Reads what `escapeHtml` writes. */
function unescapeText(text: string): string {
  return text.replaceAll(/&#(\d+);/g, (_whole, code) => String.fromCharCode(Number(code)));
}
