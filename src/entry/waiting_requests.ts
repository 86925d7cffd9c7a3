/** Requests that wait before they begin: of a connection, and of a turn of the event loop. */
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/**
 * Largest number of waiting requests on a connection. About 2,000 fit into one read, and their answers stay
 * in memory until the client reads them.
 */
const mostPipelined = 100;

/** Answers the requests of a connection one after the other, even when they arrive together. */
export class Pipelines {
  /** Waiting requests by connection. */
  readonly #waiting = new WeakMap<Socket, (() => void)[]>();

  /**
   * Calls `begin` when the earlier requests of the connection are answered. Closes the connection when too
   * many wait.
   */
  take(socket: Socket, response: ServerResponse, begin: () => void): void {
    const line = this.#waiting.get(socket);
    const run = () => {
      response.once("close", () => this.#next(socket));
      begin();
    };
    if (line === undefined) {
      this.#waiting.set(socket, []);
      run();
    } else if (line.length < mostPipelined) line.push(run);
    else socket.destroy();
  }

  #next(socket: Socket): void {
    const run = socket.destroyed ? undefined : this.#waiting.get(socket)?.shift();
    if (run) run();
    else this.#waiting.delete(socket);
  }
}

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
    if (this.#begun >= this.perTurn || this.#waiting.length > 0) {
      this.#waiting.push({ isGone, begin });
      this.#schedule();
    } else this.#begin(begin);
  }

  #begin(begin: () => void): void {
    this.#begun++;
    this.#schedule();
    begin();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#nextTurn());
  }

  #nextTurn(): void {
    this.#isScheduled = false;
    this.#begun = 0;
    if (this.#waiting.length === 0) return;
    const left = this.#waiting.filter(({ isGone }) => !isGone());
    this.#waiting = left.slice(this.perTurn);
    for (const { begin } of left.slice(0, this.perTurn)) this.#begin(begin);
  }
}

interface Waiting {
  readonly isGone: () => boolean;
  readonly begin: () => void;
}
