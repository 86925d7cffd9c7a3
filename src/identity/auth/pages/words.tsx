/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** The texts of the pages in the language of their reader. */
import { type Child, createContext, useContext } from "hono/jsx";
import type { WrittenLanguage } from "../../../core/languages.ts";
import { german } from "./texts_de.ts";
import { english, type Texts } from "./texts_en.ts";

const languages: Readonly<Record<WrittenLanguage, Texts>> = { en: english, de: german };
const Words = createContext<Texts>(english);

/** A page and its parts take their texts from here. */
export const useTexts = () => useContext(Words);

/** Returns the document of a page in a language. */
export function renderIn(language: WrittenLanguage, page: Child): string {
  const words = languages[language];
  return `<!doctype html>${<Words.Provider value={words}>{page}</Words.Provider>}`;
}

/** The name of a message in the texts. */
export type MessageName = {
  [Name in keyof Texts]: Texts[Name] extends { readonly title: string; readonly text: string } ? Name : never;
}[keyof Texts];
