/** Limits how fast the batches of a sender follow each other. */

/** Most batches in this many milliseconds. Under load, results share the next batch. */
const mostBatches = 5;
const batchesWithin = 20;

export class BatchRate {
  /** Start times of the last batches. */
  readonly #batches: number[] = [];

  begun(): void {
    this.#batches.push(performance.now());
  }

  /** Returns the milliseconds to wait before the next batch. */
  early(): number {
    const [first = 0] = this.#batches.splice(0, this.#batches.length - mostBatches);
    return first + batchesWithin - performance.now();
  }
}
