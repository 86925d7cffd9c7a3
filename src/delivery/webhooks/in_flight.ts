/**
 * The requests of a sender that are on their way. What is limited is how many keep it at work: one that has waited
 * for its answer a while costs a connection and no more, so that targets which do not answer take no turn of others.
 */

/** Milliseconds after which a request only waits. */
const patience = 25;
/** Requests at once, waiting ones included: connections that a process may surely have. */
const mostAtAll = 2_000;

/** A request on its way. */
export interface Sending {
  readonly at: number;
}

export class InFlight {
  /** Those that are not known to be waiting, in the order in which they began. */
  readonly #young = new Set<Sending>();
  #count = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `freed` is called when there was no room for another and there may be now. */
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

  /** Whether another may begin where so many may be at work at once. */
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

  /** Calls nobody any more. */
  close(): void {
    clearTimeout(this.#timer);
  }
}
