/** Why a deletion ends a scheduled report, as the end of a sentence. */
export const endings = {
  maker: "its maker was deleted",
  group: "a group of its filters was deleted",
} as const;
