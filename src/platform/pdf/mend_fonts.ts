/**
 * Mends the library that reads fonts where it fails with those of Noto.
 *
 * Works around: the encoder of outlines does not fit the package that it uses, and some tables of joins and marks
 * end in an error.
 * True for: fontkit 2.0.4, pdfmake 0.3.11.
 * Remove when: the test of all fonts passes without this file.
 */
import { Buffer } from "node:buffer";
import { encodeOutline, type Outline } from "./glyphs.ts";

/** The part of fontkit that is used. */
export interface Font {
  /** The characters that it has. */
  readonly characterSet: readonly number[];
  createSubset(): { readonly glyphEncoder: object };
  layout(text: string, ...more: readonly unknown[]): unknown;
  readonly _layoutEngine: { engine: { readonly GPOSProcessor?: object } | null };
}

const mended = new WeakSet<object>();
let hasMendedAnchors = false;

/** Mends the classes that the library uses for this font and others. */
export function mendFonts(font: Font, isVariable: boolean): void {
  if (isVariable) mendEncoder(font.createSubset().glyphEncoder);
  mendLayout(font);
  if (hasMendedAnchors) return;
  // The library makes what places marks with the first text, which takes time and memory.
  font.layout("a");
  const { engine } = font._layoutEngine;
  if (engine?.GPOSProcessor) mendAnchors(engine.GPOSProcessor);
}

/** The library's own encoder does not fit the version of a package that it uses. */
function mendEncoder(encoder: object): void {
  Object.assign(Object.getPrototypeOf(encoder), {
    encodeSimple: (outline: Outline) => Buffer.from(encodeOutline(outline)),
  });
}

/** Places letters side by side where the library cannot read how the font joins them. */
function mendLayout(font: Font): void {
  const prototype = Object.getPrototypeOf(font) as Font;
  if (mended.has(prototype)) return;
  mended.add(prototype);
  const { layout } = prototype;
  prototype.layout = function (this: Font, ...given) {
    try {
      return layout.apply(this, given);
    } catch (error) {
      if (!this._layoutEngine.engine) throw error;
      this._layoutEngine.engine = null;
      return layout.apply(this, given);
    }
  };
}

/** Leaves a mark where it is when its letter has no place for it. */
function mendAnchors(processor: object): void {
  const prototype = Object.getPrototypeOf(processor) as {
    applyAnchor(mark: unknown, base: unknown, index: unknown): void;
  };
  if (mended.has(prototype)) return;
  mended.add(prototype);
  hasMendedAnchors = true;
  const { applyAnchor } = prototype;
  prototype.applyAnchor = function (mark, base, index) {
    if (base !== null) applyAnchor.call(this, mark, base, index);
  };
}
