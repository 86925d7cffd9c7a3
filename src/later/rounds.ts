/** Decides when the rounds of a loop begin. */
import { pause } from "../platform/pause.ts";

/** Milliseconds within which non-urgent work is done. */
const soonMs = 10;
/** Most rounds within `roundsWithin` milliseconds. Under load, results share the next round. */
const mostRounds = 5;
const roundsWithin = 20;

/** Wakes a loop for its next round, and limits how fast its rounds follow each other. */
export class Rounds {
  #woken = false;
  #wake: (() => void) | null = null;
  #soon: ReturnType<typeof setTimeout> | undefined;
  /** Start times of the last rounds. */
  readonly #begun = [performance.now()];

  /** Announces urgent work. */
  now(): void {
    this.#woken = true;
    this.#wake?.();
  }

  /** Announces work that is not urgent: results, which are recorded with the next claim. */
  soon(): void {
    this.#soon ??= setTimeout(() => this.now(), soonMs);
  }

  /**
   * Waits for work, or for `atMost` milliseconds if that is a number. Then waits until the next round may
   * begin, but at least the milliseconds that `rest` returns, and begins it. A round does all announced work.
   */
  async next(atMost: number | null, rest: () => number): Promise<void> {
    if (!this.#woken) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = atMost === null ? undefined : setTimeout(resolve, atMost);
      this.#wake = resolve;
      await promise;
      this.#wake = null;
      clearTimeout(timer);
    }
    const [first = 0] = this.#begun.splice(0, this.#begun.length - mostRounds);
    const wait = Math.max(rest(), first + roundsWithin - performance.now());
    if (wait > 0) await pause(wait);
    this.#begun.push(performance.now());
    this.#woken = false;
    clearTimeout(this.#soon);
    this.#soon = undefined;
  }
}
