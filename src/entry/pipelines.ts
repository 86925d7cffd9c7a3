/** Answers the requests of a connection one after the other, even when they arrive together. */
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/**
 * Largest number of waiting requests on a connection. About 2,000 fit into one read, and their answers stay
 * in memory until the client reads them.
 */
export const mostPipelined = 100;

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
