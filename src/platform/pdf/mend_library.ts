/** Mends the library that makes PDFs, once. */
import type { Buffer } from "node:buffer";
import type { Font } from "./mend_fonts.ts";
import type { SetRun } from "./typeset.ts";
import { orderVisually } from "./visual_order.ts";

/** Classes of the library. */
export interface LibraryClasses {
  readonly document: {
    readonly prototype: DocumentFonts;
    new (
      fonts: object,
      images: object,
      patterns: object,
      attachments: object,
      options: object,
    ): DocumentFonts;
  };
  readonly renderer: { readonly prototype: { renderLine(line: Line, x: number, y: number): void } };
}

const mended = new WeakSet<object>();

/** Mends the classes, unless they are. */
export function mendLibrary({ document, renderer }: LibraryClasses): void {
  if (mended.has(document)) return;
  mended.add(document);
  orderLines(renderer);
  openFontsOfImages(document);
}

export interface DocumentFonts {
  _font: { readonly font: Font } | null;
  readonly virtualfs: { existsSync(name: string): boolean; readFileSync(name: string): Buffer };
  font(source: unknown, ...more: readonly unknown[]): unknown;
}

/**
 * Lets texts of SVG images have fonts of the document's own files, with or without settings. Each is opened once.
 *
 * Works around: the library looks for the file of such a font on the disk alone, and gives its name and its
 * settings as one value.
 * True for: pdfmake 0.3.11.
 * Remove when: an SVG image shows text in a font with weights without this.
 */
function openFontsOfImages({ prototype }: LibraryClasses["document"]): void {
  const { font } = prototype;
  const opened = new WeakMap<DocumentFonts, Map<unknown, DocumentFonts["_font"]>>();
  prototype.font = function (source, ...more) {
    const [file, ...settings] = source instanceof Array
      ? source as [unknown, ...unknown[]]
      : [source, ...more];
    const isName = typeof file === "string" && this.virtualfs.existsSync(file);
    if (!isName && !(source instanceof Array)) return font.call(this, source, ...more);
    const own = opened.get(this) ?? new Map<unknown, DocumentFonts["_font"]>();
    opened.set(this, own);
    const known = own.get(source);
    if (known) {
      this._font = known;
      return this;
    }
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
function orderLines({ prototype }: LibraryClasses["renderer"]): void {
  const { renderLine } = prototype;
  prototype.renderLine = function (line, x, y) {
    if (line.inlines.some(({ level, inRightToLeft }) => level || inRightToLeft)) order(line);
    renderLine.call(this, line, x, y);
  };
}

function order(line: Line): void {
  const [first, last] = [line.inlines[0]!, line.inlines.at(-1)!];
  const ordered = orderVisually(line.inlines);
  // Spaces at the end of a line hang over its left end.
  let x = first.inRightToLeft ? -(last.trailingCut ?? 0) : -(first.leadingCut ?? 0);
  for (const inline of ordered) {
    inline.x = x;
    x += inline.width;
  }
  line.inlines = ordered;
}
