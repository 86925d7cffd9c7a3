/** The chunks of uploads, which take their turns so that other requests do not wait for them. */
import type { IncomingMessage } from "node:http";

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
