/** Parses texts with Mustache placeholders. Values come from `catalogue.ts`, `render.ts` fills them in. */
import mustache from "mustache";
import { BoundedMap } from "../../core/bounded_map.ts";
import { type FieldError, fieldError } from "../../core/errors.ts";
import { sanitizeEmail, unescapeHtml } from "../../core/html.ts";
import { makeOutline, type Outline } from "./outline.ts";

/** A part of a parsed text: `start` and `end` are its place in the source. */
export type Part =
  | { readonly kind: "text"; readonly text: string }
  | {
    readonly kind: "value";
    readonly name: string;
    readonly start: number;
    readonly end: number;
    /** Whether it stands in the query or fragment of a link, where a value is percent-encoded. */
    readonly isInQuery: boolean;
  }
  | {
    readonly kind: "section";
    readonly name: string;
    /** Whether the parts are shown when the value is absent. */
    readonly isInverted: boolean;
    readonly parts: readonly Part[];
  };

/** The deepest nesting of sections, so that rendering needs little stack. */
const deepest = 20;

/** The most placeholders of a text, because each takes time when the text is read and filled. */
export const mostPlaceholders = 10_000;

/** Adds an error at `path` for a text whose placeholders cannot be rendered (`format`), or are too many (`max`). */
export function checkText(source: string, path: string, errors: FieldError[]): void {
  try {
    checkNumber(source);
    parseText(source);
  } catch (error) {
    const code = error instanceof TooMany ? "max" : "format";
    errors.push(fieldError(path, code, explainError(error)));
  }
}

/** Throws for a text with too many placeholders, or with sections too deep in each other among so many. */
function checkNumber(source: string): void {
  let count = 0;
  let depth = 0;
  for (let at = source.indexOf("{{"); at >= 0; at = source.indexOf("{{", at + 2)) {
    const sign = source[at + 2];
    if (sign === "#" || sign === "^") depth++;
    if (sign === "/") depth--;
    if (++count <= mostPlaceholders) continue;
    throw depth > deepest
      ? new Unsupported(tooDeep)
      : new TooMany(`At most ${mostPlaceholders} placeholders.`);
  }
}

/** Parses a text. In HTML, names can contain entities. Throws for a text that `checkText` rejects. */
export function parseText(source: string): readonly Part[] {
  if (source === "") return [];
  if (!source.includes("{{")) return [{ kind: "text", text: source }];
  const found = kept.get(source);
  if (found) return found;
  const outline = makeOutline(source);
  try {
    const reading = { source, outline, queries: findQueries(source) };
    const parts = parseTokens(parser.parse(outline.text) as Token[], 0, reading);
    kept.set(source, parts, source.length * 4);
    return parts;
  } catch (error) {
    throw placeError(error, outline);
  } finally {
    // Otherwise the library caches every parsed text forever.
    parser.clearCache();
  }
}

/** Parsed texts: a campaign parses its own for each message. */
const kept = new BoundedMap<readonly Part[]>(4 * 1024 * 1024);

/** Cleans HTML with placeholders, which stay as they are; decodes those that an editor encoded in links. */
export async function sanitizeFrame(html: string): Promise<string> {
  return (await sanitizeEmail(html)).replaceAll("{{&amp;", "{{&").replaceAll(
    links,
    (link) => link.replaceAll(encodedPlaceholders, decodePlaceholder),
  );
}

/** The links and the addresses of pictures of clean HTML, whose attributes stand in double quotes. */
const links = /\s(?:href|src)="[^"]*"/g;

/** Placeholders whose braces are percent-encoded. Names are short, so that a search takes linear time. */
const encodedPlaceholders = /(%7B)?%7B%7B(?!%7B)([^"]{1,300}?)%7D%7D(%7D)?/gi;

/** A third brace on both sides, and `&`, ask for a value that is not escaped, which all values are here. */
function decodePlaceholder(written: string, before: string = "", inner: string, after: string = ""): string {
  try {
    const name = decodeURIComponent(inner).replace(/^(?:&(?:amp;)?)/, "");
    if (/["<>{}]/.test(name)) return written;
    return before && after ? `{{${name}}}` : `${before}{{${name}}}${after}`;
  } catch {
    return written;
  }
}

/** The queries and fragments of links, as pairs of start and end in the source. */
type Queries = readonly (readonly [start: number, end: number])[];

function findQueries(source: string): Queries {
  return [...source.matchAll(links)].flatMap(({ 0: link, index }) => {
    // The `#` of a section starts no fragment.
    const start = link.replaceAll(tags, (tag) => " ".repeat(tag.length)).search(/[?#]/);
    return start < 0 ? [] : [[index + start, index + link.length] as const];
  });
}

/** Stops at any further brace, so that a search takes linear time. */
const tags = /\{\{[^{}]*\}\}/g;

function isInside(queries: Queries, at: number): boolean {
  let [low, high] = [0, queries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (queries[middle]![1] <= at) low = middle + 1;
    else high = middle;
  }
  return low < queries.length && queries[low]![0] < at;
}

/** Returns the names of all placeholders and sections, in order of appearance, each once. */
export function listNamesIn(parts: readonly Part[]): string[] {
  const names = new Set<string>();
  const collect = (part: Part) => {
    if (part.kind !== "text") names.add(part.name);
    if (part.kind === "section") part.parts.forEach(collect);
  };
  parts.forEach(collect);
  return [...names];
}

/** A token of the library: type, value, start, end, and the tokens of a section. */
type Token = [type: string, value: string, start: number, end: number, inner?: Token[]];

class Unsupported extends Error {}
class TooMany extends Unsupported {}

const tooDeep = `Sections may stand at most ${deepest} deep in each other.`;

const parser = new mustache.Writer();

interface Reading {
  readonly source: string;
  readonly outline: Outline;
  readonly queries: Queries;
}

function parseTokens(tokens: readonly Token[], depth: number, reading: Reading): Part[] {
  if (depth > deepest) throw new Unsupported(tooDeep);
  const { source, outline, queries } = reading;
  return tokens.flatMap(([type, value, from, to, inner]): Part[] => {
    const [start, end] = [outline.findSourcePlace(from), outline.findSourcePlace(to)];
    switch (type) {
      case "text":
        return [{ kind: "text", text: source.slice(start, end) }];
      case "name":
      case "&":
        return [{
          kind: "value",
          name: unescapeHtml(value),
          start,
          end,
          isInQuery: isInside(queries, start),
        }];
      case "#":
      case "^":
        return [{
          kind: "section",
          name: unescapeHtml(value),
          isInverted: type === "^",
          parts: parseTokens(inner ?? [], depth + 1, reading),
        }];
      case ">":
        throw new Unsupported(`Partials such as {{> ${value}}} are not supported.`);
      case "=":
        throw new Unsupported("The delimiters {{ and }} cannot be changed.");
      default:
        return [];
    }
  });
}

/** Returns an error of the library with its place in the source. */
function placeError(error: unknown, outline: Outline): unknown {
  if (error instanceof Unsupported || !(error instanceof Error)) return error;
  const message = error.message.replace(/\d+$/, (place) => String(outline.findSourcePlace(Number(place))));
  return new Error(message, { cause: error });
}

function explainError(error: unknown): string {
  if (error instanceof Unsupported) return error.message;
  // The library names the fault and its position.
  return `The placeholders cannot be read: ${error instanceof Error ? error.message : String(error)}.`;
}
