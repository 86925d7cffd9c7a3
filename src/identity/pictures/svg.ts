/**
 * Cleans SVG before it is stored: reads it with a strict parser and writes only what is known to be harmless.
 * Drops scripts, handlers, animation, frames and external links.
 */
import { declareEntities } from "./entities.ts";

export interface Svg {
  readonly text: string;
  /** The size in units of the picture, so only the ratio counts. Null if the picture declares none. */
  readonly size: { readonly width: number; readonly height: number } | null;
}

/**
 * Returns the cleaned picture with its text entities written out; null when the text is not well-formed SVG,
 * declares other entities, or is too expensive. Parses in pieces, so that other work can run in between, and loads the parser on first use.
 */
export async function cleanSvg(text: string): Promise<Svg | null> {
  const { SaxesParser } = await import("saxes");
  const writer = new Writer();
  try {
    const parser = new SaxesParser({ xmlns: true });
    parser.on("doctype", (doctype) => declareEntities(doctype, parser.ENTITIES));
    parser.on("attribute", () => writer.attribute());
    parser.on("opentag", ({ local, uri, attributes }) => writer.open(local, uri, Object.values(attributes)));
    parser.on("text", (content) => writer.text(content));
    parser.on("cdata", (content) => writer.text(content));
    parser.on("closetag", () => writer.close());
    for (let at = 0; at < text.length; at += piece) {
      parser.write(text.slice(at, at + piece));
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    parser.close();
  } catch {
    return null;
  }
  return writer.root === null ? null : { text: writer.written, size: readSize(writer.root) };
}

const namespace = "http://www.w3.org/2000/svg";
const linking = "http://www.w3.org/1999/xlink";
/** Characters that are parsed at a time. */
const piece = 32 * 1024;
const deepest = 100;
const mostElements = 30_000;
/** The most attributes of an element. */
const mostAttributes = 200;
/** Characters of a text or value that must be escaped. Longer values are paths, which need no escaping. */
const longestEscaped = 200_000;
/** Characters of the result; escaping makes it longer than the input. */
const mostWritten = 4 * 1024 * 1024;
/** Elements that draw other elements again. A few of them, nested, can overload a browser. */
const repeating = new Set(["use", "pattern", "mask", "marker", "symbol"]);
const mostRepeating = 20;

const elements = new Set(
  ("svg g defs title desc path rect circle ellipse line polyline polygon text tspan textPath style switch " +
    "linearGradient radialGradient stop clipPath mask pattern marker symbol use").split(" "),
);

const attributes = new Set(
  ("id class style x y x1 y1 x2 y2 dx dy cx cy r rx ry fx fy fr d points width height viewBox version " +
    "preserveAspectRatio transform offset pathLength rotate textLength lengthAdjust startOffset refX refY orient " +
    "markerWidth markerHeight markerUnits gradientUnits gradientTransform spreadMethod patternUnits " +
    "patternContentUnits patternTransform clipPathUnits maskUnits maskContentUnits href " +
    "clip-path clip-rule color color-interpolation display dominant-baseline alignment-baseline baseline-shift " +
    "fill fill-opacity fill-rule font-family font-size font-size-adjust font-stretch font-style font-variant " +
    "font-weight letter-spacing marker-start marker-mid marker-end mask mask-type mix-blend-mode opacity overflow " +
    "paint-order shape-rendering stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap " +
    "stroke-linejoin stroke-miterlimit stroke-opacity stroke-width text-anchor text-decoration text-rendering " +
    "transform-origin vector-effect visibility word-spacing writing-mode").split(" "),
);

class Refused extends Error {}

interface Attribute {
  readonly local: string;
  readonly uri: string;
  readonly value: string;
}

/** Writes the allowed parts, element by element. */
class Writer {
  written = "";
  root: ReadonlyMap<string, string> | null = null;
  readonly #open: string[] = [];
  /** The depth within a dropped element. */
  #skipped = 0;
  #elements = 0;
  #attributes = 0;
  #repeating = 0;
  #style = "";

  /** Counts an attribute of the current element. Many are slow: the parser compares each with all others. */
  attribute(): void {
    if (++this.#attributes > mostAttributes) throw new Refused();
  }

  open(name: string, uri: string, given: readonly Attribute[]): void {
    this.#attributes = 0;
    // Checks before anything else: the parser's time grows with the square of the open elements.
    const depth = this.#open.length + this.#skipped;
    if (++this.#elements > mostElements || depth >= deepest) throw new Refused();
    if (this.#skipped > 0 || uri !== namespace || !elements.has(name) || this.#open.at(-1) === "style") {
      if (this.root === null) throw new Refused();
      this.#skipped++;
      return;
    }
    if (this.root === null && name !== "svg") throw new Refused();
    if (repeating.has(name) && ++this.#repeating > mostRepeating) throw new Refused();
    const kept = new Map(given.filter(isKept).map(({ local, value }) => [local, value]));
    this.written += `<${name}`;
    if (this.root === null) this.written += ` xmlns="${namespace}"`;
    for (const [key, value] of kept) this.written += ` ${key}="${escapeMarkup(value)}"`;
    this.written += ">";
    this.root ??= kept;
    this.#open.push(name);
  }

  text(content: string): void {
    if (this.#skipped > 0 || this.#open.length === 0) return;
    if (this.#open.at(-1) === "style") this.#style += content;
    else this.written += escapeMarkup(content);
  }

  close(): void {
    if (this.#skipped > 0) {
      this.#skipped--;
      return;
    }
    const name = this.#open.pop();
    if (name === "style") {
      if (isHarmless(this.#style)) this.written += escapeMarkup(this.#style);
      this.#style = "";
    }
    this.written += `</${name}>`;
    if (this.written.length > mostWritten) throw new Refused();
  }
}

function isKept({ local, uri, value }: Attribute): boolean {
  if (local === "href") return (uri === "" || uri === linking) && /^#[^\s]*$/.test(value);
  return uri === "" && attributes.has(local) && isHarmless(value);
}

/** Whether CSS is harmless: no rules that load files, no escapes, no functions that reach other documents. */
function isHarmless(css: string): boolean {
  if (/[@\\<]|\/\*|expression|javascript:|behavior|-moz-binding/i.test(css)) return false;
  const parts = css.split("(", mostFunctions + 2);
  if (parts.length > mostFunctions + 1) return false;
  // Checks piece by piece: a pattern over the whole text would take quadratic time.
  return parts.slice(1).every((given, index) => {
    const name = /[\w-]*$/.exec(parts[index]!.slice(-longestName))![0].toLowerCase();
    return name === "url" ? /^\s*["']?#/.test(given.slice(0, longestName)) : functions.has(name);
  });
}

const mostFunctions = 5_000;
const longestName = 40;

const functions = new Set(
  (" rgb rgba hsl hsla matrix translate translatex translatey scale scalex scaley rotate skewx skewy calc min max " +
    "var not is where nth-child").split(" "),
);

function escapeMarkup(text: string): string {
  if (!/[&<>"]/.test(text)) return text;
  if (text.length > longestEscaped) throw new Refused();
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll(
    '"',
    "&quot;",
  );
}

/** Returns the size from `width` and `height` if their units are equal, or else from the `viewBox`. */
function readSize(root: ReadonlyMap<string, string>): Svg["size"] {
  const [width, height] = [root.get("width"), root.get("height")].map((text) =>
    /^(\d*\.?\d+(?:e[-+]?\d+)?)\s*([a-z]*)$/i.exec(short(text))
  );
  if (width && height && width[2] === height[2]) return positive(Number(width[1]), Number(height[1]));
  const box = short(root.get("viewBox")).split(/[\s,]+/).map(Number);
  return box.length === 4 ? positive(box[2]!, box[3]!) : null;
}

/** Returns the trimmed text; empty for a text that is too long for a size. */
function short(text = ""): string {
  return text.length <= 200 ? text.trim() : "";
}

function positive(width: number, height: number): Svg["size"] {
  return width > 0 && height > 0 && Number.isFinite(width / height) ? { width, height } : null;
}
