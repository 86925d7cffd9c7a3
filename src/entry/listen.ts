/**
 * Serves HTTP on a socket, with `node:http`. Unlike `Deno.serve` it closes silent and slow connections, and
 * with `light` it is as fast.
 */
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import type { Bindings } from "../http/address.ts";
import type { Log } from "../platform/log.ts";
import { Connections, littleUnsent } from "./connections.ts";
import { listeningFault } from "./listening.ts";
import { Bursts, ChunkTurns } from "./turns.ts";

/** Milliseconds. */
export interface Deadlines {
  /** For the headers of a request, counted from the start of the connection. */
  readonly headers: number;
  /**
   * For a whole request, and for the client to read a part of an answer. The app rejects a slow body earlier.
   */
  readonly request: number;
  /** Between two requests of a connection. */
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

/** Throws ConfigError when the address cannot be used. */
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
    headersTimeout: deadlines.headers,
    requestTimeout: deadlines.request,
    keepAliveTimeout: deadlines.idle,
    connectionsCheckingInterval: Math.ceil(deadlines.headers / 10),
  }, (request, response) =>
    connections.take(request, response, () => {
      turns.begun(request);
      makeReadable(request);
      bursts.take(() => request.socket.destroyed, async () => {
        await answer(request, response);
        if (request.socket.writableLength > littleUnsent) connections.closeSlow();
      });
    }));
  // Also ends a connection that does not read its answer.
  server.setTimeout(deadlines.request);
  server.on("connection", (socket) => connections.add(socket));
  // Closed connections hold their descriptors for a few turns more. What arrives meanwhile is closed at once.
  server.maxConnections = maxConnections + Math.ceil(backlog / 2);
  await opened(server, { host, port: place.port, backlog });
  const { port } = server.address() as AddressInfo;
  const watch = watchOver(server, { host, port, backlog }, deadlines.look, log);
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
    get connections() {
      return connections.size;
    },
    async stop() {
      clearInterval(watch);
      const closed = new Promise((resolve) => server.close(resolve));
      connections.stop();
      await closed;
    },
  };
}

const saneHost = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/**
 * Passes requests with odd hosts and targets to the app. The adapter would reject them without our error
 * format.
 */
function makeReadable(request: IncomingMessage): void {
  const { headers, socket, url = "" } = request;
  if (!headers.host || !saneHost.test(headers.host)) headers.host = `localhost:${socket.localPort ?? 80}`;
  if (url.startsWith("/") && !url.includes("\\")) return;
  if (/^https?:\/\/[^\\]*$/.test(url) && URL.canParse(url)) return;
  request.url = (url.startsWith("/") ? url : `/${url}`).replaceAll("\\", "%5C");
}

interface Socket {
  readonly host: string;
  readonly port: number;
  readonly backlog: number;
}

function opened(server: Server, at: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      server.off("listening", done);
      reject(listeningFault(error, at));
    };
    const done = () => {
      server.off("error", fail);
      resolve();
    };
    server.once("error", fail);
    server.once("listening", done);
    server.listen(at);
  });
}

/**
 * When the process runs out of files, the server silently stops accepting connections. So when none has
 * arrived for a while, this opens a connection of its own and makes the server listen again if that one does
 * not arrive.
 */
function watchOver(server: Server, at: Socket, everyMs: number, log: Log): NodeJS.Timeout {
  let accepted = true;
  let looking = false;
  server.on("connection", () => accepted = true);
  const look = async () => {
    if (!accepted && !await arrives(server, at, everyMs)) {
      log.error({ event: "listening_again", error: "connections were not accepted" });
      server.close();
      await opened(server, at);
    }
    accepted = false;
  };
  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    look().catch((error) => log.error({ event: "not_listening", error: String(error) }))
      .finally(() => looking = false);
  }, everyMs);
  timer.unref();
  return timer;
}

/** Milliseconds. A connection that finds the queue full is tried again by the system after one second. */
const mostPatience = 3_000;
const patienceSteps = 10;

const everywhere: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

function arrives(server: Server, { host, port }: Socket, patienceMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect({ host: everywhere[host] ?? host, port });
    const end = (arrived: boolean) => {
      clearInterval(late);
      server.off("connection", seen);
      probe.destroy();
      resolve(arrived);
    };
    const seen = () => end(true);
    // In steps, each of which lets a connection in that arrived while this process had no time.
    let steps = 0;
    const late = setInterval(() => {
      if (++steps === patienceSteps) end(false);
    }, Math.min(patienceMs, mostPatience) / patienceSteps);
    server.on("connection", seen);
    probe.on("error", () => {});
  });
}
