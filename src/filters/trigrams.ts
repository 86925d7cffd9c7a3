/**
 * Chooses the entries of a trigram index that a search asks for. The index reads each entry with an iterator
 * of its own, over all rows that have it. So a search asks for a few entries of a long text, and looks for
 * the text in the rows that these leave.
 */

import type { Operand } from "./operands.ts";

/** Letters of an entry. */
const size = 3;
/** The most letters of a text that is asked for whole: the index then checks the place of each entry. */
const longestWhole = 8;
/** Entries of a longer text, spread over it. */
const mostOfText = 4;
/** The most entries of all texts together. The first text is asked for even if it has more. */
const mostOfAll = 16;

/** Returns the texts of an operand: its own, or those of its list. */
export function listTexts(value: Operand): string[] {
  return typeof value === "object" ? value.map(String) : [String(value)];
}

/**
 * Whether the index can find the part: it has at least three letters, and none that the index confuses with
 * others.
 */
export function isPart(part: string): boolean {
  return [...part].length >= size && !/[\ufffd-\uffff]/.test(part);
}

export interface Asked {
  /**
   * The entries of each text, in the order of the texts. A row must have all of them. A text that is not
   * asked for has none.
   */
  readonly entries: readonly (readonly string[])[];
  /** Whether every row that has the entries has the texts. */
  readonly whole: boolean;
}

/**
 * Returns the entries to ask for. Each text has at least three letters. The longest texts are asked for
 * first.
 */
export function chooseEntries(texts: readonly string[]): Asked {
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
    entries[place] = isWhole ? [text] : sampleEntries(letters);
    whole &&= isWhole;
  }
  return { entries, whole };
}

/**
 * Returns one or two entries of each text, for a search for any of the texts. Rows with these entries may
 * have none of the texts.
 */
export function listEntriesOfAny(texts: readonly string[]): string[][] {
  return texts.map((text) => {
    const letters = [...text];
    const first = letters.slice(0, size).join("");
    return texts.length > mostOfAll ? [first] : [...new Set([first, letters.slice(-size).join("")])];
  });
}

/** Some entries from the first to the last of a text. */
function sampleEntries(letters: readonly string[]): string[] {
  const last = letters.length - size;
  const places = Array.from({ length: mostOfText }, (_, n) => Math.round(n * last / (mostOfText - 1)));
  return [...new Set(places.map((place) => letters.slice(place, place + size).join("")))];
}
