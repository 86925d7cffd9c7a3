/** Text for comparison and counting: without case and accents, in characters. */
import { parsePhoneNumberFromString } from "libphonenumber-js";
import { encodeEmail } from "./lines.ts";

/** The longest word that search distinguishes, in characters. */
const longestWord = 64;

/**
 * The longest part of a text without spaces that search distinguishes, in characters. The index has as many of
 * each character's followers.
 */
const longestPart = 6;

/** Returns text without case and accents: `Łódź` is `lodz`, `STRASSE` and `Straße` are `strasse`. */
export function fold(text: string): string {
  if (printableAscii.test(text)) return text.toLowerCase();
  return text.normalize("NFKD").replace(combiningMarks, "").toLowerCase().normalize("NFKD").replace(
    combiningMarks,
    "",
  )
    .replace(specialLetters, (letter) => foldedLetters[letter] ?? letter).normalize("NFC");
}

/**
 * Returns the form in which filters compare a text: by full case folding (`Straße` as `strasse`, `ς` as `σ`), in
 * Unicode's composed form, an e-mail address with its domain in ASCII. SQLite's `lower` gives it for ASCII.
 */
export function foldText(text: string): string {
  if (printableAscii.test(text)) return text.toLowerCase();
  const composed = text.normalize("NFC");
  // First the domain: those with `ß` and `ss` are two.
  return foldCase(emailForm.test(composed) ? encodeEmail(composed) : composed).normalize("NFC");
}

/** Returns a name of a column or field as names are compared: without case, blanks, `-`, `_` and `.`. */
export function simplifyName(name: string): string {
  return name.normalize("NFC").toLowerCase().replaceAll(/[\s\-_.]+/g, "");
}

/**
 * Upper and then lower case is what letters that are equal but for their case have in common. The dotless i is a
 * letter of its own.
 */
function foldCase(text: string): string {
  return text.toLowerCase().replace(/[^\p{ASCII}\u0131]+/gu, (part) => part.toUpperCase().toLowerCase())
    .replaceAll("\u03c2", "\u03c3");
}

/** Returns the folded words of a text, in order. Anything but letters and digits separates words. */
export function splitWords(text: string): string[] {
  return fold(text).match(wordPattern) ?? [];
}

/**
 * Returns the full-text index entry of a record: each word once, prefixed by the scope, so that one index
 * serves many companies and a query reads the entries of one. A scope is a letter, a number and a letter,
 * such as `c12z`, so that none is a prefix of another. Words are letters and digits of any script; the FTS5
 * tokenizer `ascii` keeps them whole (`unicode61` splits at some rare letters). Scripts without spaces do not
 * show where a word begins, so each of their characters begins one.
 */
export function searchTokens(scope: string, texts: readonly (string | null)[]): string {
  const tokens = new Set<string>();
  for (const text of texts) {
    if (text === null) continue;
    for (const word of splitWords(text)) {
      for (const part of splitByScript(word)) {
        if (!spacelessStart.test(part)) tokens.add(scope + cut(part));
        else for (const piece of listPieces(part, 1)) tokens.add(scope + piece);
      }
    }
  }
  return [...tokens].join(" ");
}

/**
 * Returns the FTS5 expression for records of a scope in which every word of the query starts some word, such
 * as `"c12zmul"* AND "c12zsch"*`; a phone number also without its signs, and without the code of its country.
 * Null for an empty query; one of signs alone finds nothing.
 */
export function searchMatch(scope: string, query: string): string | null {
  const starts = [...new Set(splitWords(query).flatMap(splitByScript).flatMap(listStarts))];
  // A word also matches its own prefixes, and short ones are the slowest.
  const asked = starts.filter((word) => !starts.some((other) => other !== word && other.startsWith(word)));
  // No record has the scope alone as a word.
  if (asked.length === 0) return query.trim() === "" ? null : `"${scope}"`;
  const wanted = asked.map((word) => `"${scope}${word}"*`);
  const numbers = extractNumbers(query).filter((number) => number.length >= 6 && !asked.includes(number));
  if (numbers.length === 0) return wanted.join(" AND ");
  return `((${wanted.join(" ")}) OR ${numbers.map((number) => `"${scope}${cut(number)}"*`).join(" OR ")})`;
}

