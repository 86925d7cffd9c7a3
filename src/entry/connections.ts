/**
 * Limits the open connections of a server to fewer than the files that the process may open, and each
 * connection to one request at a time. Also limits the requests that begin in one turn of the event loop.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { makeAddressKey } from "../http/address.ts";

interface Held {
  readonly socket: Socket;
  readonly address: string;
  /** The request that is being read or answered; null while the connection is idle. */
  request: IncomingMessage | null;
  /** A counter value, renewed by each request. The longest idle connection has the smallest. */
  since: number;
  /** What the last check missed. */
  missing: keyof Checks | null;
  /** Checks in a row that missed it. */
  lateFor: number;
  /** Bytes that had arrived with the last request; 0 before the first. */
  read: number;
  /** Requests that arrived while an earlier one was being answered. */
  readonly waiting: Arrived[];
}

/** Checks in a row after which a connection is closed. */
export interface Checks {
  /** When only a part of the headers has arrived. */
  readonly headers: number;
  /** When only a part of the body has arrived. */
  readonly request: number;
  /** When nothing has arrived since the connection began. */
  readonly silence: number;
}

interface Arrived {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly begin: () => void;
}

/**
 * Largest number of waiting requests on a connection. About 2,000 fit into one read, and their answers stay
 * in memory until the client reads them.
 */
const mostPipelined = 100;

/** Most unread bytes of answers, over all connections. */
export const mostUnsent = 256 * 1024 * 1024;
/** Bytes. With up to this many unread, a connection causes no check of all connections. */
export const littleUnsent = 64 * 1024;

const tooLate = "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

export class Connections {
  readonly #most: number;
  readonly #mostUnsent: number;
  readonly #held = new Map<Socket, Held>();
  readonly #counts = new Map<string, number>();
  #clock = 0;
  #stopping = false;

  constructor(most: number, unsent = mostUnsent) {
    this.#most = most;
    this.#mostUnsent = unsent;
  }

  get size(): number {
    return this.#held.size;
  }

