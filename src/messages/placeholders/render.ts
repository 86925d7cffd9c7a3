/** Fills the placeholders of a parsed text with values. */
import { escapeHtml, extractPlainText } from "../../core/html.ts";
import type { Marks } from "./marks.ts";
import type { Part } from "./syntax.ts";

/** HTML that was sanitised; all other values are text. */
export class Html {
  constructor(readonly html: string) {}
}

/** Rows repeat a section; each has values of its own. */
export type Rows = readonly ReadonlyMap<string, string>[];

/** Null: the placeholder exists and has no value here. Undefined: there is no such placeholder. */
export type Found = string | Html | Rows | null | undefined;

export interface Rendering {
  /** Returns the value of a name. */
  readonly value: (name: string) => Found;
  /** `html`: values are escaped; `text`: on one line, as a subject is. */
  readonly target: "html" | "text";
  /** Stand for values of text in HTML; null or absent: the values are written. */
  readonly marks?: Marks | null;
  /** Shows placeholders without a value as they were written. */
  readonly showsPlaceholders?: boolean;
  /** The text that the parts were parsed from. */
  readonly source: string;
}

/** Thrown when rows repeat their section too often; the message says which limit it exceeds. */
export class TooLong extends Error {}

/** Characters of a rendered text. */
export const mostRendered = 4 * 1024 * 1024;
/** Texts and placeholders that are looked at. Without rows no text has so many, also if they write nothing. */
const mostSteps = 200_000;

/** Renders the parts. Placeholders inside a value are not rendered. Throws `TooLong`. */
export async function render(parts: readonly Part[], rendering: Rendering): Promise<string> {
  const written: (string | Html)[] = [];
  let length = 0;
  const countText = (text: string) => {
    length += text.length;
    if (length > mostRendered) {
      throw new TooLong(`The rendered text has more than ${mostRendered} characters.`);
    }
    return text;
  };
  let steps = 0;
  const step = () => {
    if (++steps > mostSteps) {
      throw new TooLong(`The rows repeat more than ${mostSteps} texts and placeholders.`);
    }
  };
  writeParts(parts, null, { ...rendering, step }, (piece) => {
    written.push(typeof piece === "string" ? countText(piece) : piece);
  });
  if (rendering.target === "html") return written.join("");
  const words: string[] = [];
  for (const piece of written) {
    words.push(piece instanceof Html ? countText(onOneLine(await extractPlainText(piece.html))) : piece);
  }
  return words.join("");
}

/** A row of the section around a placeholder, with the name of the section. */
interface Row {
  readonly section: string;
  readonly values: ReadonlyMap<string, string>;
}

/** Writes the text piece by piece. A value of HTML is a separate piece when the target is `text`. */
function writeParts(
  parts: readonly Part[],
  row: Row | null,
  rendering: Rendering & { readonly step: () => void },
  write: (piece: string | Html) => void,
): void {
  for (const part of parts) {
    rendering.step();
    if (part.kind === "text") write(part.text);
    else if (part.kind === "value") write(renderPiece(part, row, rendering));
    else {
      const value = lookup(part.name, row, rendering);
      if (part.isInverted) {
        if (!isPresent(value)) writeParts(part.parts, row, rendering, write);
      } else if (value instanceof Array) {
        for (const values of value) writeParts(part.parts, { section: part.name, values }, rendering, write);
      } else if (isPresent(value)) writeParts(part.parts, row, rendering, write);
    }
  }
}

/**
 * Returns the value of a name. Inside a section, names refer to the values of the row, with or without the
 * section's name in front.
 */
function lookup(name: string, row: Row | null, { value }: Rendering): Found {
  if (row === null) return value(name);
  // A section inside itself shows nothing: rows of rows would have no bound.
  if (name === row.section) return "";
  const own = name.startsWith(`${row.section}.`) ? name.slice(row.section.length + 1) : name;
  return row.values.get(own) ?? value(name);
}

function isPresent(value: Found): boolean {
  if (value === null || value === undefined) return false;
  return value instanceof Html ? value.html !== "" : value.length > 0;
}

function renderPiece(
  { name, start, end, isInQuery }: Part & { readonly kind: "value" },
  row: Row | null,
  rendering: Rendering,
): string | Html {
  const value = lookup(name, row, rendering);
  if (!isPresent(value) || value instanceof Array) {
    return rendering.showsPlaceholders ? literal(rendering.source.slice(start, end), rendering) : "";
  }
  if (rendering.target === "html") {
    const { marks } = rendering;
    if (value instanceof Html) {
      if (name !== "content") marks?.check(value.html);
      return value.html;
    }
    const text = isInQuery ? encodeURIComponent((value as string).toWellFormed()) : value as string;
    return marks ? marks.of(text) : escapeHtml(text);
  }
  return value instanceof Html ? value : onOneLine(value as string);
}

/** Returns a placeholder as it was written. With the target `html`, the source is HTML already. */
function literal(text: string, { target }: Rendering): string {
  return target === "html" ? text : onOneLine(text);
}

/** Replaces line breaks and control characters, which could add headers to a mail, with spaces. */
export function onOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();
}
