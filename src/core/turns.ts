/** Splits long work into turns, so that other calls can run between them. */

/** Milliseconds of a turn. */
const longest = 10;

export class Turns {
  #until = performance.now() + longest;

  /** Lets other calls run when the current turn has lasted long enough. */
  async next(): Promise<void> {
    if (performance.now() < this.#until) return;
    await new Promise((resolve) => setTimeout(resolve));
    this.#until = performance.now() + longest;
  }
}
