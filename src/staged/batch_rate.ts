/** How much a step takes, so that no commit holds the write lock longer than it should. */

/** Milliseconds that a commit should take at most, and below which a step may take more again. */
const slow = 50;
const fast = 20;

export class BatchRate {
  /** The share of the usual size of a step. */
  #share = 1;

  /** Milliseconds that the last commit took. */
  took(ms: number): void {
    if (ms > slow) this.#share /= 2;
    else if (ms < fast) this.#share = Math.min(1, this.#share * 1.5);
  }

  share(most: number): number {
    return Math.max(1, Math.floor(most * this.#share));
  }
}
