/** The text of an arrived message as it is shown. Cleaning it takes as long as parsing it. */
import type { Email } from "postal-mime";
import { escapeHtml, sanitizeArrived } from "../../core/html.ts";
import { limitHtml } from "../../core/html_limits.ts";
import { takeBeginning } from "../../core/text.ts";

export interface ShownContent {
  /** Clean HTML. */
  readonly content: string;
  /** Whether the message is longer, which the content says at its end. */
  readonly isCut: boolean;
}

/** Characters of a content. */
const mostContent = 500_000;
/** Characters of HTML that are read. */
export const mostHtml = 1_000_000;
/** The name of the file with the whole message. */
export const originalName = "message.eml";

const notice = `<p>[The message is longer. The file ${originalName} has all of it.]</p>`;

/** Returns the text of a message. `wasCut`: whether its HTML is longer. */
export async function extractContent(
  { html = "", text = "" }: Email,
  wasCut: boolean,
): Promise<ShownContent> {
  const begin = (most: number) =>
    html === "" ? escapeLines(storable(text), most) : cleanBeginning(storable(html), most);
  const whole = await begin(mostContent);
  if (whole.isWhole && !wasCut) return { content: whole.shown, isCut: false };
  const { shown } = await begin(mostContent - notice.length);
  return { content: shown + notice, isCut: true };
}

interface Beginning {
  readonly shown: string;
  readonly isWhole: boolean;
}

async function cleanBeginning(html: string, most: number): Promise<Beginning> {
  let source = limitHtml(takeBeginning(html, mostHtml));
  let clean = await sanitizeArrived(source);
  // Entities can take more characters than what they stand for, so the right place to cut is a guess.
  while (clean.length > most) {
    source = takeBeginning(source, Math.floor(source.length * (most / clean.length) * 0.95));
    clean = await sanitizeArrived(source);
  }
  return { shown: clean, isWhole: source.length === html.length };
}

function escapeLines(text: string, most: number): Beginning {
  const lines = escapeHtml(takeBeginning(text, most)).replaceAll(/\r\n?|\n/g, "<br>");
  return {
    shown: lines.length <= most ? lines : withoutRest(lines.slice(0, most)),
    isWhole: text.length <= most && lines.length <= most,
  };
}

/** Replaces NUL characters, because SQLite ends a text at NUL. */
function storable(text: string): string {
  return text.replaceAll("\0", "\ufffd");
}

/** Removes a cut tag, entity or character from the end of escaped text. */
function withoutRest(html: string): string {
  return html.replace(/(?:<[^>]{0,3}|&[^;]{0,5}|[\ud800-\udbff])$/, "");
}
