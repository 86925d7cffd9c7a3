/**
 * Search over the sections of the guides and the operations of the reference. They are few enough to scan.
 */
import { extractText } from "./markdown.ts";

export interface Section {
  readonly page: string;
  readonly heading: string;
  readonly address: string;
  readonly text: string;
}

/** A matching section with the text around the first match. */
export interface Found extends Section {
  readonly before: string;
  readonly hit: string;
  readonly after: string;
}

const mostResults = 40;
const contextLength = 90;

/** Splits a rendered guide into sections, one per heading. */
export function splitSections(
  page: string,
  address: string,
  html: string,
): Section[] {
  const parts = html.split(/(?=<h[23] id=")/);
  return parts.flatMap((part) => {
    const named = /^<h[23] id="([^"]+)">(.*?) <a class="anchor"/s.exec(part);
    const body = named ? part.slice(part.indexOf("\n")) : part;
    const text = extractText(apart(body)).replaceAll(/\s+/g, " ").trim();
    if (!named && text === "") return [];
    return [{
      page,
      heading: named ? extractText(named[2]!) : "",
      address: named ? `${address}#${named[1]}` : address,
      text,
    }];
  });
}

/** Puts a space in place of tags that part words, such as those of cells, rows and lines. */
function apart(html: string): string {
  return html.replaceAll(/<\/?(?!(?:a|code|del|em|strong)\b)\w[^<>]*>/g, " ");
}

/** Returns sections in which every search word begins a word, best first. */
export function searchSections(
  sections: readonly Section[],
  query: string,
): Found[] {
  const words = query.toLowerCase().split(/[^\p{L}\p{N}_]+/u).filter((word) => word !== "").slice(0, 10);
  if (words.length === 0) return [];
  return sections.map((section) => ({
    section,
    score: scoreSection(section, words),
  }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, mostResults)
    .map(({ section }) => addContext(section, words));
}

function scoreSection(section: Section, words: readonly string[]): number {
  let score = 0;
  for (const word of words) {
    const inHeading = countStarts(section.heading, word) * 8 +
      countStarts(section.page, word) * 4;
    const inText = Math.min(4, countStarts(section.text, word));
    if (inHeading + inText === 0) return 0;
    score += inHeading + inText;
  }
  return score;
}

function countStarts(text: string, word: string): number {
  const lower = text.toLowerCase();
  let count = 0;
  for (
    let at = lower.indexOf(word);
    at >= 0;
    at = lower.indexOf(word, at + word.length)
  ) {
    if (startsWord(lower, at)) count++;
  }
  return count;
}

function startsWord(text: string, at: number): boolean {
  return at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1]!);
}

function addContext(section: Section, words: readonly string[]): Found {
  const lower = section.text.toLowerCase();
  const places = words.map((word) => ({ word, at: findStart(lower, word) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at);
  const [first] = places;
  const { text } = section;
  if (!first) {
    return {
      ...section,
      before: text.slice(0, 2 * contextLength),
      hit: "",
      after: "",
    };
  }
  const from = Math.max(0, first.at - contextLength);
  const end = first.at + first.word.length;
  return {
    ...section,
    before: (from > 0 ? "…" : "") + text.slice(from, first.at),
    hit: text.slice(first.at, end),
    after: text.slice(end, end + contextLength) +
      (end + contextLength < text.length ? "…" : ""),
  };
}

function findStart(lower: string, word: string): number {
  let at = lower.indexOf(word);
  while (at >= 0 && !startsWord(lower, at)) at = lower.indexOf(word, at + 1);
  return at;
}
