/** A general limit of calls, each caller for itself; counted in this process only. */
import type { Config } from "../config.ts";
import { Problem } from "../core/errors.ts";
import type { Policy, Standings } from "../core/rate_limits.ts";

/** The limit that is configured, or none. */
export function callLimitOf({ rateLimit }: Pick<Config, "rateLimit">): CallLimit | null {
  return rateLimit && new CallLimit(rateLimit.calls, rateLimit.seconds);
}

/** Callers that are remembered at most; beyond, those go whose windows are oldest. */
const most = 50_000;

interface Window {
  count: number;
  /** Epoch milliseconds. */
  readonly until: number;
}

export class CallLimit {
  readonly #policy: Policy;
  /** In the order in which the windows opened, and so of their ends. */
  readonly #windows = new Map<string, Window>();

  /** `quota` calls in `window` seconds, which begin with a caller's first call. */
  constructor(quota: number, window: number) {
    this.#policy = { name: "calls", quota, window };
  }

  /** Counts a call of a client. Throws 429 beyond the limit. */
  take(client: string, now: number, standings: Standings): void {
    const refusal = this.#count(client, now, standings);
    if (refusal) throw refusal;
  }

  /** Counts a call whose client is not known, by its address; the refusal beyond the limit, else null. */
  stranger(address: string, now: number, standings: Standings): Problem | null {
    return this.#count(`address ${address}`, now, standings);
  }

  #count(caller: string, now: number, standings: Standings): Problem | null {
    const { quota } = this.#policy;
    const open = this.#open(caller, now);
    const seconds = Math.ceil((open.until - now) / 1000);
    const refused = open.count >= quota;
    if (!refused) open.count++;
    standings.set(this.#policy, quota - open.count, seconds);
    if (!refused) return null;
    return new Problem(429, "rate_limited", `Too many calls; try again in ${seconds} seconds.`, {
      headers: { "Retry-After": String(seconds) },
    });
  }

  #open(caller: string, now: number): Window {
    const length = this.#policy.window * 1000;
    const known = this.#windows.get(caller);
    // A clock that was set back must not keep a window open.
    if (known && known.until > now && known.until <= now + length) return known;
    this.#windows.delete(caller);
    this.#makeRoom(now);
    const window = { count: 0, until: now + length };
    this.#windows.set(caller, window);
    return window;
  }

  #makeRoom(now: number): void {
    for (const [caller, { until }] of this.#windows) {
      if (until > now && this.#windows.size < most) break;
      this.#windows.delete(caller);
    }
  }

  /** How many callers are remembered. */
  get size(): number {
    return this.#windows.size;
  }
}
