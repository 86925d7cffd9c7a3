/** Prints on a box, with the fonts of all scripts that Noto has, and text from right to left. */
import { Buffer } from "node:buffer";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { type Font, mendFonts } from "./mend_fonts.ts";
import { type Face, readFace } from "./noto.ts";
import { type PdfMake, type Press, roboto } from "./press.ts";
import { type SetRun, typeset } from "./typeset.ts";
import { inVisualOrder } from "./visual_order.ts";

const require = createRequire(import.meta.url);

interface Library extends PdfMake {
  readonly virtualfs: { writeFileSync(name: string, bytes: Buffer): void };
  setLocalAccessPolicy(policy: (path: string) => boolean): void;
}

interface Loaded {
  readonly library: Library;
  readonly faces: Map<string, { readonly face: Face; readonly font: Font }>;
}

let loaded: Loaded | undefined;

export const boxPress: Press = {
  load() {
    const { library, faces } = load();
    // Anew for each document, because the library changes the definitions.
    for (const { face } of faces.values()) library.addFonts({ [face.id]: describeStyles(face) });
    return Promise.resolve(library);
  },
  set: (text) => typeset(text, hasGlyph),
};

async function hasGlyph(face: Face, code: number): Promise<boolean> {
  const { library, faces } = load();
  const known = faces.get(face.id);
  if (known) return known.font.hasGlyphForCodePoint(code);
  const font = addFace(library, face, await readFace(face), faces.size);
  faces.set(face.id, { face, font });
  return font.hasGlyphForCodePoint(code);
}

function load(): Loaded {
  if (loaded) return loaded;
  const library = require("pdfmake") as Library;
  const folder = join(dirname(require.resolve("pdfmake/package.json")), "fonts/Roboto");
  const files = new Map(Object.entries(roboto).map(([style, name]) => [style, join(folder, name)]));
  library.addFonts({ Roboto: Object.fromEntries(files) });
  // Documents refer to no other files and no URLs, because they contain their pictures.
  library.setUrlAccessPolicy(() => false);
  const allowed = new Set(files.values());
  library.setLocalAccessPolicy((path) => allowed.has(path));
  orderLines();
  openFontsOfImages();
  return loaded = { library, faces: new Map() };
}

/** Returns the files of the styles with their settings. Parts without weights have one style. */
function describeStyles({ id, isVariable }: Face): object {
  const describeStyle = (name: string, wght: number) => isVariable ? [name, { wght }] : [name];
  const [usual, bold] = [`${id} 400`, `${id} 700`];
  return {
    normal: describeStyle(usual, 400),
    italics: describeStyle(usual, 400),
    bold: describeStyle(bold, 700),
    bolditalics: describeStyle(bold, 700),
  };
}

function addFace(library: Library, { id, isVariable }: Face, bytes: Uint8Array, number: number): Font {
  const regular = distinct(bytes, 2 * number + 1);
  library.virtualfs.writeFileSync(`${id} 400`, regular);
  library.virtualfs.writeFileSync(`${id} 700`, distinct(bytes, 2 * number + 2));
  const font = require("fontkit").create(regular) as Font;
  mendFonts(font, isVariable);
  return font;
}

/** Gives a font a checksum of its own, by which the library distinguishes parts and weights of one name. */
function distinct(bytes: Uint8Array, number: number): Buffer {
  const copy = Buffer.from(bytes);
  for (let entry = 12, left = copy.readUInt16BE(4); left > 0; entry += 16, left--) {
    if (copy.toString("latin1", entry, entry + 4) === "head") {
      copy.writeUInt32BE(number, copy.readUInt32BE(entry + 8) + 8);
    }
  }
  return copy;
}

interface DocumentFonts {
  _font: unknown;
  readonly virtualfs: { existsSync(name: string): boolean; readFileSync(name: string): Buffer };
  font(source: unknown, ...more: readonly unknown[]): unknown;
}

/**
 * Lets texts of SVG images have fonts with settings, each of which is opened once.
 *
 * Works around: the library gives the name and the settings of such a font as one value.
 * True for: pdfmake 0.3.11.
 * Remove when: an SVG image shows text in a font with weights without this.
 */
function openFontsOfImages(): void {
  const { prototype } = require("pdfmake/js/PDFDocument.js").default as { prototype: DocumentFonts };
  const { font } = prototype;
  const opened = new WeakMap<DocumentFonts, Map<object, unknown>>();
  prototype.font = function (source, ...more) {
    if (!(source instanceof Array)) return font.call(this, source, ...more);
    const own = opened.get(this) ?? new Map<object, unknown>();
    opened.set(this, own);
    const known = own.get(source);
    if (known) {
      this._font = known;
      return this;
    }
    const [file, ...settings] = source as [unknown, ...unknown[]];
    const isName = typeof file === "string" && this.virtualfs.existsSync(file);
    font.call(this, isName ? this.virtualfs.readFileSync(file) : file, ...settings);
    own.set(source, this._font);
    return this;
  };
}

interface Inline extends SetRun {
  readonly width: number;
  readonly leadingCut?: number;
  readonly trailingCut?: number;
  x: number;
}

interface Line {
  inlines: Inline[];
}

/**
 * Lets the library draw the words of a line in their visual order; it breaks lines in the order of reading.
 *
 * Works around: the library knows no text from right to left.
 * True for: pdfmake 0.3.11.
 * Remove when: it orders the words of a line by itself.
 */
function orderLines(): void {
  const { prototype } = require("pdfmake/js/Renderer.js").default as {
    prototype: { renderLine(line: Line, x: number, y: number): void };
  };
  const { renderLine } = prototype;
  prototype.renderLine = function (line, x, y) {
    if (line.inlines.some(({ level, inRightToLeft }) => level || inRightToLeft)) order(line);
    renderLine.call(this, line, x, y);
  };
}

function order(line: Line): void {
  const [first, last] = [line.inlines[0]!, line.inlines.at(-1)!];
  const ordered = inVisualOrder(line.inlines);
  // Spaces at the end of a line hang over its left end.
  let x = first.inRightToLeft ? -(last.trailingCut ?? 0) : -(first.leadingCut ?? 0);
  for (const inline of ordered) {
    inline.x = x;
    x += inline.width;
  }
  line.inlines = ordered;
}
