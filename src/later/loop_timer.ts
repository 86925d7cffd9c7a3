/** Decides when the iterations of a loop begin. */
import { pause } from "../platform/pause.ts";

/** Milliseconds within which non-urgent work is done. */
const soonMs = 10;
/** Most iterations within `startWindow` milliseconds. Under load, results share the next iteration. */
const mostStarts = 5;
const startWindow = 20;

/** Wakes a loop for its next iteration, and limits how fast they follow each other. */
export class LoopTimer {
  #woken = false;
  #wake: (() => void) | null = null;
  #soon: ReturnType<typeof setTimeout> | undefined;
  /** Start times of the last iterations. */
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
   * Waits for work, or for `atMost` milliseconds if that is a number. Then waits until the next iteration may
   * begin, but at least the milliseconds that `rest` returns, and begins it. An iteration does all announced work.
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
    const [first = 0] = this.#begun.splice(0, this.#begun.length - mostStarts);
    const wait = Math.max(rest(), first + startWindow - performance.now());
    if (wait > 0) await pause(wait);
    this.#begun.push(performance.now());
    this.#woken = false;
    clearTimeout(this.#soon);
    this.#soon = undefined;
  }
}
