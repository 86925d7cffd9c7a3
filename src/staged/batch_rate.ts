/** Adapts the size of steps, so that no commit holds the write lock too long. */

/**
 * Milliseconds. A commit that takes more than `slow` halves the next step; one below `fast` lets it grow
 * again.
 */
const slow = 50;
const fast = 20;
/**
 * Milliseconds that the statements of a step run at most before the next is halved. The lock is held for longer: for
 * the batches that share the commit, and for the disk.
 */
const longest = 35;
/** Halving has not helped when twice in a row it leaves more than this share of the milliseconds. */
const vain = 0.75;
/** A step that takes more than this many times as long has heavier records: that says nothing about its size. */
const heavier = 2;
/** Steps after halving has not helped before it is tried again. */
const pause = 16;

export class BatchRate {
  /** The share of the usual size of a step. */
  #share = 1;
  /** How often it was halved since the last step that was short enough, and the milliseconds of the step before. */
  #halvings = 0;
  #before = 0;
  /** Steps that are left until it may be halved again. */
  #paused = 0;

  /**
   * Adapts the share to the last commit, which took `ms` milliseconds in all: for a database that does not report
   * how long the statements ran.
   */
  took(ms: number): void {
    if (ms > slow) this.#share /= 2;
    else if (ms < fast) this.#grow();
  }

  /**
   * Adapts the share to the last step, whose own statements ran for `ms` milliseconds. Time that does not fall with the
   * number of rows is not worth small steps, which cost more processor time a row, so such halvings are undone.
   */
  ran(ms: number): void {
    const isPaused = this.#paused > 0;
    if (isPaused) this.#paused--;
    const isHeavier = ms > this.#before * heavier;
    if (ms <= longest) {
      this.#halvings = 0;
      if (ms < fast) this.#grow();
    } else if (isPaused && !isHeavier) return;
    else if (this.#halvings === 2 && ms > this.#before * vain && !isHeavier) {
      this.#share = Math.min(1, this.#share * 4);
      this.#halvings = 0;
      this.#paused = pause;
    } else {
      if (this.#halvings === 2 || isHeavier) this.#halvings = 0;
      if (this.#halvings++ === 0) this.#before = ms;
      this.#share /= 2;
      this.#paused = 0;
    }
  }

  share(most: number): number {
    return Math.max(1, Math.floor(most * this.#share));
  }

  #grow(): void {
    this.#share = Math.min(1, this.#share * 1.5);
  }
}
