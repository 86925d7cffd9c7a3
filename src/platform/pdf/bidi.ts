/** Orders text that runs from right to left, by the bidirectional algorithm of Unicode. */
// The types of the package do not fit its main module on this runtime.
import makeBidi from "bidi-js/dist/bidi.mjs";

interface Bidi {
  getEmbeddingLevels(text: string): {
    readonly levels: Uint8Array;
    readonly paragraphs: readonly { readonly start: number; readonly end: number; readonly level: number }[];
  };
  getMirroredCharacter(character: string): string | null;
}

let loaded: Bidi | undefined;

/** Makes it with the first such text. */
function bidi(): Bidi {
  return loaded ??= makeBidi() as Bidi;
}
const rightToLeft =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\u202b\u202e\u2067]/u;

export interface Levels {
  /** By code unit. Odd levels run from right to left. */
  readonly levels: Uint8Array;
  /** Whether the first paragraph runs from right to left. */
  readonly isRightToLeft: boolean;
}

/** Returns null for text that runs from left to right alone. */
export function computeLevels(text: string): Levels | null {
  if (!rightToLeft.test(text)) return null;
  const { levels, paragraphs } = bidi().getEmbeddingLevels(text);
  return { levels, isRightToLeft: paragraphs[0]?.level === 1 };
}

/** Returns a sign as it looks in text that runs from right to left: brackets open to the other side. */
export function mirrorCharacter(character: string): string {
  return bidi().getMirroredCharacter(character) ?? character;
}
