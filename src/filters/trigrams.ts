/**
 * Which entries of an index of parts of texts are asked for. Each one is read by an iterator of its own, over all
 * that the index has of it, so a long text is asked by a few of its entries, and looked for in what these leave.
 */

import type { Operand } from "./operands.ts";

/** Letters of an entry. */
const size = 3;
/** Letters up to which a text is asked for as it stands: the index then knows the place of each. */
const longestWhole = 8;
/** Entries of a longer text, spread over it. */
const mostOfText = 4;
/** Entries of all texts together, except of the first that are asked for. */
const mostOfAll = 16;

export function textsOf(value: Operand): string[] {
  return typeof value === "object" ? value.map(String) : [String(value)];
}

/** Three letters make an entry of an index; and some letters it takes for one another. */
export function isPart(part: string): boolean {
  return [...part].length >= size && !/[\ufffd-\uffff]/.test(part);
}

export interface Asked {
  /** By the place of the text; those of each must all be there. A text that is not asked for has none. */
  readonly entries: readonly (readonly string[])[];
  /** Whether what has the entries has the texts. */
  readonly whole: boolean;
}

/** `texts` have at least the letters of an entry. The longest are asked for first. */
export function entriesOf(texts: readonly string[]): Asked {
  const entries: string[][] = texts.map(() => []);
  let [sum, whole] = [0, true];
  const longestFirst = [...texts.entries()].sort(([, one], [, other]) => other.length - one.length);
  for (const [place, text] of longestFirst) {
    const letters = [...text];
    const isWhole = letters.length <= longestWhole;
    const cost = isWhole ? letters.length - size + 1 : mostOfText;
    if (sum > 0 && sum + cost > mostOfAll) {
      whole = false;
      continue;
    }
    sum += cost;
    entries[place] = isWhole ? [text] : sampled(letters);
    whole &&= isWhole;
  }
  return { entries, whole };
}

/** Of texts one of which is looked for, an entry or two of each; rows that have these may have none of the texts. */
export function entriesOfAny(texts: readonly string[]): string[][] {
  return texts.map((text) => {
    const letters = [...text];
    const first = letters.slice(0, size).join("");
    return texts.length > mostOfAll ? [first] : [...new Set([first, letters.slice(-size).join("")])];
  });
}

/** Some entries from the first to the last of a text. */
function sampled(letters: readonly string[]): string[] {
  const last = letters.length - size;
  const places = Array.from({ length: mostOfText }, (_, n) => Math.round(n * last / (mostOfText - 1)));
  return [...new Set(places.map((place) => letters.slice(place, place + size).join("")))];
}
