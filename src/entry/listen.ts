/**
 * Serves HTTP on a socket, with `node:http`. Unlike `Deno.serve` it closes silent and slow connections. A bare
 * route takes two to three times as long as with `Deno.serve`, which is below 0.1 ms.
 *
 * Works around: `Deno.serve` has no timeouts for headers, bodies and unread answers, and no limit of connections.
 * True for: Deno 2.9.6.
 * Remove when: `Deno.serve` takes such limits.
 */
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Bindings } from "../http/address.ts";
import { describeError, type Log } from "../platform/log.ts";
import { Bursts, type Checks, Connections, littleUnsent } from "./connections.ts";
import { listenAt, watchOver } from "./listening.ts";

/** Milliseconds. */
export interface Deadlines {
  /** For the headers of a request. */
  readonly headers: number;
  /**
   * For a whole request, and for the client to read a part of an answer. The app rejects a slow body earlier.
   */
  readonly request: number;
  /** Before the first request of a connection, and between two. */
  readonly idle: number;
  /** Interval of the check that connections are still accepted. */
  readonly look: number;
}

const usualBacklog = 128;

export const usualDeadlines: Deadlines = { headers: 10_000, request: 75_000, idle: 60_000, look: 5_000 };

export interface Place {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  readonly maxConnections: number;
  /** Bytes of unread answers allowed, over all connections. */
  readonly mostUnsent?: number;
  /** Number of connections that may wait to be accepted. */
  readonly backlog?: number;
  readonly deadlines?: Deadlines;
  /**
   * Replaces the global `Request` and `Response` with those of the adapter, which take half the time. Other
   * servers in the process may reject them.
   */
  readonly light?: boolean;
}

export interface Listening {
  /** Such as `http://127.0.0.1:8000`. */
  readonly url: string;
  /** Number of open connections. */
  readonly connections: number;
  /** Stops accepting connections and resolves when all running requests are answered. */
  stop(): Promise<void>;
}

export type Serve = (request: Request, bindings: Bindings) => Response | Promise<Response>;

/** Requests to begin per turn of the event loop, a few milliseconds of work. */
const requestsPerTurn = 16;

/** Starts the server. Throws ConfigError when the address cannot be used. */
export async function listen(serve: Serve, place: Place, log: Log): Promise<Listening> {
  const { host, maxConnections, backlog = usualBacklog, light = false, deadlines = usualDeadlines } = place;
  const connections = new Connections(maxConnections, place.mostUnsent);
  const bursts = new Bursts(requestsPerTurn);
  const turns = new ChunkTurns();
  const answer = getRequestListener(
    (request, bindings) => {
      const { incoming } = bindings as HttpBindings;
      return serve(request, {
        peer: () => incoming.socket.remoteAddress ?? null,
        // The adapter drains what a refused request leaves unread.
        chunks: () => turns.of(incoming.iterator({ destroyOnReturn: false })),
      });
    },
    { overrideGlobalObjects: light },
  );
  const server = createServer({
    headersTimeout: 0,
    requestTimeout: 0,
    keepAliveTimeout: deadlines.idle,
  }, (request, response) =>
    connections.take(request, response, () => {
      turns.noteRequest(request);
      makeReadable(request);
      bursts.take(() => request.socket.destroyed, () => {
        Promise.resolve(answer(request, response)).then(() => {
          if (request.socket.writableLength > littleUnsent) connections.closeSlow();
        }).catch((error) => log.error({ event: "defect", ...describeError(error) }));
      });
    }));
  // Also closes a connection whose client does not read the answer.
  server.setTimeout(deadlines.request);
  server.on("connection", (socket) => connections.add(socket));
  // Closed connections keep their descriptors for a few more turns. Beyond this, new ones are closed at once.
  server.maxConnections = maxConnections + Math.ceil(backlog / 2);
  await listenAt(server, { host, port: place.port, backlog });
  const { port } = server.address() as AddressInfo;
  const endChecks = checkDeadlines(connections, deadlines);
  const endWatch = watchOver(server, { host, port, backlog }, deadlines.look, log);
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
    get connections() {
      return connections.size;
    },
    async stop() {
      endWatch();
      endChecks();
      const closed = new Promise((resolve) => server.close(resolve));
      connections.stop();
      await closed;
    },
  };
}

/** Checks within the deadline of headers. */
const checksOfHeaders = 10;

/**
 * Closes connections whose requests are late. Returns a function that ends the checks. It counts them instead of
 * milliseconds: a process that was busy reads between two checks what has arrived meanwhile.
 *
 * Works around: the timeouts of `node:http` answer complete requests that waited while the process was busy with
 * 408 of no length, and idle connections, too, where clients take this for the answer to a request.
 * True for: Deno 2.9.6.
 * Remove when: it reads what has arrived before it closes a connection.
 */
function checkDeadlines(connections: Connections, { headers, request, idle }: Deadlines): () => void {
  const everyMs = Math.ceil(headers / checksOfHeaders);
  const most: Checks = {
    headers: checksOfHeaders,
    request: Math.ceil(request / everyMs),
    silence: Math.ceil(idle / everyMs),
  };
  const timer = setInterval(() => connections.closeLate(most), everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

const saneHost = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/**
 * Rewrites odd hosts and targets, so that such requests reach the app. The adapter would reject them without
 * our error format.
 */
function makeReadable(request: IncomingMessage): void {
  const { headers, socket, url = "" } = request;
  if (!headers.host || !saneHost.test(headers.host)) headers.host = `localhost:${socket.localPort ?? 80}`;
  if (url.startsWith("/") && !url.includes("\\")) return;
  if (/^https?:\/\/[^\\]*$/.test(url) && URL.canParse(url)) return;
  request.url = (url.startsWith("/") ? url : `/${url}`).replaceAll("\\", "%5C");
}

/** Milliseconds after a request in which chunks wait for longer than the next turn of the event loop. */
const recent = 100;
/** Bytes of a body from which it counts as an upload. */
const largeBody = 1024 * 1024;
/** Milliseconds between two chunks during that time. */
const pause = 1;

/**
 * Passes on one chunk per turn of the event loop, for all uploads together. While other requests arrive, it
 * skips some turns: a turn reads only few of the connections that have data, so a request would wait behind
 * all uploads.
 */
export class ChunkTurns {
  readonly #waiting: (() => void)[] = [];
  #isScheduled = false;
  #lastRequest = -Infinity;

  noteRequest({ headers }: IncomingMessage): void {
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
