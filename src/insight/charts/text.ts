/** Text of charts: escaped, measured and cut without a font, since the reader's is not known. */
import { escapeHtml } from "../../core/html.ts";

/** Created on first use, because it loads tables, which takes 10 ms. */
let segmenter: Intl.Segmenter | undefined;

/** Returns text as one line of XML 1.0. */
export function escapeXml(text: string): string {
  return escapeHtml(oneLine(text));
}

/** One line without control characters, most of which XML 1.0 does not allow. */
function oneLine(text: string): string {
  return text.toWellFormed().replaceAll(/\s+/g, " ").trim().replaceAll(/[\p{Cc}\ufffe\uffff]/gu, "\ufffd");
}

/** Returns the estimated width of the text, rather too great than too small. `size`: pixels of the font. */
export function estimateWidth(text: string, size: number, bold = false): number {
  let sum = 0;
  for (const character of text) sum += measureCharacter(character);
  return sum * size * (bold ? 1.15 : 1);
}

/** Returns the estimated width as a factor of the size of the font. */
function measureCharacter(character: string): number {
  if (/\p{M}/u.test(character)) return 0;
  const code = character.codePointAt(0)!;
  if (code >= 0x1100 && !/[\u1e00-\u20cf]/.test(character)) return 1.05;
  if ("ijltfrI.,:;'|!()[] ·".includes(character)) return 0.4;
  if ("mwMW@%…—".includes(character)) return 1;
  return /[\p{Lu}&#]/u.test(character) ? 0.76 : 0.63;
}

/** Returns the text, or its beginning with an ellipsis where it is wider than `most` pixels. */
export function cut(text: string, most: number, size: number, bold = false): string {
  const line = oneLine(text);
  if (estimateWidth(line, size, bold) <= most) return line;
  let kept = "";
  let left = most - estimateWidth("…", size, bold);
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  for (const { segment } of segmenter.segment(line)) {
    left -= estimateWidth(segment, size, bold);
    if (left < 0) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

export interface TextStyle {
  readonly size?: number;
  readonly anchor?: "start" | "middle" | "end";
  readonly color: string;
  readonly tone: "text" | "muted";
  readonly bold?: boolean;
}

/** Returns a line of text, cut to `most` pixels. If the text is cut, a tooltip has all of it. */
export function textAt(
  x: number,
  y: number,
  text: string,
  most: number,
  { size = 12, anchor = "start", color, tone, bold }: TextStyle,
): string {
  const line = cut(text, most, size, bold);
  const element = `<text x="${coordinate(x)}" y="${coordinate(y)}" class="${tone}" fill="${color}" ` +
    `font-size="${size}"${anchor === "start" ? "" : ` text-anchor="${anchor}"`}` +
    `${bold ? ' font-weight="bold"' : ""}>${escapeXml(line)}</text>`;
  return line === oneLine(text) ? element : `<g><title>${escapeXml(text)}</title>${element}</g>`;
}

/** Rounded to a tenth of a pixel. */
export function coordinate(value: number): string {
  return String(Math.round(value * 10) / 10);
}
