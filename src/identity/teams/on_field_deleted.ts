/** What teams lose with a field: only its values, since teams are searched by name. */
export const teamFieldValues = {
  owner: "team",
  table: "teams",
  key: "id",
  reads: () => [],
  words: () => [],
} as const;
