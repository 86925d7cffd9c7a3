/** Reads numbers as spreadsheets write them, with either decimal sign and with separators of thousands. */

export const decimalSigns = [".", ","] as const;
export type DecimalSign = (typeof decimalSigns)[number];

/** Blanks and apostrophes between thousands, as in `1 234` and `1'234`. */
const blanks = /(?<=\d)[ '\u00a0\u2009\u202f\u2019](?=\d{3}(?!\d))/g;

const forms: Readonly<Record<DecimalSign, { readonly whole: RegExp; readonly thousands: RegExp }>> = {
  ".": { whole: /^[+-]?(\d+|\d{1,3}(,\d{3})+)?(\.\d+)?$/, thousands: /,/g },
  ",": { whole: /^[+-]?(\d+|\d{1,3}(\.\d{3})+)?(,\d+)?$/, thousands: /\./g },
};

/** Returns the number that a text is with the decimal sign, else null. */
export function readNumber(text: string, sign: DecimalSign): number | null {
  const { whole, thousands } = forms[sign];
  const plain = text.trim().replaceAll(blanks, "");
  if (!/\d/.test(plain) || !whole.test(plain)) return null;
  const value = Number(plain.replaceAll(thousands, "").replace(",", "."));
  return Number.isFinite(value) ? value : null;
}

/**
 * Finds the decimal sign of a file from the values of its numeric columns. A comma is found when a value reads
 * with it alone and none with the point alone.
 */
export class DecimalJudge {
  #commas = 0;
  #points = 0;

  add(text: string): void {
    const [comma, point] = [readNumber(text, ",") !== null, readNumber(text, ".") !== null];
    if (comma && !point) this.#commas++;
    if (point && !comma) this.#points++;
  }

  get sign(): DecimalSign {
    return this.#commas > this.#points ? "," : ".";
  }
}
