/** Runs a bounded number of tasks at once. Those that wait take turns by where they come from. */

/** The queue is full. */
export class QueueFull extends Error {}

interface Waiting {
  readonly start: () => void;
  readonly refuse: (error: QueueFull) => void;
}

export class FairQueue {
  readonly #atOnce: number;
  readonly #mostWaiting: number;
  #running = 0;
  #size = 0;
  /** By origin; the origin that was served last stands at the end. */
  readonly #waiting = new Map<string, Waiting[]>();

  constructor(limits: { readonly atOnce: number; readonly waiting: number }) {
    this.#atOnce = limits.atOnce;
    this.#mostWaiting = limits.waiting;
  }

  /**
   * Runs the task when its turn comes. Throws `QueueFull` when too many wait: the refused one is the newest of
   * the origin that has most of them, so that no origin keeps the others out.
   */
  async run<T>(origin: string, task: () => Promise<T>): Promise<T> {
    if (this.#running < this.#atOnce) this.#running++;
    else await this.#turn(origin);
    try {
      return await task();
    } finally {
      this.#next();
    }
  }

  #turn(origin: string): Promise<void> {
    if (this.#size >= this.#mostWaiting) this.#makeRoom(origin);
    this.#size++;
    return new Promise((start, refuse) => {
      const waiting = { start, refuse };
      const others = this.#waiting.get(origin);
      if (others) others.push(waiting);
      else this.#waiting.set(origin, [waiting]);
    });
  }

  /** Hands the place of a finished task to the next origin. */
  #next(): void {
    const [first] = this.#waiting;
    if (!first) {
      this.#running--;
      return;
    }
    const [origin, line] = first;
    this.#waiting.delete(origin);
    const { start } = line.shift()!;
    if (line.length > 0) this.#waiting.set(origin, line);
    this.#size--;
    start();
  }

  #makeRoom(origin: string): void {
    const own = this.#waiting.get(origin)?.length ?? 0;
    let busiest: readonly [string, Waiting[]] | null = null;
    for (const each of this.#waiting) if (each[1].length > (busiest?.[1].length ?? 0)) busiest = each;
    if (busiest === null || busiest[1].length <= own + 1) throw new QueueFull();
    // At least one is left: the busiest origin has more than the one that asks.
    busiest[1].pop()!.refuse(new QueueFull());
    this.#size--;
  }
}
