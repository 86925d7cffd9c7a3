/** The languages of the pages, and who reads which. */

/** ISO 639-1 codes of the languages that the pages are written in. */
const written = ["en", "de"] as const;
export type WrittenLanguage = typeof written[number];

/** Returns the language of a person: that of the locale, else of the company, else English. */
export function chooseLanguage(locale: string, company: string): WrittenLanguage {
  return [locale, company].map((code) => code.slice(0, 2).toLowerCase()).find(isWritten) ?? "en";
}

/** Returns the language that a browser prefers, of those that there are. It refuses one of weight 0. */
export function readAcceptedLanguage(header: string | null): WrittenLanguage {
  const wanted = (header ?? "").split(",").map((part) => {
    const [code = "", weight = "q=1"] = part.trim().split(";");
    return { code: code.slice(0, 2).toLowerCase(), weight: Number(weight.trim().slice(2)) || 0 };
  });
  return wanted.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight).map(({ code }) => code)
    .find(isWritten) ?? "en";
}

function isWritten(code: string): code is WrittenLanguage {
  return written.some((one) => one === code);
}
