/** Levels by points: level n begins at 50·n·(n−1). */
export interface ReachedLevel {
  readonly name: string;
  readonly level_threshold: number;
}

/** The points at which a level begins. */
export function computeThreshold(level: number): number {
  return 50 * level * (level - 1);
}

/** Returns the level for a number of points, from 1. */
export function findLevel(points: number): number {
  let level = Math.max(1, Math.floor((1 + Math.sqrt(1 + points / 12.5)) / 2));
  while (computeThreshold(level + 1) <= points) level++;
  while (computeThreshold(level) > points) level--;
  return level;
}

export function describeLevel(level: number): ReachedLevel {
  return { name: `level_${level}`, level_threshold: computeThreshold(level) };
}
