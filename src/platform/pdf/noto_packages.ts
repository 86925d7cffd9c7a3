/** The Noto fonts of a box, which lie in their packages. */
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { type FontIndex, type FontParts, indexFonts } from "./noto.ts";
import type { Fonts } from "./press_noto.ts";
import { findUnshown } from "./shown_text.ts";

/** Fonts with all weights, then those of one weight. The first font that has a character shows it. */
const variable =
  "arabic armenian bengali devanagari ethiopic georgian gujarati gurmukhi hebrew kannada khmer " +
  "lao malayalam myanmar oriya sinhala tamil telugu thaana thai cherokee canadian-aboriginal sc tc jp kr symbols";
const fonts: readonly Omit<FontParts, "parts">[] = [
  { font: "noto-sans", isVariable: true },
  ...variable.split(" ").map((name) => ({ font: `noto-sans-${name}`, isVariable: true })),
  { font: "noto-serif-tibetan", isVariable: true },
  ...["mongolian", "nko", "syriac", "tifinagh", "math", "symbols-2"].map((name) => ({
    font: `noto-sans-${name}`,
    isVariable: false,
  })),
  { font: "noto-emoji", isVariable: true },
];

const require = createRequire(import.meta.url);
let index: FontIndex | undefined;

/** Returns all fonts with their parts. */
export function listFonts(): FontParts[] {
  return fonts.map((font) => ({ ...font, parts: JSON.parse(readFileSync(findIndex(font), "utf8")) }));
}

function findIndex({ font, isVariable }: Omit<FontParts, "parts">): string {
  return require.resolve(`@fontsource${isVariable ? "-variable" : ""}/${font}/unicode.json`);
}

/** Returns the index of all fonts. */
export function indexPackages(): FontIndex {
  return index ??= indexFonts(listFonts());
}

/** The fonts as documents use them. */
export const packagedFonts: Fonts = {
  index: indexPackages,
  async readFace(face) {
    const kind = face.isVariable ? "wght" : "400";
    const path = join(dirname(findIndex(face)), `files/${face.id}-${kind}-normal.woff2`);
    const { default: woff2 } = await import("wawoff2");
    // The decoder uses the memory of its result again.
    return new Uint8Array(await woff2.decompress(await readFile(path)));
  },
  readRoboto(name) {
    return readFile(join(dirname(require.resolve("pdfmake/package.json")), "fonts/Roboto", name));
  },
  mostBytes: Infinity,
};

/** Returns the characters of a text that documents of a box cannot show, each once. */
export function findUnshownOnBox(text: string): string[] {
  const { facesFor } = indexPackages();
  return findUnshown(text).filter((character) => facesFor(character.codePointAt(0)!, null).length === 0);
}
