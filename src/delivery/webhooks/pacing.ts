/** When the rounds of a sender begin. */

/** Milliseconds within which non-urgent work is done. */
const soonMs = 10;

/** Wakes a sender for its next round. */
export class WakeSignal {
  #woken = false;
  #wake: (() => void) | null = null;
  #soon: ReturnType<typeof setTimeout> | undefined;

  now(): void {
    this.#woken = true;
    this.#wake?.();
  }

  /** For results, which are recorded with the next claim. */
  soon(): void {
    this.#soon ??= setTimeout(() => this.now(), soonMs);
  }

  /** Resets the signal when its work starts. */
  rest(): void {
    this.#woken = false;
    clearTimeout(this.#soon);
    this.#soon = undefined;
  }

  /** Resolves when it is woken, or after this many milliseconds. */
  async wait(atMost: number | null): Promise<void> {
    if (this.#woken) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = atMost === null ? undefined : setTimeout(resolve, atMost);
    this.#wake = resolve;
    await promise;
    this.#wake = null;
    clearTimeout(timer);
  }
}

/** Most batches in this many milliseconds. Under load, results share the next batch. */
const mostBatches = 5;
const batchesWithin = 20;

/** Limits how fast the batches of a sender follow each other. */
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
