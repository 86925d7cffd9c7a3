/** When the rounds of a sender begin. */

/** Milliseconds within which non-urgent work is done. */
const soonMs = 10;
/** Most rounds in this many milliseconds. Under load, results share the next round. */
const mostRounds = 5;
const roundsWithin = 20;

/** Wakes a sender for its next round, and limits how fast its rounds follow each other. */
export class Rounds {
  #woken = false;
  #wake: (() => void) | null = null;
  #soon: ReturnType<typeof setTimeout> | undefined;
  /** Start times of the last rounds. */
  readonly #begun: number[] = [];

  /** Begins a round, which does all work that was announced. */
  begin(): void {
    this.#begun.push(performance.now());
    this.#woken = false;
    clearTimeout(this.#soon);
    this.#soon = undefined;
  }

  /** Announces urgent work. */
  now(): void {
    this.#woken = true;
    this.#wake?.();
  }

  /** For results, which are recorded with the next claim. */
  soon(): void {
    this.#soon ??= setTimeout(() => this.now(), soonMs);
  }

  /**
   * Waits for work, or for `atMost` milliseconds if that is a number. Returns the milliseconds until the next round
   * may begin.
   */
  async wait(atMost: number | null): Promise<number> {
    if (!this.#woken) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = atMost === null ? undefined : setTimeout(resolve, atMost);
      this.#wake = resolve;
      await promise;
      this.#wake = null;
      clearTimeout(timer);
    }
    const [first = 0] = this.#begun.splice(0, this.#begun.length - mostRounds);
    return first + roundsWithin - performance.now();
  }
}
