/**
 * Marks that stand for values while a text is cleaned. Messages that differ by their values alone are then
 * cleaned once, and filled with escaped values.
 */

/** Characters of no use in a text. They are no blanks, and no HTML. */
const [first, last] = ["\x02", "\x03"];
/** Finds marks. Splitting by it gives texts and numbers by turns. */
export const marksPattern = new RegExp(`${first}(\\d+)${last}`);
const everyMark = new RegExp(marksPattern, "g");
/** A mark within the name of a tag or an entity, where a value would change what is parsed. */
const inName = new RegExp(`[<&][!/?#\\w-]*${first}`);

export class Marks {
  /** The value of each mark: plain text. */
  readonly values: string[] = [];
  readonly #numbers = new Map<string, number>();
  /** Whether no text contains the characters of marks. */
  isClear = true;

  /** Returns the mark of a value. Equal values have one mark, so that what depends on equality stays. */
  of(value: string): string {
    const number = this.#numbers.get(value) ?? this.values.push(value) - 1;
    this.#numbers.set(value, number);
    return first + number + last;
  }

  /** Begins another text, whose marks differ. */
  beginText(): void {
    this.#numbers.clear();
  }

  /** Looks for the characters of marks in a text that is not a value. */
  check(text: string): void {
    if (text.includes(first)) this.isClear = false;
  }
}

/** Returns the numbers of the marks in a text. */
export function listMarks(text: string): ReadonlySet<number> {
  return new Set([...text.matchAll(everyMark)].map(([, number]) => Number(number)));
}

/** Returns whether each mark of a text is still in the cleaned text, and could not be part of a name. */
export function keepsMarks(marked: string, cleaned: string): boolean {
  return !inName.test(marked) && listMarks(marked).isSubsetOf(listMarks(cleaned));
}
