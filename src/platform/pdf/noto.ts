/**
 * The Noto fonts of a box, for characters that Roboto lacks. They lie in their packages, cut in parts, each of
 * which is read when a text needs it.
 */
import { readFile } from "node:fs/promises";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { findUnshown } from "./shown_text.ts";

/** Fonts with all weights, then those of one weight. The first font that has a character shows it. */
const variable =
  "arabic armenian bengali devanagari ethiopic georgian gujarati gurmukhi hebrew kannada khmer " +
  "lao malayalam myanmar oriya sinhala tamil telugu thaana thai cherokee canadian-aboriginal sc tc jp kr symbols";
const families: readonly (readonly [packageName: string, font: string, kind: "wght" | "400"])[] = [
  nameFont("variable", "noto-sans"),
  ...variable.split(" ").map((name) => nameFont("variable", `noto-sans-${name}`)),
  nameFont("variable", "noto-serif-tibetan"),
  ...["mongolian", "nko", "syriac", "tifinagh", "math", "symbols-2"].map((name) =>
    nameFont("", `noto-sans-${name}`)
  ),
  nameFont("variable", "noto-emoji"),
];

function nameFont(kind: "variable" | "", font: string) {
  return kind === ""
    ? [`@fontsource/${font}`, font, "400"] as const
    : [`@fontsource-variable/${font}`, font, "wght"] as const;
}

/** A part of a font. */
export interface Face {
  /** Unique among all parts. */
  readonly id: string;
  /** Whether it has all weights. */
  readonly isVariable: boolean;
  readonly path: string;
}

/** Parts for scripts of Europe and for signs, which these fonts have and others only claim. */
const common = /^(?:latin|latin-ext|greek|greek-ext|cyrillic|cyrillic-ext|vietnamese|math|symbols)$/;
const commonFonts = ["noto-sans", "noto-sans-math", "noto-sans-symbols", "noto-sans-symbols-2"];

/** `reach`: the highest `last` up to here. */
type Range = readonly [first: number, last: number, face: Face, reach: number];

interface Family {
  readonly font: string;
  /** In ascending order. */
  readonly ranges: readonly Range[];
}

const require = createRequire(import.meta.url);
let found: readonly Family[] | undefined;

function allFamilies(): readonly Family[] {
  return found ??= families.map(([packageName, font, kind]) => {
    const index = require.resolve(`${packageName}/unicode.json`);
    const parts = JSON.parse(readFileSync(index, "utf8")) as Record<string, string>;
    const ranges = Object.entries(parts).flatMap(([name, list]) => {
      if (common.test(name) && !commonFonts.includes(font)) return [];
      const id = `${font}-${name.replaceAll(/[[\]]/g, "")}`;
      const path = index.replace("unicode.json", `files/${id}-${kind}-normal.woff2`);
      const face = { id, isVariable: kind === "wght", path };
      return list.split(",").map((range) => {
        const [first, last = first] = range.trim().slice(2).split("-").map((code) => parseInt(code, 16));
        return [first!, last!, face] as const;
      });
    });
    let reach = 0;
    const sorted = ranges.sort(([left], [right]) => left - right);
    return {
      font,
      ranges: sorted.map(([first, last, face]): Range => [first, last, face, reach = Math.max(reach, last)]),
    };
  });
}

/** Returns the parts that may have the character, the best first. `kin`: a font to prefer. */
export function facesFor(code: number, kin: string | null): Face[] {
  const faces = allFamilies().flatMap(({ font, ranges }) => {
    const face = faceIn(ranges, code);
    return face ? [{ face, font }] : [];
  });
  const isKin = ({ font }: { font: string }) => font === kin;
  return [...faces.filter(isKin), ...faces.filter((each) => !isKin(each))].map(({ face }) => face);
}

function faceIn(ranges: readonly Range[], code: number): Face | null {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[middle]![0] <= code) low = middle + 1;
    else high = middle;
  }
  // Parts overlap: a longer one can begin before.
  for (let at = low - 1; at >= 0 && ranges[at]![3] >= code; at--) {
    const [, last, face] = ranges[at]!;
    if (code <= last) return face;
  }
  return null;
}

/** Returns the font of Chinese characters in a text, which Japanese and Korean write in forms of their own. */
export function chooseHanFont(text: string): string | null {
  if (/[\u3040-\u30ff]/.test(text)) return "noto-sans-jp";
  return /\p{Script=Hangul}/u.test(text) ? "noto-sans-kr" : null;
}

/** Returns the characters of a text that documents of a box cannot show, each once. */
export function findUnshownOnBox(text: string): string[] {
  return findUnshown(text).filter((character) => facesFor(character.codePointAt(0)!, null).length === 0);
}

/** Returns a part in the format that the library of PDFs embeds. */
export async function readFace({ path }: Face): Promise<Uint8Array> {
  const { default: woff2 } = await import("wawoff2");
  // The decoder uses the memory of its result again.
  return new Uint8Array(await woff2.decompress(await readFile(path)));
}
