/**
 * The running requests of a sender. The limit applies to active requests: one that has waited for a while
 * costs only a connection, so that unresponsive targets do not block others.
 */

/** Milliseconds after which a request counts as waiting. */
const patience = 25;
/** Most simultaneous requests, including waiting ones. */
const mostAtAll = 2_000;

/** A running request. */
export interface Sending {
  readonly at: number;
}

export class InFlight {
  /** Active requests in the order of their start. */
  readonly #young = new Set<Sending>();
  #count = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Calls `freed` when there may be room again after there was none. */
  constructor(readonly freed: () => void) {}

  get count(): number {
    return this.#count;
  }

  begin(): Sending {
    const sending = { at: performance.now() };
    this.#young.add(sending);
    this.#count++;
    return sending;
  }

  end(sending: Sending): void {
    this.#young.delete(sending);
    this.#count--;
  }

  /** Returns whether another request may start with this limit of active ones. */
  hasRoom(most: number): boolean {
    const now = performance.now();
    for (const sending of this.#young) {
      if (now - sending.at < patience) break;
      this.#young.delete(sending);
    }
    if (this.#count >= mostAtAll) return false;
    if (this.#young.size < most) return true;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.freed();
    }, patience);
    return false;
  }

  /** Stops calling `freed`. */
  close(): void {
    clearTimeout(this.#timer);
  }
}
