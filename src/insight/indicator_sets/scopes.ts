/** Whose an indicator set is. */
export const setScopes = ["user", "team", "group", "company"] as const;
export type SetScope = (typeof setScopes)[number];

/** The columns that define the owner of a set. */
export interface Belonging {
  readonly private: number;
  readonly team_id: number | null;
  readonly group_id: number | null;
}

export function setScopeOf({ private: isPrivate, team_id, group_id }: Belonging): SetScope {
  return isPrivate === 1 ? "user" : team_id !== null ? "team" : group_id !== null ? "group" : "company";
}