  /**
   * Accepts a new connection. When there is no room, it closes the longest idle connection of the address
   * with the most connections; or the new one, if its own address has more or no connection is idle.
   */
  add(socket: Socket): void {
    const address = makeAddressKey(socket.remoteAddress ?? "");
    if (this.#held.size >= this.#most && !this.#closeIdle(address)) {
      socket.destroy();
      return;
    }
    const since = this.#clock++;
    this.#held.set(socket, {
      socket,
      address,
      request: null,
      since,
      missing: null,
      lateFor: 0,
      read: 0,
      waiting: [],
    });
    this.#counts.set(address, this.#count(address) + 1);
    socket.once("close", () => this.#remove(socket));
  }

  /**
   * Calls `begin` when the earlier requests of the connection are answered, also when they arrive together. Closes
   * the connection when too many wait.
   */
  take(request: IncomingMessage, response: ServerResponse, begin: () => void): void {
    const held = this.#held.get(request.socket);
    if (!held) return;
    if (held.waiting.length >= mostPipelined) {
      held.socket.destroy();
      return;
    }
    held.waiting.push({ request, response, begin });
    if (held.request === null) this.#beginNext(held);
  }

  /**
   * While too many bytes of answers wait to be read, closes the longest waiting connection of the address with the
   * most waiting bytes.
   */
  closeSlow(): void {
    let unsent = 0;
    const byAddress = new Map<string, { bytes: number; slow: Held[] }>();
    for (const held of this.#held.values()) {
      const bytes = held.socket.writableLength;
      if (bytes === 0) continue;
      unsent += bytes;
      const of = byAddress.get(held.address) ?? { bytes: 0, slow: [] };
      byAddress.set(held.address, of);
      of.bytes += bytes;
      of.slow.push(held);
    }
    while (unsent > this.#mostUnsent) {
      const most = [...byAddress.values()].reduce((one, other) => other.bytes > one.bytes ? other : one);
      const victim = most.slow.reduce((one, other) => other.since < one.since ? other : one);
      const bytes = victim.socket.writableLength;
      most.slow.splice(most.slow.indexOf(victim), 1);
      most.bytes -= bytes;
      unsent -= bytes;
      this.#remove(victim.socket);
      victim.socket.destroy();
    }
  }

  /**
   * Counts the checks in a row that find a part of a request, or none on a new connection, and closes connections that
   * had too many. They are looked at again after a few turns of the event loop: what arrived while the process was busy
   * is read by then.
   */
  closeLate(most: Checks): void {
    const late: { held: Held; missing: keyof Checks; since: number }[] = [];
    for (const held of this.#held.values()) {
      const missing = findMissingPart(held);
      held.lateFor = missing !== null && missing === held.missing ? held.lateFor + 1 : 1;
      held.missing = missing;
      if (missing !== null && held.lateFor >= most[missing]) late.push({ held, missing, since: held.since });
    }
    if (late.length === 0) return;
    afterReads(() => {
      for (const { held, missing, since } of late) {
        // A request that began meanwhile can have been answered by now.
        if (findMissingPart(held) !== missing || held.since !== since) continue;
        const { socket } = held;
        this.#remove(socket);
        // A client that has sent nothing would take these words for the answer to a request that it sends meanwhile.
        if (missing === "headers") socket.end(tooLate);
        socket.destroySoon();
      }
    });
  }

  /** Closes idle connections now and the others after their answer. */
  stop(): void {
    this.#stopping = true;
    for (const held of this.#held.values()) if (held.request === null) held.socket.destroy();
  }

  /** Begins the request that has waited longest. When its response is closed, the next one begins. */
  #beginNext(held: Held): void {
    const next = held.socket.destroyed ? undefined : held.waiting.shift();
    held.request = next?.request ?? null;
    held.read = held.socket.bytesRead;
    held.missing = null;
    if (next) {
      held.since = this.#clock++;
      next.response.once("close", () => this.#beginNext(held));
      next.begin();
    } else if (this.#stopping) held.socket.end();
  }

  #closeIdle(address: string): boolean {
    let victim: Held | null = null;
    let most = 0;
    for (const held of this.#held.values()) {
      // A request whose body has not arrived waits like an idle connection.
      if (held.request?.complete) continue;
      const count = this.#count(held.address);
      if (victim && (count < most || (count === most && held.since > victim.since))) continue;
      victim = held;
      most = count;
    }
    if (victim === null || this.#count(address) > most) return false;
    this.#remove(victim.socket);
    victim.socket.destroy();
    return true;
  }

  #remove(socket: Socket): void {
    const held = this.#held.get(socket);
    if (!held) return;
    this.#held.delete(socket);
    const left = this.#count(held.address) - 1;
    if (left > 0) this.#counts.set(held.address, left);
    else this.#counts.delete(held.address);
  }

  #count(address: string): number {
    return this.#counts.get(address) ?? 0;
  }
}

/** Returns what a connection waits for; null while it waits for nothing, or for a further request. */
function findMissingPart({ socket, request, read }: Held): keyof Checks | null {
  if (request !== null) return request.complete ? null : "request";
  if (socket.bytesRead === 0) return "silence";
  return socket.bytesRead === read ? null : "headers";
}

/** Turns of the event loop. Two have sufficed to read what waits, one has not. */
const turnsOfReads = 5;

/** Calls `act` when the sockets that have data now have been read. */
function afterReads(act: () => void, turns = turnsOfReads): void {
  setTimeout(() => turns === 1 ? act() : afterReads(act, turns - 1), 0);
}

/**
 * Begins a bounded number of requests per turn of the event loop. Otherwise hundreds of requests that arrive
 * together would all begin in one turn, and the other calls would wait meanwhile.
 */
export class Bursts {
  #begun = 0;
  #isScheduled = false;
  #waiting: Waiting[] = [];

  /** `perTurn`: most requests to begin in one turn. */
  constructor(readonly perTurn: number) {}

  /**
   * Calls `begin` now, or in a later turn if this turn has begun `perTurn` requests. Keeps the order. Drops a
   * waiting request if `isGone` returns true by then, so that disconnected clients leave no work behind.
   */
  take(isGone: () => boolean, begin: () => void): void {
    if (!this.#isScheduled) this.#schedule();
    if (this.#begun === this.perTurn) this.#waiting.push({ isGone, begin });
    else {
      this.#begun++;
      begin();
    }
  }

  /** Begins waiting requests in the next turn. If more are left, it is full, so no new one overtakes them. */
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
