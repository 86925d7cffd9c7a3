/** Text as it is compared and counted: without case and accents, and in characters. */

/** The longest word that search tells apart from another, in characters. */
const LONGEST_WORD = 64;

/** Text without case and accents: `Łódź` is `lodz`, `STRASSE` and `Straße` are `strasse`. */
export function fold(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  return text.normalize("NFKD").replace(MARKS, "").toLowerCase().normalize("NFKD").replace(MARKS, "")
    .replace(SPECIAL, (letter) => LETTERS[letter] ?? letter).normalize("NFC");
}

/** The folded words of a text in order. A word ends at anything but letters and digits. */
export function words(text: string): string[] {
  return fold(text).match(WORD) ?? [];
}

/**
 * What the full-text index keeps of a record: each word once, with the scope in front of it, so that one
 * index serves many companies and a query reads the entries of one. A scope is a letter, a number and a
 * letter, such as `c12z`: then none is the start of another. Words are letters and digits of any script;
 * the tokenizer `ascii` of FTS5 keeps every one of them whole (`unicode61` cuts some rare letters off).
 */
export function searchTokens(scope: string, texts: readonly (string | null)[]): string {
  const tokens = new Set<string>();
  for (const text of texts) {
    if (text === null) continue;
    for (const word of words(text)) tokens.add(scope + cut(word));
  }
  return [...tokens].join(" ");
}

/**
 * The FTS5 expression that matches the records of a scope in which every word of the query starts some
 * word, as in `"c12zmul"* AND "c12zsch"*`. Null when the query has no word at all.
 */
export function searchMatch(scope: string, query: string): string | null {
  const starts = [...new Set(words(query).map(cut))];
  // What starts with a word starts with its beginnings too, and short ones cost the most.
  const asked = starts.filter((word) => !starts.some((other) => other !== word && other.startsWith(word)));
  return asked.length === 0 ? null : asked.map((word) => `"${scope}${word}"*`).join(" AND ");
}

/**
 * What of a record's texts SQLite cannot put into lower case, by name: the texts in lower case where they hold
 * letters beyond ASCII, as JSON; null when there are none.
 */
export function foldedTexts(texts: Readonly<Record<string, string | null>>): string | null {
  const folded: Record<string, string> = {};
  for (const name in texts) {
    const text = texts[name];
    if (text !== null && text !== undefined && !ASCII.test(text)) folded[name] = text.toLowerCase();
  }
  return Object.keys(folded).length > 0 ? JSON.stringify(folded) : null;
}

/** Whether a text has more than so many characters, which are Unicode code points: an emoji is one. */
export function isLonger(text: string, most: number): boolean {
  if (text.length <= most) return false;
  // A code point takes two units at most.
  return text.length > 2 * most || [...text].length > most;
}

const PLAIN = /^[ -~]*$/;
const ASCII = /^\p{ASCII}*$/u;
const MARKS = /\p{M}+/gu;
const WORD = /[\p{L}\p{N}]+/gu;

/** Letters that Unicode does not take apart into a base letter and an accent. */
const LETTERS: Record<string, string> = {
  "ß": "ss",
  "æ": "ae",
  "œ": "oe",
  "ø": "o",
  "ł": "l",
  "đ": "d",
  "ð": "d",
  "þ": "th",
  "ħ": "h",
  "ŧ": "t",
  "ŋ": "n",
  "ı": "i",
  "ĸ": "k",
  "ς": "σ",
};
const SPECIAL = new RegExp(`[${Object.keys(LETTERS).join("")}]`, "g");

function cut(word: string): string {
  if (word.length <= LONGEST_WORD) return word;
  return [...word].slice(0, LONGEST_WORD).join("");
}
