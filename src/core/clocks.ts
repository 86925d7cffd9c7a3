/** Tolerances for the clocks of machines. */

/** Milliseconds by which the clocks of processes that share a database may differ. */
export const clockSkew = 60_000;
