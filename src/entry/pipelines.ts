/** Requests of a connection are answered one after the other, also when they arrive together. */
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/**
 * Requests that wait on a connection for the answers before theirs. Some 2,000 fit into one read of a connection,
 * and their answers stay in memory until the other end takes them.
 */
export const mostPipelined = 100;

export class Pipelines {
  /** What waits, by the connections that have a request being answered. */
  readonly #waiting = new WeakMap<Socket, (() => void)[]>();

  /** Calls `begin` when the earlier requests of the connection are answered. Closes it where too many wait. */
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
