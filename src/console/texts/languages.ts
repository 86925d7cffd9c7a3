/** The texts of the console by language. */
import type { WrittenLanguage } from "../../core/languages.ts";
import { german } from "./de.ts";
import { english, type Texts } from "./en.ts";

export const languages: Readonly<Record<WrittenLanguage, Texts>> = { en: english, de: german };
