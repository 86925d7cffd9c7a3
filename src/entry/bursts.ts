/**
 * Begins a bounded number of requests per turn of the event loop. Of hundreds that arrive together, the first run
 * would otherwise keep all other calls waiting until the last one is begun.
 */
export class Bursts {
  #begun = 0;
  #isScheduled = false;
  #waiting: (() => void)[] = [];

  /** `perTurn`: most requests to begin in one turn. */
  constructor(readonly perTurn: number) {}

  /** Calls `begin` now, or in a later turn when this one has begun enough. Keeps the order. */
  take(begin: () => void): void {
    if (this.#begun >= this.perTurn || this.#waiting.length > 0) {
      this.#waiting.push(begin);
      return;
    }
    this.#count(1);
    begin();
  }

  #count(requests: number): void {
    this.#begun += requests;
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#nextTurn());
  }

  #nextTurn(): void {
    this.#isScheduled = false;
    this.#begun = 0;
    if (this.#waiting.length === 0) return;
    const next = this.#waiting.splice(0, this.perTurn);
    this.#count(next.length);
    for (const begin of next) begin();
  }
}
