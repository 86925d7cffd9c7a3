/** Clean HTML with marks for values: where each stands, and how it is filled there. */
import { BoundedMap } from "../../core/bounded_map.ts";
import { extractPlainText } from "../../core/html.ts";
import { marksPattern } from "./marks.ts";
import { mostRendered, TooLong } from "./render.ts";

/** Texts and numbers of marks by turns. */
type Pieces = readonly (string | number)[];

/** A text between tags, or the value of the attribute of that name; marks in other places stop the use. */
interface Part {
  readonly place: string;
  readonly pieces: Pieces;
}

export interface Shape {
  readonly html: string;
  readonly parts: readonly Part[];
  /** The places of each mark. */
  readonly places: ReadonlyMap<number, ReadonlySet<string>>;
  /** Whether all marks stand where an escaped value is safe. */
  readonly isSafe: boolean;
  /** Its words, made on first use. */
  words?: Promise<Words>;
}

interface Words {
  readonly pieces: Pieces;
  /** The address and the words of each link with marks. A link shows its address beside other words only. */
  readonly links: readonly (readonly [href: Pieces, words: Pieces])[];
}

/** Bytes of kept shapes. */
const budget = 16 * 1024 * 1024;
const kept = new BoundedMap<Shape>(budget);

/** In clean HTML `<` and `>` stand for tags only, and attributes stand in double quotes. */
const tags = /(<style\b[^<>]*>[^<]*<\/style>|<[^<>]*>)/;
const attributes = /(\s[\w-]+=")([^"]*)(?=")/;
const linkPattern = /<a [^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/g;

/** Addresses of these schemes are kept, and what follows them changes nothing. Others are cleaned with their values. */
const schemes: Readonly<Record<string, RegExp>> = {
  href: /^(?:https?|mailto|tel):/i,
  src: /^https?:/i,
};
/** Attributes whose values nothing but escaping makes safe, as they have no meaning beyond their text. */
const plainAttributes = ["title", "alt"];

/** Returns the shape of clean HTML with marks. */
export function makeShape(html: string): Shape {
  const found = kept.get(html);
  if (found) return found;
  const parts = html.split(tags).flatMap((token, at) =>
    at % 2 === 0 ? [makePart("text", token)] : splitTag(token)
  );
  const places = new Map<number, Set<string>>();
  for (const { place, pieces } of parts) {
    for (const piece of pieces) {
      if (typeof piece === "number") places.set(piece, (places.get(piece) ?? new Set()).add(place));
    }
  }
  const isSafe = [...places.values()].every((some) => [...some].every(isSafePlace));
  const shape = { html, parts: joinParts(parts), places, isSafe };
  kept.set(html, shape, html.length * 4);
  return shape;
}

function isSafePlace(place: string): boolean {
  return place === "text" || plainAttributes.includes(place) || place in schemes;
}

function splitTag(tag: string): Part[] {
  if (!marksPattern.test(tag)) return [{ place: "", pieces: [tag] }];
  if (tag.startsWith("<style")) return [makePart("style", tag)];
  return tag.split(attributes).map((token, at, all) =>
    at % 3 === 2 ? makePart(all[at - 1]!.trim().slice(0, -2), token) : makePart("tag", token)
  );
}

function makePart(place: string, text: string): Part {
  return { place, pieces: splitPieces(text) };
}

function splitPieces(text: string): Pieces {
  return text.split(marksPattern).map((piece, at) => at % 2 === 0 ? piece : Number(piece));
}

/** Joins neighbours without marks. */
function joinParts(parts: readonly Part[]): Part[] {
  const result: Part[] = [];
  let plain = "";
  for (const part of parts) {
    if (part.pieces.length === 1) plain += part.pieces[0];
    else {
      result.push({ place: "", pieces: [plain] }, part);
      plain = "";
    }
  }
  return [...result, { place: "", pieces: [plain] }];
}

/**
 * Returns the HTML with values, as cleaning after filling would. Null where that could differ: for a value
 * that decides about a scheme. Throws `TooLong`.
 */
export function fillShape({ parts, isSafe }: Shape, values: readonly string[]): string | null {
  if (!isSafe) return null;
  const written: string[] = [];
  let length = 0;
  for (const { place, pieces } of parts) {
    const text = fillPieces(pieces, values, place === "text" ? escapeText : escapeAttribute);
    if (pieces.length > 1 && schemes[place]?.test(text) === false) return null;
    length += text.length;
    if (length > mostRendered) {
      throw new TooLong(`The rendered text has more than ${mostRendered} characters.`);
    }
    written.push(text);
  }
  return written.join("");
}

/** Returns `extractPlainText` of the filled HTML; null where values could have another effect than their words. */
export async function fillWords(shape: Shape, values: readonly string[]): Promise<string | null> {
  const { html, places } = shape;
  // Text without tags is not read as HTML.
  if (!html.includes("<") || ![...places.keys()].every((mark) => isOnePhrase(values[mark]!))) return null;
  const { pieces, links } = await (shape.words ??= extractWords(html));
  const isSame = links.every(([href, words]) =>
    (String(href) === String(words)) ===
      (fillPieces(href, values, escapeAttribute) === fillPieces(words, values, escapeText))
  );
  return isSame ? fillPieces(pieces, values, (value) => value) : null;
}

async function extractWords(html: string): Promise<Words> {
  const links = [...html.replaceAll(/\s+/g, " ").matchAll(linkPattern)]
    .filter(([link]) => marksPattern.test(link))
    .map(([, href, words]) => [splitPieces(href!), splitPieces(words!)] as const);
  return { pieces: splitPieces(await extractPlainText(html)), links };
}

/** Whether no blank of it is removed. */
function isOnePhrase(value: string): boolean {
  return /^\S+(?: \S+)*$/.test(value);
}

function fillPieces(pieces: Pieces, values: readonly string[], escape: (value: string) => string): string {
  if (pieces.length === 1) return String(pieces[0]);
  return pieces.map((piece) => typeof piece === "string" ? piece : escape(values[piece]!)).join("");
}

/** Escapes as the cleaner does. */
function escapeText(value: string): string {
  return value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function escapeAttribute(value: string): string {
  return escapeText(value).replaceAll('"', "&quot;");
}
