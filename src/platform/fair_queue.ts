/** Runs a bounded number of tasks at once. Those that wait take turns by where they come from. */

/** The queue is full. */
export class QueueFull extends Error {}

interface Limits {
  readonly atOnce: number;
  /** Of one origin at once; `atOnce` unless given. */
  readonly perOrigin?: number;
  readonly waiting: number;
}

interface Waiting {
  readonly start: () => void;
  readonly refuse: (error: QueueFull) => void;
}

export class FairQueue {
  readonly #limits: Limits;
  #running = 0;
  readonly #runningOf = new Map<string, number>();
  #size = 0;
  /** By origin; the origin that was served last stands at the end. */
  readonly #waiting = new Map<string, Waiting[]>();

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /**
   * Runs the task when its turn comes. Throws `QueueFull` when too many wait: the refused one is the newest of
   * the origin that has most of them, so that no origin keeps the others out.
   */
  async run<T>(origin: string, task: () => Promise<T>): Promise<T> {
    if (this.#mayStart(origin)) this.#started(origin);
    else await this.#turn(origin);
    try {
      return await task();
    } finally {
      this.#ended(origin);
    }
  }

  #mayStart(origin: string): boolean {
    const { atOnce, perOrigin = atOnce } = this.#limits;
    return this.#running < atOnce && (this.#runningOf.get(origin) ?? 0) < perOrigin;
  }

  #started(origin: string): void {
    this.#running++;
    this.#runningOf.set(origin, (this.#runningOf.get(origin) ?? 0) + 1);
  }

  #turn(origin: string): Promise<void> {
    if (this.#size >= this.#limits.waiting) this.#makeRoom(origin);
    this.#size++;
    return new Promise((start, refuse) => {
      const waiting = { start, refuse };
      const others = this.#waiting.get(origin);
      if (others) others.push(waiting);
      else this.#waiting.set(origin, [waiting]);
    });
  }

  /** Hands the place of a finished task to the next origin that may start one. */
  #ended(origin: string): void {
    this.#running--;
    const left = this.#runningOf.get(origin)! - 1;
    if (left > 0) this.#runningOf.set(origin, left);
    else this.#runningOf.delete(origin);
    for (const [next, line] of this.#waiting) {
      if (!this.#mayStart(next)) continue;
      this.#waiting.delete(next);
      const { start } = line.shift()!;
      if (line.length > 0) this.#waiting.set(next, line);
      this.#size--;
      this.#started(next);
      start();
      return;
    }
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
