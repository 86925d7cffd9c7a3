/** Orders the pieces of a line, by the levels of the bidirectional algorithm. */

interface Piece {
  /** Absent: 0. */
  readonly level?: number;
}

/** Returns the pieces of a line in the order in which they stand from left to right. */
export function orderVisually<T extends Piece>(line: readonly T[]): T[] {
  const ordered = [...line];
  const levels = line.map(({ level = 0 }) => level);
  for (let level = Math.max(0, ...levels); level > 0; level--) {
    for (let start = 0; start < ordered.length; start++) {
      let end = start;
      while (end < ordered.length && (ordered[end]!.level ?? 0) >= level) end++;
      ordered.splice(start, end - start, ...ordered.slice(start, end).reverse());
      start = end;
    }
  }
  return ordered;
}
