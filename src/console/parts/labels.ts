/** Names of fixed fields and countries in the language of the person. Custom fields have the company's names. */
import type { Visit } from "../visit.ts";

interface Labelled {
  /** Of a fixed field a number. */
  readonly id: number | string;
  readonly name: string;
  readonly label: string;
}

export function findLabel({ texts }: Visit, { id, name, label }: Labelled): string {
  return typeof id === "number" ? texts.fixedFields[name] ?? label : label;
}

const regions = new Map<string, Intl.DisplayNames>();
/** Names by language and code: a form has each country, and a look-up costs more than the rest of its option. */
const names = new Map<string, string>();

/** Returns the name of a country, by its code; the given one in English. */
export function nameCountry({ person: { language } }: Visit, code: string, name: string): string {
  if (language === "en" || !/^[A-Z]{2}$/.test(code)) return name;
  const key = `${language} ${code}`;
  const known = names.get(key) ?? getRegions(language).of(code) ?? name;
  names.set(key, known);
  return known;
}

function getRegions(language: string): Intl.DisplayNames {
  const known = regions.get(language) ?? new Intl.DisplayNames([language], { type: "region" });
  regions.set(language, known);
  return known;
}
