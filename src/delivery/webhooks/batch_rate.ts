/** How close the batches of a sender may follow each other. */

/** So many in so many milliseconds at most: under load, what comes meanwhile shares the next one. */
const mostBatches = 5;
const batchesWithin = 20;

export class BatchRate {
  /** When the last batches began. */
  readonly #batches: number[] = [];

  begun(): void {
    this.#batches.push(performance.now());
  }

  /** Milliseconds by which it is too early for the next one. */
  early(): number {
    const [first = 0] = this.#batches.splice(0, this.#batches.length - mostBatches);
    return first + batchesWithin - performance.now();
  }
}
