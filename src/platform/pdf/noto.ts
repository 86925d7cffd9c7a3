/**
 * The parts of the Noto fonts, for characters that Roboto lacks. Each part has some characters of a font and is
 * read when a text needs it.
 */

/** A font with its parts. */
export interface FontParts {
  readonly font: string;
  /** Whether its parts have all weights. */
  readonly isVariable: boolean;
  /** By name of the part: its characters, such as `U+0600-06FF,U+0750`. */
  readonly parts: Readonly<Record<string, string>>;
}

/** A part of a font. */
export interface Face {
  /** Unique among all parts. */
  readonly id: string;
  /** Unique among all parts, from 0. */
  readonly number: number;
  readonly font: string;
  /** Whether it has all weights. */
  readonly isVariable: boolean;
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

export interface FontIndex {
  /** All parts. */
  readonly faces: readonly Face[];
  /** Returns the parts that may have the character, the best first. `kin`: a font to prefer. */
  facesFor(code: number, kin: string | null): readonly Face[];
}

/** Returns the index of fonts. The first font that has a character shows it. */
export function indexFonts(fonts: readonly FontParts[]): FontIndex {
  let number = 0;
  const families = fonts.map((font) => indexFont(font, () => number++));
  return {
    faces: [...new Set(families.flatMap(({ ranges }) => ranges.map(([, , face]) => face)))],
    facesFor(code, kin) {
      const faces = families.flatMap(({ font, ranges }) => {
        const face = faceIn(ranges, code);
        return face ? [{ face, font }] : [];
      });
      const isKin = ({ font }: { font: string }) => font === kin;
      return [...faces.filter(isKin), ...faces.filter((each) => !isKin(each))].map(({ face }) => face);
    },
  };
}

function indexFont({ font, isVariable, parts }: FontParts, nextNumber: () => number): Family {
  const ranges = Object.entries(parts).flatMap(([name, list]) => {
    // Other fonts only claim these characters.
    if (common.test(name) && !commonFonts.includes(font)) return [];
    const face = { id: `${font}-${name.replaceAll(/[[\]]/g, "")}`, number: nextNumber(), font, isVariable };
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
