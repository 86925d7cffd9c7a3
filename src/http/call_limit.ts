/** Counts calls per caller, in this process only. */
import { type Problem, rateLimited } from "../core/errors.ts";
import { type LimitStates, type Policy, reportLimit } from "../core/rate_limits.ts";

/** The most callers to remember. Beyond it, the oldest windows are dropped. */
const most = 50_000;

interface Window {
  count: number;
  /** Epoch milliseconds. */
  readonly until: number;
}

export class CallLimit {
  readonly #policy: Policy;
  /** In the order in which the windows open, which is also the order in which they end. */
  readonly #windows = new Map<string, Window>();

  /** Allows `quota` calls in `window` seconds, which start at a caller's first call. */
  constructor(quota: number, window: number) {
    this.#policy = { name: "calls", quota, window };
  }

  /** Counts a call of a client. Throws 429 beyond the limit. */
  take(client: string, now: number, states: LimitStates): void {
    const refusal = this.#count(client, now, states);
    if (refusal) throw refusal;
  }

  /** Counts a call of an unknown client, by its address. Returns the error beyond the limit, else null. */
  stranger(address: string, now: number, states: LimitStates): Problem | null {
    return this.#count(`address ${address}`, now, states);
  }

  #count(caller: string, now: number, states: LimitStates): Problem | null {
    const { quota } = this.#policy;
    const open = this.#open(caller, now);
    const seconds = Math.ceil((open.until - now) / 1000);
    const refused = open.count >= quota;
    if (!refused) open.count++;
    reportLimit(states, this.#policy, quota - open.count, seconds);
    if (!refused) return null;
    return rateLimited("Too many calls", seconds);
  }

  #open(caller: string, now: number): Window {
    const length = this.#policy.window * 1000;
    const known = this.#windows.get(caller);
    // A clock that was set back must not keep a window open.
    if (known && known.until > now && known.until <= now + length) return known;
    this.#windows.delete(caller);
    this.#forgetOldest(now);
    const window = { count: 0, until: now + length };
    this.#windows.set(caller, window);
    return window;
  }

  #forgetOldest(now: number): void {
    for (const [caller, { until }] of this.#windows) {
      if (until > now && this.#windows.size < most) break;
      this.#windows.delete(caller);
    }
  }

  /** The number of remembered callers. */
  get size(): number {
    return this.#windows.size;
  }
}
