/** Finds names that are probably misspelt. Pure. */

/**
 * The known name that `name` is probably a misspelling of; null when it is known or near to none. Compares
 * without case. A short name must be one step away, a longer one two: a step adds, drops or replaces one
 * character, or swaps two neighbours.
 */
export function nearName(name: string, known: readonly string[]): string | null {
  if (known.includes(name)) return null;
  const typed = name.toUpperCase();
  const near = known
    .map((each) => ({ each, steps: stepsBetween(typed, each) }))
    .filter(({ each, steps }) => steps <= (each.length > 6 ? 2 : 1))
    .sort((a, b) => a.steps - b.steps);
  return near[0]?.each ?? null;
}

/** The optimal string alignment distance. */
function stepsBetween(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 3;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let steps = Math.min(row[j - 1]! + 1, last[j]! + 1, replaced);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        steps = Math.min(steps, before[j - 2]! + 1);
      }
      row.push(steps);
    }
    before = last;
    last = row;
  }
  return last[b.length]!;
}
