/** Finds probable misspellings of known names. Pure. */

/**
 * Returns the known name (in upper case) that `name` probably misspells; null when `name` is known or close
 * to none. Ignores the case of `name`. A short known name must be one step away, a longer one two. A step
 * adds, drops or replaces a character, or swaps two neighbours.
 */
export function findNearName(name: string, known: readonly string[]): string | null {
  if (known.includes(name)) return null;
  const typed = name.toUpperCase();
  const near = known
    .map((each) => ({ each, steps: measureDistance(typed, each, mostSteps) }))
    .filter(({ each, steps }) => steps <= (each.length > 6 ? mostSteps : 1))
    .sort((a, b) => a.steps - b.steps);
  return near[0]?.each ?? null;
}

/** The most steps between a name and its misspelling. */
const mostSteps = 2;
/** The number of characters that are compared. */
const mostCompared = 64;

/**
 * Returns at most `most` known names, closest to `name` first: names that contain it or are contained in it,
 * then by number of steps. Ignores case. Keeps the order of equally close names.
 */
export function findNearestNames(name: string, known: readonly string[], most: number): string[] {
  const typed = name.slice(0, mostCompared).toLowerCase();
  const distance = (each: string) => {
    const other = each.slice(0, mostCompared).toLowerCase();
    const holds = typed !== "" && (other.includes(typed) || typed.includes(other));
    return holds ? Math.abs(other.length - typed.length) / mostCompared : 1 + measureDistance(typed, other);
  };
  return known.map((each) => ({ each, distance: distance(each) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, most)
    .map(({ each }) => each);
}

/** Returns the optimal string alignment distance, or a number above `most` if it is greater than that. */
function measureDistance(a: string, b: string, most = Infinity): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
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
    // A swap counts one step from the row before the last one.
    if (Math.min(...row) > most && Math.min(...last) >= most) return most + 1;
    before = last;
    last = row;
  }
  return last[b.length]!;
}
