/**
 * Requests with node:http, for Deno. Resolves the name and connects to the checked address, so that a name
 * cannot pass the check and then resolve to another address.
 */

import { Buffer } from "node:buffer";
import { lookup as systemLookup } from "node:dns/promises";
import http from "node:http";
import https from "node:https";
import type { LookupFunction } from "node:net";
import { checkAddress, checkTarget } from "./egress.ts";
import {
  type Answered,
  defaultMaxBytes,
  defaultTimeoutMs,
  type Fetcher,
  FetchFailed,
  type Get,
  type Post,
} from "./fetcher.ts";

/**
 * Most connections to one host: far more than one unresponsive path needs, and no more than a small server
 * accepts. Idle ones are closed earlier than most servers would.
 */
const maxConnections = 100;
const idleTimeoutMs = 4000;

/** Finds the IP addresses of a host name; rejects when there are none. */
export type Resolver = (name: string) => Promise<string[]>;

/** Asks the resolver of the system. */
export const systemResolver: Resolver = async (name) =>
  (await systemLookup(name, { all: true })).map(({ address }) => address);

export interface NodeFetcher extends Fetcher {
  /** Closes idle connections. */
  close(): void;
}

/**
 * Returns a fetcher over `node:http`, which keeps connections. It checks the resolved addresses too, unless
 * `allowPrivate`.
 */
export function makeNodeFetcher(
  { allowPrivate, resolve = systemResolver }: { allowPrivate: boolean; resolve?: Resolver },
): NodeFetcher {
  const options = {
    keepAlive: true,
    maxSockets: maxConnections,
    maxFreeSockets: maxConnections,
    timeout: idleTimeoutMs,
  };
  const agents = { "http:": new http.Agent(options), "https:": new https.Agent(options) };
  const lookup = makeCheckedLookup(resolve, allowPrivate);
  const send = async (url: string, asked: Asked): Promise<Answered> => {
    const reason = checkTarget(url, allowPrivate);
    if (reason !== null) throw new FetchFailed("refused", `the address ${reason}`, 0);
    const target = new URL(url);
    const [request, agent] = target.protocol === "https:"
      ? [https.request, agents["https:"]]
      : [http.request, agents["http:"]];
    for (let isFirst = true;; isFirst = false) {
      try {
        return await once(request, target, { agent, lookup }, asked);
      } catch (error) {
        // The target closed an idle connection just when this request took it.
        if (isFirst && error instanceof ConnectionGone) continue;
        throw error instanceof FetchFailed ? error : failure(error, false, 0);
      }
    }
  };
  return {
    post: send,
    get: (url, { headers, timeoutMs, maxBytes }) => send(url, { headers, timeoutMs, maxBytes }),
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

/** A request with a body is a POST, one without a GET. */
type Asked = Get & Partial<Post>;

class ConnectionGone extends FetchFailed {}
class AddressRefused extends Error {}

function once(
  start: typeof http.request,
  target: URL,
  options: { agent: http.Agent; lookup: LookupFunction },
  { headers, timeoutMs = defaultTimeoutMs, maxBytes = defaultMaxBytes, body }: Asked,
): Promise<Answered> {
  const { promise, resolve, reject } = Promise.withResolvers<Answered>();
  const started = performance.now();
  const request = start(target, {
    ...options,
    method: body === undefined ? "GET" : "POST",
    headers: body === undefined ? headers : { ...headers, "content-length": String(Buffer.byteLength(body)) },
  });
  // The timeout counts from the start of the connection, without the time in the queue for it.
  let timer: ReturnType<typeof setTimeout> | undefined;
  let settleLate = () =>
    reject(new FetchFailed("timeout", `no answer within ${timeoutMs} ms`, performance.now() - started));
  let late = false;
  request.on("socket", (socket) => {
    // Works around: a request is repeated when a reused connection is closed during it, even by us.
    // True for: Deno 2.9.6.
    // Remove when: `destroy()` ends a request for good.
    if (late) return socket.destroy();
    timer ??= setTimeout(() => {
      late = true;
      settleLate();
      request.destroy();
    }, timeoutMs);
  });
  request.once("close", () => clearTimeout(timer));
  request.on("error", (error) => reject(failure(error, request.reusedSocket, performance.now() - started)));
  request.once("response", (response) => {
    const chunks: Uint8Array[] = [];
    let left = maxBytes;
    const finishAnswer = () => {
      clearTimeout(timer);
      const bytes = Buffer.concat(chunks).subarray(0, maxBytes);
      const headers = new Headers();
      for (const [name, values = []] of Object.entries(response.headersDistinct)) {
        for (const value of values) headers.append(name, value);
      }
      resolve({
        status: response.statusCode ?? 0,
        headers,
        bodyExcerpt: bytes.toString("utf8"),
        bytes,
        durationMs: performance.now() - started,
      });
    };
    settleLate = finishAnswer;
    response.on("data", (chunk: Uint8Array) => {
      chunks.push(chunk);
      left -= chunk.length;
      if (left > 0) return;
      finishAnswer();
      response.destroy();
    });
    // The status is known; a missing part of the body changes nothing.
    for (const end of ["end", "error", "aborted", "close"]) response.on(end, finishAnswer);
  });
  request.end(body);
  return promise;
}

function failure(error: unknown, reused: boolean, durationMs: number): FetchFailed {
  if (error instanceof AddressRefused) return new FetchFailed("refused", error.message, durationMs);
  const { code = "", message = "" } = error instanceof Error ? error as NodeJS.ErrnoException : {};
  const gone = reused && (code === "ECONNRESET" || code === "EPIPE");
  const said = messagesByCode[code] ?? message.split("\n", 1)[0];
  const Failed = gone ? ConnectionGone : FetchFailed;
  return new Failed("unreachable", `the target cannot be reached: ${said}`, durationMs);
}

const messagesByCode: Record<string, string> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection closed without an answer",
  EPIPE: "connection closed without an answer",
  ENOTFOUND: "host name not found",
  EAI_AGAIN: "host name not found",
  EHOSTUNREACH: "host unreachable",
  ENETUNREACH: "network unreachable",
};

/** Resolves a name for a connection, and refuses it when any of its addresses may not be called. */
function makeCheckedLookup(resolve: Resolver, allowPrivate: boolean): LookupFunction {
  return (name, options, callback) => {
    resolve(name).then((found) => {
      if (!allowPrivate) {
        for (const address of found) {
          const reason = checkAddress(address);
          if (reason !== null) throw new AddressRefused(`the address of the host name ${reason}`);
        }
      }
      const addresses = found.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
      const [first] = addresses;
      if (first === undefined) throw Object.assign(new Error("no address"), { code: "ENOTFOUND" });
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    }).catch((error) => callback(error, "", 0));
  };
}
