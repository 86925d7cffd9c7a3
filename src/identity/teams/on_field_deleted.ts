/** Removes a deleted field's values from teams. The full-text index of teams contains only names. */
export const teamFieldValues = {
  owner: "team",
  table: "teams",
  key: "id",
  reads: () => [],
  words: () => [],
} as const;
