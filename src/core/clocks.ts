/**
 * Moments in the future that are stored: due times, and the ends of leases, pauses, secrets and the like. A clock that
 * was ahead may have written one. No moment of a kind can be further away than the longest wait of that kind, so one
 * that is further away counts as past. The clock of a process is otherwise believed.
 */

/** Milliseconds by which the clocks of processes that share a database may differ. */
const clockSkew = 60_000;

/** Returns the latest moment that any process can have written by `now`, `longest` milliseconds ahead of its clock. */
export function computeFurthest(now: number, longest: number): number {
  return now + longest + clockSkew;
}

/** Returns whether a moment that is at most `longest` milliseconds ahead when it is written is still to come. */
export function isStillAhead(moment: number, now: number, longest: number): boolean {
  return moment > now && moment <= computeFurthest(now, longest);
}
