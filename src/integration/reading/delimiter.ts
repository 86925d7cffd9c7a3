/** Finds the character between the cells of a csv file. */

const delimiters = [",", ";", "\t", "|"] as const;

/** Lines that are compared. */
const mostLines = 20;

/**
 * Returns the delimiter of a text, from its first lines: the one by which most of them have as many cells as
 * the first. A text without any has `,`.
 */
export function findDelimiter(head: string): string {
  const counts = countDelimiters(head);
  const weighed = delimiters.map((delimiter) => {
    const perLine = counts.map((line) => line.get(delimiter) ?? 0);
    const first = perLine[0] ?? 0;
    return { delimiter, first, alike: first === 0 ? 0 : perLine.filter((count) => count === first).length };
  });
  return weighed.reduce((best, each) =>
    each.alike > best.alike || (each.alike === best.alike && each.first > best.first) ? each : best
  ).delimiter;
}

/** Counts the delimiters outside quotes, by line. Leaves out a last line that may be cut off, if others remain. */
function countDelimiters(head: string): Map<string, number>[] {
  const lines: Map<string, number>[] = [];
  let line = new Map<string, number>();
  let [isQuoted, isEmpty] = [false, true];
  for (const character of head) {
    if (!isQuoted && (character === "\n" || character === "\r")) {
      if (!isEmpty) lines.push(line);
      if (lines.length === mostLines) return lines;
      [line, isEmpty] = [new Map(), true];
      continue;
    }
    isEmpty = false;
    if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted) line.set(character, (line.get(character) ?? 0) + 1);
  }
  return lines.length === 0 ? [line] : lines;
}
