/** Gives memory back to the system: while nobody calls, and when the calls have taken much. */
import process from "node:process";
import type { Deps } from "../deps.ts";
import { probePaths } from "../http/discovery.ts";
import { extractPath } from "../http/request.ts";

/** Milliseconds without a call after which the garbage of the start, or of the calls before, is collected. */
const settled = 1_000;
const quiet = 20_000;
/**
 * Bytes that calls may take before their garbage is collected. V8 itself keeps garbage of half of what is in use, but
 * not all that it has collected goes back to the system at once. Common calls at full speed stay below: collected above
 * 64 MiB, they took up to 17 % more processor time, since a collection also drops compiled code.
 */
const mostTaken = 128 * 1024 * 1024;
/**
 * Bytes of these that the heap must have taken. The others may be pages of the database that threads map, up to 2 GiB
 * each: a thorough collection gives them back with idle threads, and the next reads take them again.
 */
const leastGarbage = 32 * 1024 * 1024;
/**
 * Under load, collections take at most a hundredth of a processor's time. They hold up calls for at most a 25th of the
 * time, also on a busy machine, where they last longer: so 95 of 100 calls never wait for them.
 */
const restsPerWork = 99;
const restsPerPause = 24;

export interface GivingBack {
  /** Notes a call. */
  noteCall(): void;
  stop(): void;
}

/** The process and its clock. */
export interface Memory {
  /** Milliseconds on a clock that never goes back. */
  readonly now: () => number;
  /** Returns the memory that the process has, in bytes. */
  readonly readResident: () => number;
  /** Returns the bytes of the objects of this thread, with their garbage. */
  readonly readHeap: () => number;
  /** Returns the milliseconds of processor time that it took. Nothing is served meanwhile. */
  readonly collect: (how: Thoroughness) => number;
  /** Gives back caches, and threads without work. */
  readonly release: () => void;
}

/** `last-resort` takes twice as much time as `regular`, which frees memory but may keep it for new objects. */
export type Thoroughness = "regular" | "last-resort";

/** Gives memory back after the start, after each while with calls, and when calls have taken much. */
export function giveMemoryBack({ db }: Pick<Deps, "db">): GivingBack {
  const watch = new MemoryWatch({
    now: () => performance.now(),
    readResident: () => Deno.memoryUsage().rss,
    readHeap,
    collect: collectGarbage,
    release: () => db.release(),
  });
  const timer = setInterval(() => watch.check(), settled);
  return { noteCall: () => watch.noteCall(), stop: () => clearInterval(timer) };
}

const watchPaths = [...probePaths, "/metrics"];

/** Whether a call only watches the service: such calls come every few seconds, also in a quiet time. */
export function isWatch(url: string): boolean {
  return watchPaths.includes(extractPath(url));
}

/** Decides when memory is given back. */
export class MemoryWatch {
  readonly #memory: Memory;
  #calledAt = 0;
  /** The start of the last collection in a quiet time. */
  #settledAt = 0;
  #patience = settled;
  /** The fewest bytes since memory was given back the last time; null until they are known. */
  #left: number | null = null;
  /** The fewest bytes of the heap since then. */
  #heapLeft = Infinity;
  /** How thorough the last collection was, until its effect is known. */
  #last: Thoroughness | null = null;
  /** How thorough the next collection under load will be. */
  #next: Thoroughness = "regular";
  /** The moment from which calls may be held up by a collection again. */
  #restedAt = 0;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  noteCall(): void {
    this.#calledAt = this.#memory.now();
  }

  /** Gives memory back if it is time. Is called every second. */
  check(): void {
    const now = this.#memory.now();
    if (this.#isQuiet(now)) {
      [this.#settledAt, this.#patience] = [now, quiet];
      this.#collect("last-resort");
      return;
    }
    const resident = this.#memory.readResident();
    const heap = this.#memory.readHeap();
    if (this.#left === null || this.#last !== null) {
      return this.#learn(resident, heap, this.#left ?? resident);
    }
    // V8 gives memory back by itself, too.
    this.#left = Math.min(this.#left, resident);
    this.#heapLeft = Math.min(this.#heapLeft, heap);
    const isMuch = resident > this.#left + mostTaken && heap > this.#heapLeft + leastGarbage;
    if (isMuch && now >= this.#restedAt) this.#collect(this.#next);
  }

  #isQuiet(now: number): boolean {
    if (now - this.#calledAt < this.#patience) return false;
    return this.#settledAt <= this.#calledAt || this.#patience === settled;
  }

  #collect(how: Thoroughness): void {
    if (how === "last-resort") this.#memory.release();
    const begun = this.#memory.now();
    const spent = this.#memory.collect(how);
    const ended = this.#memory.now();
    this.#restedAt = ended + Math.max(restsPerWork * spent, restsPerPause * (ended - begun));
    this.#last = how;
  }

  /** Takes note of what a collection has left, a second later: V8 returns the memory in another thread. */
  #learn(resident: number, heap: number, before: number): void {
    const isEnough = this.#last !== "regular" || resident <= before + mostTaken / 2;
    if (isEnough) [this.#left, this.#heapLeft] = [resident, heap];
    this.#next = isEnough ? "regular" : "last-resort";
    this.#last = null;
  }
}

/** Returns the bytes of the objects of this thread, with their garbage and with buffers. */
export function readHeap(): number {
  const { heapTotal, external } = Deno.memoryUsage();
  return heapTotal + external;
}

/**
 * Returns memory to the system: that of the start, 20 MB of 145, and that of lists and documents. As the last resort
 * this takes 130 to 230 ms of processor time, otherwise 60 to 120. V8 does so by itself only when much garbage has
 * gathered. `gc` must be exposed, as `deno task start` does.
 */
function collectGarbage(how: Thoroughness): number {
  const { gc } = globalThis as { gc?: (how: { type: "major"; flavor: Thoroughness }) => void };
  const before = process.cpuUsage();
  gc?.({ type: "major", flavor: how });
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
