/**
 * Cleans HTML from users before it is stored (clean HTML stays as it is), and converts between HTML and text.
 */

let loaded: typeof import("./sanitizer.ts") | undefined;
/**
 * Loads the sanitizer on first use, because few requests contain HTML. Keeps it, because a campaign cleans
 * thousands of texts.
 */
export const loadSanitizer = async () => loaded ??= await import("./sanitizer.ts");

/** The thread that cleans texts ended, or was too slow. */
export class CleanerUnavailable extends Error {}

/** What is to be made of a text. */
export interface Cleaning {
  readonly kind: "text" | "email" | "words";
  readonly html: string;
}

/** Characters of a text that takes more than about 10 ms. */
const large = 16_384;
let cleanOnThread: ((text: Cleaning) => Promise<string>) | null = null;

/** Cleans large texts with this function from now on, so that the service answers other calls meanwhile. */
export function cleanLargeOnThread(clean: (text: Cleaning) => Promise<string>): void {
  cleanOnThread = clean;
}

async function clean(text: Cleaning): Promise<string> {
  return cleanOnThread && text.html.length > large ? await cleanOnThread(text) : await cleanHere(text);
}

/** Cleans a text in the call itself. */
export async function cleanHere({ kind, html }: Cleaning): Promise<string> {
  const { cleanEmail, cleanText, stripTags } = await loadSanitizer();
  return { text: cleanText, email: cleanEmail, words: stripTags }[kind](html);
}

/** Cleans rich text as `cleanText` of `sanitizer.ts` does. Text without `<` stays as it is. */
export async function sanitizeText(html: string): Promise<string> {
  return html.includes("<") ? await clean({ kind: "text", html }) : html;
}

/** Cleans the HTML of an arrived e-mail as `cleanArrived` of `sanitizer.ts` does. */
export async function sanitizeArrived(html: string): Promise<string> {
  return html.includes("<") ? (await loadSanitizer()).cleanArrived(html) : html;
}

/** Cleans the HTML of an e-mail as `cleanEmail` of `sanitizer.ts` does. Text without `<` stays as it is. */
export async function sanitizeEmail(html: string): Promise<string> {
  return html.includes("<") ? await clean({ kind: "email", html }) : html;
}

/** Cleans lead data as `cleanLeadHtml` of `sanitizer.ts` does, which `loadSanitizer` must have loaded before. */
export function sanitizeLeadHtml(html: string): string {
  return html.includes("<") ? loaded!.cleanLeadHtml(html) : html;
}

/** Returns clean HTML as plain text: one line for each block, link addresses after their words. */
export async function extractPlainText(html: string): Promise<string> {
  const words = /[<&]/.test(html) ? unescapeHtml(await clean({ kind: "words", html })) : html;
  // A pattern for spaces around line ends would take time that grows with the square of a run of spaces.
  return words.split("\n").map((line) => line.trim()).join("\n").replaceAll(/\n{3,}/g, "\n\n").trim();
}

/** Returns the text of cleaned HTML without tags. */
export function unescapeHtml(words: string): string {
  return words.replaceAll(/&(?:amp|lt|gt|quot);/g, (entity) => charactersByEntity[entity]!);
}

const charactersByEntity: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
};

/** Returns text as HTML for the inside of an element or attribute. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
