/** Decides when the requests to one target begin. */
import type { Line, LineState } from "../../later/queue.ts";
import { type Due, mostCapacity } from "./claim.ts";
import type { Result } from "./results.ts";

/** Most simultaneous requests to one target. */
const mostAtOnce = 10;
/** After this many failures in a row a target is tried slowly until a success. */
const failuresUntilGentle = 10;
const mostAtOnceGently = 2;
/** Pause in milliseconds after each attempt at such a target. */
const gentlePause = 100;
/** A target that answers within this many milliseconds gets deliveries in advance. */
const quick = 100;
/** The next delivery of an entity waits this many milliseconds for the answer to the previous one. */
const orderPatience = 250;

/** Milliseconds without an answer after which a target is silent. */
const silence = 250;

/** One target: running requests, queued deliveries, and how well it answers. */
export class Target implements Line<Due, Result> {
  /** Running requests and the pauses after them. */
  busy = 0;
  queue: Due[] = [];
  #failures = 0;
  #quick = false;
  /** Most requests now. */
  #limit = mostAtOnce;
  /** Number of deliveries that the last claim asked for and did not get. */
  #missed = mostCapacity;
  /** Whether deliveries were withdrawn since the last claim began. */
  #hasWithdrawn = false;
  /** Starts of the deliveries that are being sent, by id; the oldest is the first. */
  readonly #sending = new Map<string, number>();
  /** Start of the running delivery of an entity. */
  readonly #entities = new Map<string, number>();

  /**
   * Queues a claimed delivery. Skips it when earlier ones were withdrawn meanwhile: the next claim begins
   * with those.
   */
  add(due: Due): void {
    if (this.#hasWithdrawn) return;
    this.queue.push(due);
    this.#missed--;
  }

  /** True when the target could take more deliveries, and the last claim supplied all that it asked for. */
  runsShort(): boolean {
    return this.#missed <= 0 && this.queue.length + this.busy < this.#limit + mostCapacity / 2;
  }

  /**
   * Returns the target's part of a claim. `capacity`: number of deliveries that the claim may add; `taken`: ids
   * of those that the target has.
   */
  state(): LineState {
    const ahead = this.#quick ? mostCapacity : 0;
    const capacity = Math.max(0, Math.min(mostCapacity, this.#limit + ahead - this.busy - this.queue.length));
    this.#missed = capacity;
    this.#hasWithdrawn = false;
    const taken = [...this.#sending.keys(), ...this.queue.map(({ id }) => id)];
    return { isBusy: this.busy + this.queue.length > 0, capacity, taken };
  }

  /**
   * Takes the next delivery to send, within the limit and in the order of an entity's events. When the sender
   * is crowded, a target that has left a request unanswered for a while gets no other.
   */
  next(now: number, isCrowded: boolean): Due | null {
    if (this.busy >= this.#limit) return null;
    const [oldest = now] = this.#sending.values();
    if (isCrowded && now - oldest >= silence) return null;
    const index = this.queue.findIndex(({ entity, ordered }) => {
      const since = this.#entities.get(entity);
      return since === undefined || (ordered === 0 && now - since >= orderPatience);
    });
    if (index < 0) return null;
    const [due] = this.queue.splice(index, 1);
    this.#entities.set(due!.entity, now);
    this.#sending.set(due!.id, now);
    this.busy++;
    return due!;
  }

  /**
   * Records an answer, and withdraws queued deliveries that would wait too long. Returns the milliseconds for
   * which the request still counts as running.
   */
  noteAnswer({ id, entity }: Due, result: Result): number {
    this.#sending.delete(id);
    this.#entities.delete(entity);
    this.#failures = result.succeeded ? 0 : this.#failures + 1;
    this.#quick = result.succeeded && result.duration_ms < quick;
    const isFailing = this.#failures >= failuresUntilGentle;
    this.#limit = isFailing ? mostAtOnceGently : mostAtOnce;
    if (!this.#quick && this.queue.splice(Math.max(0, this.#limit - this.busy)).length > 0) {
      this.#hasWithdrawn = true;
    }
    return isFailing ? gentlePause : 0;
  }
}
