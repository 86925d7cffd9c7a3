/** Places of users by their scores. */
export interface Score {
  readonly score: number;
  readonly user: { readonly id: number; readonly name: string };
}

export interface Place extends Score {
  /** From 1. */
  readonly rank: number;
}

/** The best first, equal scores by the id of the user; they share a place: 1, 1, 3. */
export function placed(scores: readonly Score[]): Place[] {
  const sorted = [...scores].sort((a, b) => b.score - a.score || a.user.id - b.user.id);
  const places: Place[] = [];
  sorted.forEach((each, index) => {
    const before = places.at(-1);
    places.push({ rank: before?.score === each.score ? before.rank : index + 1, ...each });
  });
  return places;
}
