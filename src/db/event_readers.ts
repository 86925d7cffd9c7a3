/**
 * Readers that wait for events, and what wakes them: a commit of this process at once, one of another process when the
 * poller of this process sees it. One poller serves all readers, and it runs only while there are some.
 */
import { Problem, rateLimited } from "../core/errors.ts";
import type { Database } from "../platform/database/database.ts";
import { sql } from "./statements.ts";

/** Milliseconds between two looks at the stamp of a file, which takes microseconds. */
const stampMs = 50;
/** Milliseconds between two looks at a remote database. */
export const remoteMs = 1_000;
/** Waiting calls and streams of one user and client. */
const mostOfOne = 10;
/** Seconds after which a refused reader may try again. */
const refusedFor = 5;

/** The readers of a process. On Workers, an isolate keeps them over its calls. */
export interface ReaderCounts {
  readonly byOwner: Map<string, number>;
  total: number;
}

/** Returns the counts of a process without readers. */
export function makeReaderCounts(): ReaderCounts {
  return { byOwner: new Map(), total: 0 };
}

export interface EventReader {
  /** Forgets what has woken the reader. Call it before each read, so that nothing is lost in between. */
  begin(): void;
  /** Resolves when the company may have events since `begin`, after the milliseconds, or when the reader is to end. */
  next(ms: number): Promise<void>;
  /** Aborted when the client has gone or the service stops. */
  readonly ended: AbortSignal;
  close(): void;
}

/** Connections of a process whose settings name no number. */
export const usualConnections = 1_000;

/** Returns how many readers may wait: half of the connections, so that the other half can call. */
export function mostReaders({ maxConnections }: { readonly maxConnections: number | null }): number {
  return Math.max(1, Math.floor((maxConnections ?? usualConnections) / 2));
}

interface Woken {
  readonly companyId: number;
  wake: () => void;
}

interface Options {
  /** The most readers that wait. */
  readonly most: number;
  readonly counts?: ReaderCounts;
  /** Whether timers and readers of several calls may share work; false on Workers, where each reader polls. */
  readonly shared?: boolean;
}

export class EventReaders {
  readonly #db: Database;
  readonly #counts: ReaderCounts;
  readonly #shared: boolean;
  readonly #open = new Set<Woken>();
  readonly #stopping = new AbortController();
  readonly #running = new Map<string, Promise<unknown>>();
  /** What begins as soon as the running ones of the same key are done. */
  readonly #next = new Map<string, Promise<unknown>>();
  #timer: ReturnType<typeof setTimeout> | null = null;
  #isLooking = false;
  #stamp: number | null = null;
  /** The last position that the poller knows; null: none yet. */
  #known: number | null = null;
  readonly #most: number;

  constructor(db: Database, { most, counts = makeReaderCounts(), shared = true }: Options) {
    this.#db = db;
    this.#most = most;
    this.#counts = counts;
    this.#shared = shared;
  }

  /** The number of readers that wait in this process. */
  get size(): number {
    return this.#counts.total;
  }

  /** Milliseconds after which a stream ends. On Workers each reader polls for itself, and comes again. */
  get longest(): number {
    return this.#shared ? Infinity : 600_000;
  }

