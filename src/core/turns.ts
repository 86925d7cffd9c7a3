/** Long work in turns, between which other calls have theirs. */

/** Milliseconds of a turn. */
const longest = 10;

export class Turns {
  #until = performance.now() + longest;

  /** Waits for the next turn when this one has been long. */
  async next(): Promise<void> {
    if (performance.now() < this.#until) return;
    await new Promise((resolve) => setTimeout(resolve));
    this.#until = performance.now() + longest;
  }
}
