/** Renders guides: Markdown with generated tables. */
import type { Guide } from "./guides.ts";
import { render, type Rendered } from "./markdown.ts";

/** Markdown of a generated part, by its name in the guides. */
export type Parts = ReadonlyMap<string, () => string | Promise<string>>;

/** Renders a guide; a mark such as `<!-- generated: events -->` is replaced by the part of that name. */
export async function renderGuide(
  guide: Guide,
  parts: Parts,
): Promise<Rendered> {
  const { default: text } = await guide.load();
  return render(await insertParts(text, parts));
}

export async function insertParts(text: string, parts: Parts): Promise<string> {
  const pieces = text.split(/^<!-- generated: ([\w-]+) -->$/m);
  const whole = await Promise.all(pieces.map((piece, index) => {
    // Odd pieces are names of parts.
    if (index % 2 === 0) return piece;
    const part = parts.get(piece);
    if (!part) throw new Error(`There is no generated part ${piece}.`);
    return part();
  }));
  return whole.join("");
}

/** A table in Markdown. */
export function renderMarkdownTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]) => {
    const cellTexts = cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " "))
      .join(" | ");
    return `| ${cellTexts} |`;
  };
  return [line(header), line(header.map(() => "---")), ...rows.map(line)].join(
    "\n",
  );
}
