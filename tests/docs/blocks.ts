/** The code blocks of a guide that are marked to run, and their output. */
import type { Body } from "../support/app.ts";

export interface Block {
  readonly mark: string | null;
  readonly language: string;
  readonly text: string;
  /** The block below it, under `<!-- prints -->`. */
  readonly prints: { readonly language: string; readonly text: string } | null;
}

export function findBlocks(markdown: string): Block[] {
  const blocks = [
    ...markdown.matchAll(
      /(?:^<!-- ([^\n]+) -->\n+)?^```(\w*)[^\n]*\n([^]*?)^```$/gm,
    ),
  ]
    .map(([, mark, language, text]) => ({
      mark: mark ?? null,
      language: language!,
      text: text!,
    }));
  return blocks.map((block, index) => {
    const next = blocks[index + 1];
    return { ...block, prints: next?.mark === "prints" ? next : null };
  });
}

/**
 * Returns the place of the first difference, or null. Expected keys must be present; `"…"` matches any value.
 */
export function findDifference(got: Body, expected: Body, path = "$"): string | null {
  if (expected === "…") {
    return got === undefined || got === null ? `${path} is missing` : null;
  }
  if (typeof expected !== "object" || expected === null) {
    return got === expected ? null : `${path} is ${JSON.stringify(got)}`;
  }
  if (typeof got !== "object" || got === null) {
    return `${path} is ${JSON.stringify(got)}`;
  }
  if (
    Array.isArray(expected) &&
    (!Array.isArray(got) || got.length !== expected.length)
  ) {
    return `${path} is ${JSON.stringify(got)}`;
  }
  for (const [key, value] of Object.entries(expected)) {
    const fault = findDifference(got[key], value, `${path}.${key}`);
    if (fault !== null) return fault;
  }
  return null;
}
