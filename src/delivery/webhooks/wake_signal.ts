/** What makes a sender take its next round. */

/** Milliseconds within which what nobody waits for is done. */
const soonMs = 10;

export class WakeSignal {
  #woken = false;
  #wake: (() => void) | null = null;
  #soon: ReturnType<typeof setTimeout> | undefined;

  now(): void {
    this.#woken = true;
    this.#wake?.();
  }

  /** For results: they are recorded with what is claimed meanwhile. */
  soon(): void {
    this.#soon ??= setTimeout(() => this.now(), soonMs);
  }

  /** What woke it so far is being done. */
  rest(): void {
    this.#woken = false;
    clearTimeout(this.#soon);
    this.#soon = undefined;
  }

  /** Resolves when it is woken, or after so many milliseconds. */
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
