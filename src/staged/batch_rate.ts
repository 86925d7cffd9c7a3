/** Adapts the size of steps, so that no commit holds the write lock too long. */

/**
 * Milliseconds. A commit that takes more than `slow` halves the next step; one below `fast` lets it grow
 * again.
 */
const slow = 50;
const fast = 20;

export class BatchRate {
  /** The share of the usual size of a step. */
  #share = 1;

  /** Adapts the share to the last commit, which took `ms` milliseconds. */
  took(ms: number): void {
    if (ms > slow) this.#share /= 2;
    else if (ms < fast) this.#share = Math.min(1, this.#share * 1.5);
  }

  share(most: number): number {
    return Math.max(1, Math.floor(most * this.#share));
  }
}
