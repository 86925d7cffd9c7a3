/** Places of users by their scores. */
export interface Score {
  readonly score: number;
  readonly user: { readonly id: number; readonly name: string };
}

export interface Place extends Score {
  /** From 1. */
  readonly rank: number;
}

/**
 * Returns the places, the best first. Equal scores share a place (1, 1, 3), in the order of the users' ids.
 */
export function assignPlaces(scores: readonly Score[]): Place[] {
  const sorted = [...scores].sort((a, b) => b.score - a.score || a.user.id - b.user.id);
  const places: Place[] = [];
  sorted.forEach((each, index) => {
    const before = places.at(-1);
    places.push({ rank: before?.score === each.score ? before.rank : index + 1, ...each });
  });
  return places;
}
