/** What teams lose with a field: its values alone, since they are found by their names. */
export const teamFieldValues = {
  owner: "team",
  table: "teams",
  key: "id",
  reads: () => [],
  words: () => [],
} as const;
