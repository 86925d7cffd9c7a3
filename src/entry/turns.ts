/** Requests, and chunks of uploads, that wait for a turn of the event loop. */
import type { IncomingMessage } from "node:http";

/**
 * Begins a bounded number of requests per turn of the event loop. Of hundreds that arrive together, the first would
 * otherwise keep all other calls waiting until the last one is begun.
 */
export class Bursts {
  #begun = 0;
  #isScheduled = false;
  #waiting: Waiting[] = [];

  /** `perTurn`: most requests to begin in one turn. */
  constructor(readonly perTurn: number) {}

  /**
   * Calls `begin` now, or in a later turn when this one has begun enough. Keeps the order. A request for which
   * `isGone` is true by then is dropped, so that clients that disconnect leave no work behind.
   */
  take(isGone: () => boolean, begin: () => void): void {
    if (!this.#isScheduled) this.#schedule();
    if (this.#begun === this.perTurn) this.#waiting.push({ isGone, begin });
    else {
      this.#begun++;
      begin();
    }
  }

  /** Gives those that wait the next turn. While some are left, it is full, so that nothing overtakes them. */
  #schedule(): void {
    this.#isScheduled = true;
    setImmediate(() => {
      const left = this.#waiting.filter(({ isGone }) => !isGone());
      const next = left.slice(0, this.perTurn);
      this.#waiting = left.slice(this.perTurn);
      this.#begun = next.length;
      if (next.length > 0) this.#schedule();
      else this.#isScheduled = false;
      for (const { begin } of next) begin();
    });
  }
}

interface Waiting {
  readonly isGone: () => boolean;
  readonly begin: () => void;
}

/** Milliseconds from a request during which chunks wait for more than the next turn of the event loop. */
const recent = 100;
/** Bytes of a body from which it counts as an upload. */
const largeBody = 1024 * 1024;
/** Milliseconds between two chunks then. */
const pause = 1;

/**
 * Passes on one chunk of all uploads per turn of the event loop. While other requests come, too, it leaves some turns
 * out: in a turn the loop reads few of the connections that have data, so a request would wait behind all uploads.
 */
export class ChunkTurns {
  readonly #waiting: (() => void)[] = [];
  #isScheduled = false;
  #lastRequest = -Infinity;

  begun({ headers }: IncomingMessage): void {
    const isUpload = headers["content-type"]?.startsWith("multipart/") ||
      Number(headers["content-length"]) > largeBody;
    if (!isUpload) this.#lastRequest = performance.now();
  }

  async *of(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    for await (const chunk of chunks) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
        this.#schedule();
      });
      yield chunk;
    }
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    const pass = () => {
      this.#isScheduled = false;
      this.#waiting.shift()!();
      if (this.#waiting.length > 0) this.#schedule();
    };
    if (performance.now() < this.#lastRequest + recent) setTimeout(pass, pause);
    else setImmediate(pass);
  }
}
