/** Makes a server listen, and keeps it listening. */
import type { Server } from "node:http";
import { connect } from "node:net";
import { type Config, ConfigError } from "../config.ts";
import type { Log } from "../platform/log.ts";

interface Socket {
  readonly host: string;
  readonly port: number;
  readonly backlog: number;
}

/** Makes the server listen. Rejects with ConfigError when the address cannot be used. */
export function listenAt(server: Server, at: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      server.off("listening", finishListening);
      reject(explainFailure(error, at));
    };
    const finishListening = () => {
      server.off("error", fail);
      resolve();
    };
    server.once("error", fail);
    server.once("listening", finishListening);
    server.listen(at);
  });
}

/**
 * When none has arrived for a while, opens a connection of its own and makes the server listen again if that
 * one does not arrive. Returns a function that ends the watch.
 *
 * Works around: when the process runs out of files, the server silently stops accepting connections.
 * True for: Deno 2.9.6.
 * Remove when: it accepts again as soon as there are files.
 */
export function watchOver(server: Server, at: Socket, everyMs: number, log: Log): () => void {
  let accepted = true;
  let looking = false;
  let isOver = false;
  server.on("connection", () => accepted = true);
  const look = async () => {
    if (!accepted && !await isReached(server, at, everyMs) && !isOver) {
      log.error({ event: "listening_again", error: "connections were not accepted" });
      server.close();
      await listenAt(server, at);
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
  return () => {
    isOver = true;
    clearInterval(timer);
  };
}

/** The longest step, in milliseconds. */
const longestStep = 300;
/** Steps that a connection gets to arrive after the system made it. */
const stepsToArrive = 10;
/** Steps after which the queue of the system is full: it makes no connection then. */
const stepsToConnect = 20;

/** Where a server that listens on every address of a family is reached. */
const everywhere: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

/**
 * Returns false if this process does not accept a connection that the system made. A busy process accepts late:
 * counts a step only if it was on time, because only then the process had time to accept.
 */
function isReached(server: Server, { host, port }: Socket, patienceMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const stepMs = Math.min(patienceMs / 10, longestStep);
    const probe = connect({ host: everywhere[host] ?? host, port });
    const end = (arrived: boolean) => {
      clearInterval(steps);
      server.off("connection", endAsSeen);
      probe.destroy();
      resolve(arrived);
    };
    const endAsSeen = () => end(true);
    let isMade = false;
    let onTime = 0;
    let last = performance.now();
    const steps = setInterval(() => {
      const now = performance.now();
      if (now - last < 2 * stepMs) onTime++;
      last = now;
      if (onTime >= (isMade ? stepsToArrive : stepsToConnect)) end(false);
    }, stepMs);
    const markMade = () => {
      isMade = true;
      onTime = 0;
    };
    server.on("connection", endAsSeen);
    probe.on("connect", markMade);
    // Also a process without a file left for the probe accepts nothing.
    probe.on("error", markMade);
  });
}

/** Translates a listen error into a ConfigError. Returns other errors unchanged. */
function explainFailure(error: unknown, { host, port }: Pick<Config, "host" | "port">): unknown {
  const text = error instanceof Error
    ? `${"code" in error ? error.code : ""} ${error.name} ${error.message}`
    : "";
  if (/AddrInUse|EADDRINUSE/.test(text)) {
    return new ConfigError(`PORT ${port} is in use on ${host}: another program listens there`);
  }
  if (/AddrNotAvailable|EADDRNOTAVAIL|EAFNOSUPPORT|EINVAL/.test(text)) {
    return new ConfigError(`HOST ${host} is not an address of this machine`);
  }
  if (/ENOTFOUND|EAI_|failed to lookup|not known|invalid (?:host|socket)/i.test(text)) {
    return new ConfigError(`HOST ${host} is neither an address nor a name that this machine can resolve`);
  }
  if (/PermissionDenied|EACCES/.test(text)) {
    return new ConfigError(`PORT ${port} may not be used by this user`);
  }
  return error;
}
