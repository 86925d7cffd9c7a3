/** How many attempts of a run may go on at once. Those that only wait for an answer make room for others. */
import type { Traffic } from "../platform/background.ts";
import type { Limits } from "./queue.ts";

/** Milliseconds after which an attempt counts as waiting, not as active: it then costs only a connection. */
const patience = 25;

export class Capacity<T> {
  #running = 0;
  /** Start times of the active attempts, oldest first. */
  readonly #active = new Map<T, number>();
  #aging: ReturnType<typeof setTimeout> | undefined;

  /** `onFreed`: called when active attempts may have become waiting ones, after an attempt found no room. */
  constructor(
    readonly limits: Limits,
    readonly traffic: Traffic | undefined,
    readonly onFreed: () => void,
  ) {}

  /** The number of attempts that have not ended. */
  get running(): number {
    return this.#running;
  }

  /** Whether lines that do not answer get no other attempt. */
  get isCrowded(): boolean {
    return this.#running >= (this.limits.crowded ?? Infinity);
  }

  /** Whether the queue makes way for calls of the API. */
  isBusy(): boolean {
    return this.limits.activeWhenBusy !== undefined && this.traffic?.isBusy() === true;
  }

  begin(task: T): void {
    this.#running++;
    this.#active.set(task, performance.now());
  }

  end(task: T): void {
    this.#running--;
    this.#active.delete(task);
  }

  /** Whether another attempt may start. Only active attempts take room, so that silent lines do not block others. */
  isFree(): boolean {
    const { limits } = this;
    const now = performance.now();
    for (const [task, begun] of this.#active) {
      if (now - begun < patience) break;
      this.#active.delete(task);
    }
    if (this.#running >= limits.all) return false;
    if (this.#active.size < (this.isBusy() ? limits.activeWhenBusy! : limits.active)) return true;
    this.#aging ??= setTimeout(() => {
      this.#aging = undefined;
      this.onFreed();
    }, patience);
    return false;
  }
}
