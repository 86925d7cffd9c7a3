/** Reads the words of cells: booleans, choices, countries and names. */
import type { FieldOption } from "../../fields/fixed_fields.ts";
import { listCountries } from "../../core/reference.ts";
import { fold } from "../../core/text.ts";

const booleans: Readonly<Record<string, boolean>> = {
  true: true,
  false: false,
  1: true,
  0: false,
  yes: true,
  no: false,
  ja: true,
  nee: false,
  nein: false,
  oui: true,
  non: false,
  x: true,
};

/** Returns what a word says, in English, Dutch, German or French, else null. */
export function readBoolean(text: string): boolean | null {
  const word = text.trim().toLowerCase();
  return Object.hasOwn(booleans, word) ? booleans[word]! : null;
}

/**
 * Parts values that stand in one cell between `|`. Inside a value it is written `\|`; backslashes that stand
 * right before a `|` are written twice. All other backslashes stand for themselves.
 */
export function splitValues(cell: string): string[] {
  const pieces = cell.split("|");
  const last = pieces.pop()!;
  const values: string[] = [];
  let value = "";
  for (const piece of pieces) {
    const backslashes = endingBackslashes(piece);
    value += piece.slice(0, piece.length - backslashes.length) +
      backslashes.slice(0, Math.floor(backslashes.length / 2));
    if (backslashes.length % 2 === 1) value += "|";
    else {
      values.push(value);
      value = "";
    }
  }
  values.push(value + last);
  return values.map((each) => each.trim()).filter((each) => each !== "");
}

/** Joins values so that `splitValues` parts them again. */
export function joinValues(values: readonly string[]): string {
  const beforeBar = (text: string) => text + endingBackslashes(text);
  const inside = values.map((value) =>
    value.split("|").map((piece, place, { length }) => place < length - 1 ? `${beforeBar(piece)}\\` : piece)
      .join("|")
  );
  return inside.map((value, place) => place < inside.length - 1 ? beforeBar(value) : value).join("|");
}

function endingBackslashes(text: string): string {
  let from = text.length;
  while (text[from - 1] === "\\") from--;
  return text.slice(from);
}

/** Returns the option of an id or a value without case, else null. Ids go first. */
export function findOption(text: string, options: readonly FieldOption[]): FieldOption | null {
  const given = text.trim().toLowerCase();
  return options.find(({ id }) => id.toLowerCase() === given) ??
    options.find(({ value }) => value.trim().toLowerCase() === given) ?? null;
}

/** Returns the code of a country by its code, or by its name in English or in the language; else null. */
export function findCountry(text: string, language: string): string | null {
  const given = text.trim();
  if (given.length > longestCountry) return null;
  const byCode = listCountries().find(({ code }) => code === given.toUpperCase());
  return byCode?.code ?? mapCountryCodes(language).get(fold(given)) ??
    mapCountryCodes("en").get(fold(given)) ?? null;
}

/** Characters of a country's name at most; no language has one of half this length. */
const longestCountry = 200;

const names = new Map<string, ReadonlyMap<string, string>>();
/** Languages whose names are kept. */
const mostLanguages = 50;

/** Codes of countries by their folded names in a language. */
function mapCountryCodes(language: string): ReadonlyMap<string, string> {
  const kept = names.get(language);
  if (kept) return kept;
  const shown = new Intl.DisplayNames([language], { type: "region" });
  const found = new Map(
    listCountries().flatMap(({ code, name }): [string, string][] => [
      ...(language === "en" ? [[fold(name), code] as [string, string]] : []),
      [fold(shown.of(code) ?? name), code],
    ]),
  );
  if (names.size >= mostLanguages) names.clear();
  names.set(language, found);
  return found;
}

/** Words before a last name that belong to it. */
const particles = new Set([
  "van",
  "de",
  "der",
  "den",
  "von",
  "zu",
  "da",
  "di",
  "du",
  "la",
  "le",
  "ter",
  "ten",
]);

/** Parts a full name: `Last, First`, else the last word with the particles before it is the last name. */
export function splitName(
  text: string,
): { readonly first_name: string | null; readonly last_name: string | null } {
  const name = text.trim().replaceAll(/\s+/g, " ");
  const comma = name.indexOf(",");
  if (comma >= 0) {
    return { first_name: orNull(name.slice(comma + 1)), last_name: orNull(name.slice(0, comma)) };
  }
  const parts = name.split(" ");
  let start = parts.length - 1;
  while (start > 0 && particles.has(parts[start - 1]!.toLowerCase())) start--;
  return {
    first_name: orNull(parts.slice(0, start).join(" ")),
    last_name: orNull(parts.slice(start).join(" ")),
  };
}

function orNull(text: string): string | null {
  return text.trim() || null;
}
