/**
 * Runs tasks of unknown length in two lanes. Each begins in the quick lane; one that takes longer leaves it for the
 * slow lane, and so do further tasks of its origin, until one of them is quick again. So any number of slow origins
 * holds up a quick one for no longer than the patience of the quick lane.
 */
import { FairQueue, waitingPatience } from "./fair_queue.ts";

type Limits = ConstructorParameters<typeof FairQueue>[0];

/** A task that has begun. */
export interface Begun<T> {
  readonly result: Promise<T>;
  /** Settles when the task has taken too long for the quick lane, or has ended. */
  readonly isSlow: Promise<boolean>;
  /** Lets the task fail soon. It begins again later. */
  stop(): void;
}

/** How a turn in the quick lane ended. */
type Turn<T> = { readonly moved: Promise<T> } | { readonly value: T } | "left";

export class Lanes {
  readonly #quick: FairQueue;
  readonly #slow: FairQueue;
  /** Origins whose last task was slow. */
  readonly #slowOrigins = new Set<string>();

  constructor(quick: Limits, slow: Limits) {
    this.#quick = new FairQueue(quick);
    this.#slow = new FairQueue(slow);
  }

  /** Runs a task when its turn comes. Throws `QueueFull`, also after `patience` milliseconds in both lanes. */
  async run<T>(origin: string, begin: () => Begun<T>, patience = waitingPatience): Promise<T> {
    const asked = performance.now();
    if (!this.#slowOrigins.has(origin)) {
      const turn = await this.#quick.run(origin, () => this.#quickTurn(origin, begin), patience);
      if (turn !== "left") return "value" in turn ? turn.value : await turn.moved;
    }
    const left = Math.max(0, patience - (performance.now() - asked));
    return await this.#slow.run(origin, () => this.#slowTurn(origin, begin()), left);
  }

  async #quickTurn<T>(origin: string, begin: () => Begun<T>): Promise<Turn<T>> {
    // Became slow while this task waited.
    if (this.#slowOrigins.has(origin)) return "left";
    const begun = begin();
    if (!await begun.isSlow) return { value: await begun.result };
    this.#slowOrigins.add(origin);
    if (this.#slow.isFreeFor(origin)) return { moved: this.#slow.run(origin, () => begun.result) };
    begun.stop();
    // It can end well at the last moment. Its place is free only when it has ended.
    const [outcome] = await Promise.allSettled([begun.result]);
    return outcome.status === "fulfilled" ? { value: outcome.value } : "left";
  }

  async #slowTurn<T>(origin: string, { result, isSlow }: Begun<T>): Promise<T> {
    const [outcome] = await Promise.allSettled([result]);
    if (!await isSlow) this.#slowOrigins.delete(origin);
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  }
}
