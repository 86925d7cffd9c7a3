/** Chooses a font for each character of a text, and the direction of each part. */
import { computeLevels, mirrorCharacter } from "./bidi.ts";
import { chooseHanFont, type Face } from "./noto.ts";
import type { Run } from "./pdf.ts";
import type { SetText } from "./press.ts";
import { findUnshown, isInvisible, keepShown, withPlainSpaces } from "./shown_text.ts";

/** A part of a text with one font and direction. */
export interface SetRun extends Run {
  /** The id of a `Face`; absent: the usual font. */
  readonly font?: string;
  /** The level of the bidirectional algorithm; absent: 0. */
  readonly level?: number;
  /** Whether its paragraph runs from right to left. */
  readonly inRightToLeft?: boolean;
}

/** The fonts to choose from. */
export interface Choice {
  /** Returns the parts that may have the character, the best first. `kin`: a font to prefer. */
  facesFor(code: number, kin: string | null): Promise<readonly Face[]>;
  /** Returns whether the part of a font has a glyph for the character, and loads the part. */
  hasGlyph(face: Face, code: number): Promise<boolean>;
}

/** Leaves out what no font has. */
export async function typeset(given: string | readonly Run[], fonts: Choice): Promise<SetText> {
  const runs = typeof given === "string" ? [{ text: given }] : given;
  const texts = runs.map(({ text }) => withPlainSpaces(text.normalize("NFC")));
  const whole = texts.join("");
  const bidi = computeLevels(whole);
  if (bidi === null && findUnshown(whole).length === 0) {
    const plain = typeof given === "string"
      ? keepShown(given)
      : runs.map((run) => ({ ...run, text: keepShown(run.text) }));
    return { text: plain, isRightToLeft: false, unshown: [] };
  }
  const isRightToLeft = bidi?.isRightToLeft ?? false;
  const set: { -readonly [M in keyof SetRun]: SetRun[M] }[] = [];
  const styles: Run[] = [];
  const unshown = new Set<string>();
  const add = (style: Run, text: string, face: Face | null, level: number, isAlone: boolean) => {
    const last = set.at(-1);
    const font = face?.id;
    if (!isAlone && last?.font === font && last?.level === level && styles.at(-1) === style) {
      last.text += text;
    } else {
      styles.push(style);
      set.push({ ...style, text, ...(font ? { font } : {}), level, inRightToLeft: isRightToLeft });
    }
  };
  const faces = new Map<string, Face | null | undefined>();
  const han = chooseHanFont(whole);
  let [at, kin]: [number, Face | null] = [0, null];
  for (const [index, text] of texts.entries()) {
    for (const character of text) {
      const level = bidi?.levels[at] ?? 0;
      at += character.length;
      if (isInvisible(character)) {
        // Joiners and marks belong to the letters before them.
        if (kin && await fonts.hasGlyph(kin, character.codePointAt(0)!)) {
          add(runs[index]!, character, kin, level, false);
        }
        continue;
      }
      let face = faces.get(character);
      if (face === undefined && !faces.has(character)) {
        face = await faceFor(character, han, fonts);
        faces.set(character, face);
      }
      if (face === undefined) {
        unshown.add(character);
        continue;
      }
      kin = face;
      // Signs of the usual font are turned one by one; the library orders the letters of right-to-left scripts.
      const isTurned = face === null && level % 2 === 1;
      add(runs[index]!, isTurned ? mirrorCharacter(character) : character, face, level, isTurned);
    }
  }
  return { text: set, isRightToLeft, unshown: [...unshown] };
}

/** Null: the usual font. Undefined: none has it. */
async function faceFor(
  character: string,
  han: string | null,
  { facesFor, hasGlyph }: Choice,
): Promise<Face | null | undefined> {
  if (findUnshown(character).length === 0) return null;
  const code = character.codePointAt(0)!;
  for (const face of await facesFor(code, han)) if (await hasGlyph(face, code)) return face;
  return undefined;
}
