/** A line without a pace of its own: tasks begin in the order in which they were claimed. */
import type { Attempted, Line, LineState, Queue } from "./queue.ts";

/** Attempts that end within this many milliseconds let the line claim tasks in advance. */
const quick = 100;

export class PlainLine<T, R> implements Line<T, R> {
  busy = 0;
  queue: T[] = [];
  #isQuick = false;
  /** The number of tasks that the last claim asked for and did not get. */
  #missed = 0;

  /** `most`: simultaneous attempts; `ahead`: tasks that it claims in advance while attempts are quick. */
  constructor(readonly most: number, readonly ahead: number) {}

  add(task: T): void {
    this.queue.push(task);
    this.#missed--;
  }

  state(): LineState {
    const capacity = Math.max(0, this.#size() - this.busy - this.queue.length);
    this.#missed = capacity;
    return { isBusy: this.busy + this.queue.length > 0, capacity, taken: [] };
  }

  next(): T | null {
    if (this.busy >= this.most) return null;
    const task = this.queue.shift();
    if (task === undefined) return null;
    this.busy++;
    return task;
  }

  noteAnswer(_task: T, _result: R, tookMs: number): number {
    this.#isQuick = tookMs < quick;
    return 0;
  }

  runsShort(): boolean {
    return this.#missed <= 0 &&
      this.queue.length + this.busy < this.#size() - (this.#isQuick ? this.ahead / 2 : 0);
  }

  #size(): number {
    return this.most + (this.#isQuick ? this.ahead : 0);
  }
}

/** Simultaneous attempts of a process, and the tasks that it claims in advance while they are quick. */
const atOnce = 5;
const ahead = 10;

/** The pace of a queue whose attempts bring their own statements. */
export const plainPace = {
  limits: { active: atOnce, all: atOnce },
  line: <T>() => new PlainLine<T, Attempted>(atOnce, ahead),
  record: (results: readonly Attempted[]) => results.flatMap(({ recording }) => recording),
  isServerDown: ({ serverFailed }: Attempted) => serverFailed,
} satisfies Partial<Queue<unknown, Attempted>>;
