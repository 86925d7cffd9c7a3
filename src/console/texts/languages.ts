/** The languages of the console. */
import { german } from "./de.ts";
import { english, type Texts } from "./en.ts";

export const languages = { en: english, de: german } as const satisfies Record<string, Texts>;
export type Language = keyof typeof languages;

/** Returns the language of a person: that of the locale, else of the company, else English. */
export function languageOf(locale: string, company: string): Language {
  return [locale, company].map((code) => code.slice(0, 2).toLowerCase()).find(isLanguage) ?? "en";
}

/** Returns the language that a browser prefers, of those that there are. */
export function acceptedLanguage(header: string | null): Language {
  const wanted = (header ?? "").split(",").map((part) => {
    const [code = "", weight = "q=1"] = part.trim().split(";");
    return { code: code.slice(0, 2).toLowerCase(), weight: Number(weight.trim().slice(2)) || 0 };
  });
  return wanted.sort((a, b) => b.weight - a.weight).map(({ code }) => code).find(isLanguage) ?? "en";
}

function isLanguage(code: string): code is Language {
  return Object.hasOwn(languages, code);
}
