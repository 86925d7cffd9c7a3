/** When the rounds and the requests of a sender begin. */

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

/** Milliseconds after which a request counts as waiting. */
const patience = 25;
/** Most simultaneous requests, including waiting ones. */
const mostAtAll = 2_000;

/** A running request. */
interface Sending {
  readonly at: number;
}

/**
 * The running requests of a sender. The limit applies to active requests: one that has waited for a while
 * costs only a connection, so that unresponsive targets do not block others.
 */
export class InFlight {
  /** Active requests in the order of their start. */
  readonly #young = new Set<Sending>();
  #count = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  get count(): number {
    return this.#count;
  }

  /** Counts a request until it ends. */
  async run<T>(request: () => Promise<T>): Promise<T> {
    const sending = { at: performance.now() };
    this.#young.add(sending);
    this.#count++;
    try {
      return await request();
    } finally {
      this.#young.delete(sending);
      this.#count--;
      if (this.#count === 0) {
        clearTimeout(this.#timer);
        this.#timer = undefined;
      }
    }
  }

  /**
   * Returns whether another request may start with this limit of active ones. If not, calls `freed` when running ones
   * may have begun to count as waiting.
   */
  hasRoom(most: number, freed: () => void): boolean {
    const now = performance.now();
    for (const sending of this.#young) {
      if (now - sending.at < patience) break;
      this.#young.delete(sending);
    }
    if (this.#count >= mostAtAll) return false;
    if (this.#young.size < most) return true;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      freed();
    }, patience);
    return false;
  }
}