/** Counts the words of a query that start a word of the text, as `searchMatch` finds them. */
export function countMatches(query: string, text: string): number {
  const starts = [...new Set(splitWords(query).flatMap(splitByScript).flatMap(listStarts))];
  const found = searchTokens("", [text]).split(" ");
  const begins = (word: string) => found.some((other) => other.startsWith(word));
  if (extractNumbers(query).some((number) => number.length >= 6 && begins(number))) {
    return Math.max(1, starts.length);
  }
  return starts.filter(begins).length;
}

/**
 * Returns JSON of the texts that SQLite's `lower` cannot convert, in their compared form by name: those with
 * letters beyond ASCII. Null when there are none.
 */
export function foldTexts(texts: Readonly<Record<string, string | null>>): string | null {
  const folded: Record<string, string> = {};
  for (const name in texts) {
    const text = texts[name];
    if (text !== null && text !== undefined && !asciiOnly.test(text)) folded[name] = foldText(text);
  }
  return Object.keys(folded).length > 0 ? JSON.stringify(folded) : null;
}

/** Returns whether a text has more than this many characters (Unicode code points; an emoji is one). */
export function isLonger(text: string, most: number): boolean {
  if (text.length <= most) return false;
  // A code point has at most two units.
  return text.length > 2 * most || [...text].length > most;
}

/** What may be a phone number. */
const phoneNumberForm = /^[\d\s()+./\-\u00a0]+$/;
const printableAscii = /^[ -~]*$/;
const asciiOnly = /^\p{ASCII}*$/u;
const emailForm = /^[^\s@]+@[^\s@]+$/;
const combiningMarks = /\p{M}+/gu;
const wordPattern = /[\p{L}\p{N}]+/gu;
const scripts = [
  "Han",
  "Hira",
  "Kana",
  "Bopo",
  "Thai",
  "Laoo",
  "Khmr",
  "Mymr",
  "Tibt",
  "Tale",
  "Talu",
  "Lana",
  "Java",
]
  .map((script) => `\\p{scx=${script}}`).join("");
/** A character of a script that is written without spaces between words. */
const spacelessStart = new RegExp(`^[${scripts}]`, "u");
const scriptRuns = new RegExp(`[${scripts}]+|[^${scripts}]+`, "gu");

/** Letters that Unicode does not decompose into a base letter and an accent. */
const foldedLetters: Record<string, string> = {
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
const specialLetters = new RegExp(`[${Object.keys(foldedLetters).join("")}]`, "g");

/** Returns the digits by which a phone number is also searched. */
function extractNumbers(query: string): string[] {
  if (!phoneNumberForm.test(query)) return [];
  const national = parsePhoneNumberFromString(query.trim().replace(/^00/, "+"))?.nationalNumber;
  return [query.replace(/\D/g, "").replace(/^00/, ""), ...(national ? [national] : [])];
}

/** Returns the parts of a word in scripts without spaces, and those between them. */
function splitByScript(word: string): string[] {
  return printableAscii.test(word) ? [word] : word.match(scriptRuns) ?? [];
}

/** Returns what must begin words of the index when a text has this part. */
function listStarts(part: string): string[] {
  if (!spacelessStart.test(part)) return [cut(part)];
  return listPieces(part, longestPart);
}

/** Returns the beginnings from each `step`th character, and in larger steps also the last whole one. */
function listPieces(part: string, step: number): string[] {
  // Where each character begins; characters beyond the basic plane have two units.
  const starts: number[] = [];
  for (let at = 0; at < part.length; at += part.codePointAt(at)! > 0xffff ? 2 : 1) starts.push(at);
  const pieces: string[] = [];
  for (let at = 0; at < starts.length; at += step) {
    const from = step === 1 ? at : Math.max(0, Math.min(at, starts.length - longestPart));
    pieces.push(part.slice(starts[from], starts[from + longestPart]));
  }
  return pieces;
}

function cut(word: string): string {
  if (word.length <= longestWord) return word;
  return [...word].slice(0, longestWord).join("");
}

/** Returns the first `most` UTF-16 units of a text, or one less if that would split a character. */
export function takeBeginning(text: string, most: number): string {
  return text.slice(0, most).replace(/[\ud800-\udbff]$/, "");
}
