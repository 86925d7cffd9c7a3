/**
 * Cleans HTML from users before it is stored (clean HTML stays as it is), and converts between HTML and text.
 */

let loaded: Promise<typeof import("./sanitizer.ts")> | undefined;
/** Loaded on first use, since few requests carry HTML; kept, since a campaign cleans thousands of texts. */
const sanitizer = () => loaded ??= import("./sanitizer.ts");

/** Cleans rich text as `cleanText` of `sanitizer.ts` does. Text without `<` stays as it is. */
export async function sanitizeText(html: string): Promise<string> {
  return html.includes("<") ? (await sanitizer()).cleanText(html) : html;
}

/** Returns clean HTML as plain text: one line for each block, link addresses after their words. */
export async function plainText(html: string): Promise<string> {
  const words = /[<&]/.test(html) ? unescaped((await sanitizer()).withoutTags(html)) : html;
  // A pattern for spaces around line ends would take time that grows with the square of a run of spaces.
  return words.split("\n").map((line) => line.trim()).join("\n").replaceAll(/\n{3,}/g, "\n\n").trim();
}

/** Returns the text of cleaned HTML without tags. */
export function unescaped(words: string): string {
  return words.replaceAll(/&(?:amp|lt|gt|quot);/g, (entity) => CHARACTERS[entity]!);
}

const CHARACTERS: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
};

/** Returns text as HTML for the inside of an element or attribute. */
export function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
