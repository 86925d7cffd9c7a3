/** The badges in the order of the answer, and the count that each requires. */
export const badgeSizes = {
  nice_and_tidy: 25,
  clean_sheet: 25,
  the_communicator: 100,
  the_fast_and_furious: 10,
  the_consistent: 20,
  the_explorer: 6,
  the_seller: 10,
  the_helper: 25,
  the_notifier: 25,
  the_early_bird: 10,
  the_fisherman: 25,
  the_hard_worker: 20,
  the_workaholic: 1_000,
  the_off_duty_performer: 10,
  lead_commander: 50,
} as const;

export type BadgeName = keyof typeof badgeSizes;

/** In the order of their ids, which begin at 1. */
export const badgeNames = Object.keys(badgeSizes) as readonly BadgeName[];

const special: ReadonlySet<BadgeName> = new Set<BadgeName>(["the_off_duty_performer", "lead_commander"]);

export const isSpecial = (name: BadgeName): boolean => special.has(name);

export const findBadgeId = (name: BadgeName): number => badgeNames.indexOf(name) + 1;
