/** Runs a bounded number of tasks simultaneously. Waiting tasks take turns by origin. */

/** The queue is full, or the task has waited for too long. */
export class QueueFull extends Error {}

/**
 * Milliseconds that a task waits for its turn. With the time that the longest task takes, a document, it is less
 * than a connection waits for an answer: otherwise a call would have its effect although it has no answer.
 */
export const waitingPatience = 25_000;

interface Limits {
  readonly atOnce: number;
  /** Most simultaneous tasks of one origin; `atOnce` by default. */
  readonly perOrigin?: number;
  readonly waiting: number;
  /** Most waiting tasks of one origin; `waiting` by default. */
  readonly waitingPerOrigin?: number;
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
  /** By origin; the origin that was served last is at the end. */
  readonly #waiting = new Map<string, Waiting[]>();

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /**
   * Runs the task when its turn comes. When too many wait, the newest task of the origin with the most tasks
   * fails with `QueueFull`, so that no origin excludes others. So does the new task of an origin with
   * `waitingPerOrigin`, and a task that waits for more than `patience` milliseconds.
   */
  async run<T>(origin: string, task: () => Promise<T>, patience = waitingPatience): Promise<T> {
    if (!this.#takePlace(origin)) await this.#turn(origin, patience);
    try {
      return await task();
    } finally {
      this.#passPlace(origin);
    }
  }

  /** Returns whether a task of the origin would run at once. */
  isFreeFor(origin: string): boolean {
    const { atOnce, perOrigin = atOnce } = this.#limits;
    return this.#running < atOnce && (this.#runningOf.get(origin) ?? 0) < perOrigin;
  }

  /** Returns whether the origin may run one more task now, and counts it. */
  #takePlace(origin: string): boolean {
    if (!this.isFreeFor(origin)) return false;
    this.#running++;
    this.#runningOf.set(origin, (this.#runningOf.get(origin) ?? 0) + 1);
    return true;
  }

  #turn(origin: string, patience: number): Promise<void> {
    const { waiting: most, waitingPerOrigin = most } = this.#limits;
    if ((this.#waiting.get(origin)?.length ?? 0) >= waitingPerOrigin) throw new QueueFull();
    if (this.#size >= most) this.#refuseOne(origin);
    this.#size++;
    let late: ReturnType<typeof setTimeout> | undefined;
    return new Promise<void>((start, refuse) => {
      const waiting = { start, refuse };
      const others = this.#waiting.get(origin);
      if (others) others.push(waiting);
      else this.#waiting.set(origin, [waiting]);
      late = setTimeout(() => this.#giveUp(origin, waiting), patience);
    }).finally(() => clearTimeout(late));
  }

  #giveUp(origin: string, waiting: Waiting): void {
    const left = this.#waiting.get(origin)!.filter((each) => each !== waiting);
    if (left.length > 0) this.#waiting.set(origin, left);
    else this.#waiting.delete(origin);
    this.#size--;
    waiting.refuse(new QueueFull());
  }

  /** Gives the place of a finished task to the next origin that may start one. */
  #passPlace(origin: string): void {
    this.#running--;
    const left = this.#runningOf.get(origin)! - 1;
    if (left > 0) this.#runningOf.set(origin, left);
    else this.#runningOf.delete(origin);
    for (const [next, line] of this.#waiting) {
      if (!this.#takePlace(next)) continue;
      this.#waiting.delete(next);
      const { start } = line.shift()!;
      if (line.length > 0) this.#waiting.set(next, line);
      this.#size--;
      start();
      return;
    }
  }

  #refuseOne(origin: string): void {
    const own = this.#waiting.get(origin)?.length ?? 0;
    let busiest: readonly [string, Waiting[]] | null = null;
    for (const each of this.#waiting) if (each[1].length > (busiest?.[1].length ?? 0)) busiest = each;
    if (busiest === null || busiest[1].length <= own + 1) throw new QueueFull();
    // The busiest origin keeps at least one task, because it has more than the new one.
    busiest[1].pop()!.refuse(new QueueFull());
    this.#size--;
  }
}