  /**
   * Begins a reader. `owner`: whose readers are counted together. Throws 429 when they have too many, 503 when all
   * readers together are too many. `gone`: aborted when the client has gone.
   */
  open(companyId: number, owner: string, gone: AbortSignal): EventReader {
    const { byOwner } = this.#counts;
    const ofOwner = byOwner.get(owner) ?? 0;
    if (ofOwner >= mostOfOne) {
      throw rateLimited(`At most ${mostOfOne} calls of one user and client wait for events`, refusedFor);
    }
    if (this.#counts.total >= this.#most) {
      throw new Problem(503, "unavailable", "Too many callers wait for events; try again.", {
        headers: { "Retry-After": String(refusedFor) },
      });
    }
    byOwner.set(owner, ofOwner + 1);
    this.#counts.total++;
    const ended = AbortSignal.any([gone, this.#stopping.signal]);
    let isWoken = false;
    let resume: (() => void) | null = null;
    const woken: Woken = {
      companyId,
      wake: () => {
        isWoken = true;
        resume?.();
      },
    };
    this.#open.add(woken);
    if (this.#shared) this.#poll();
    let isOpen = true;
    return {
      ended,
      begin: () => isWoken = false,
      next: async (ms) => {
        if (isWoken || ended.aborted || ms <= 0) return;
        const patience = this.#shared ? ms : Math.min(ms, remoteMs);
        await new Promise<void>((resolve) => {
          const end = () => {
            clearTimeout(timer);
            ended.removeEventListener("abort", end);
            resume = null;
            resolve();
          };
          const timer = setTimeout(end, patience);
          ended.addEventListener("abort", end, { once: true });
          resume = end;
        });
      },
      close: () => {
        if (!isOpen) return;
        isOpen = false;
        this.#open.delete(woken);
        this.#counts.total--;
        const left = byOwner.get(owner)! - 1;
        if (left > 0) byOwner.set(owner, left);
        else byOwner.delete(owner);
        if (this.#open.size === 0) this.#rest();
      },
    };
  }

  /** Wakes the readers of a company after a commit of this process with events. */
  noteCommit(companyId: number): void {
    for (const each of this.#open) if (each.companyId === companyId) each.wake();
  }

  /** Ends the waiting of all readers, so that the service can stop. */
  stop(): void {
    this.#stopping.abort();
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  /**
   * Does a read once for all that ask for the same while another one runs. Nobody gets one that had begun before the
   * call: it may lack a commit that the caller knows of, or that has woken it.
   */
  async share<T>(key: string, read: () => Promise<T>): Promise<T> {
    if (!this.#shared) return await read();
    const running = this.#running.get(key);
    if (!running) return await this.#begin(key, read);
    const known = this.#next.get(key) as Promise<T> | undefined;
    if (known) return await known;
    const next = running.then(() => {}, () => {}).then(() => {
      this.#next.delete(key);
      return this.#begin(key, read);
    });
    this.#next.set(key, next);
    return await next;
  }

  #begin<T>(key: string, read: () => Promise<T>): Promise<T> {
    const begun: Promise<T> = read().finally(() => {
      if (this.#running.get(key) === begun) this.#running.delete(key);
    });
    this.#running.set(key, begun);
    return begun;
  }

  #poll(): void {
    if (this.#timer !== null || this.#stopping.signal.aborted) return;
    const look = async () => {
      this.#isLooking = true;
      await this.#look().catch(() => {});
      this.#isLooking = false;
      this.#timer = null;
      if (this.#open.size > 0) this.#poll();
      else this.#known = null;
    };
    this.#timer = setTimeout(look, this.#db.kind === "file" ? stampMs : remoteMs);
  }

  /** Stops the poller: without readers it would look once more for nobody. */
  #rest(): void {
    if (this.#timer === null || this.#isLooking) return;
    clearTimeout(this.#timer);
    this.#timer = null;
    this.#known = null;
  }

  /** Wakes the readers of companies with new events. The first look wakes all: something may have happened before. */
  async #look(): Promise<void> {
    const stamp = this.#db.stamp();
    if (stamp !== null && stamp === this.#stamp && this.#known !== null) return;
    const known = this.#known;
    const [last, companies] = await this.#db.read([
      sql`select coalesce(max(position), 0) as position from outbox`,
      sql`select distinct company_id from outbox where position > ${known ?? Number.MAX_SAFE_INTEGER}`,
    ]);
    this.#stamp = stamp;
    this.#known = Math.max(known ?? 0, Number(last!.rows[0]!.position));
    const changed = new Set(companies!.rows.map(({ company_id }) => Number(company_id)));
    for (const each of this.#open) if (known === null || changed.has(each.companyId)) each.wake();
  }
}
