/**
 * Sends what is due. One batch records the results that have come and claims what is next; between two
 * batches the requests run. No target waits for another: each has its own queue.
 */
import { newId } from "../../core/ids.ts";
import type { Clock } from "../../platform/clock.ts";
import { attempt, type SendingDeps } from "./attempt.ts";
import { type Claimed, claimedOf, claimStatements, type Due, leaseMs, releaseAll } from "./claim.ts";
import type { Row, Statement } from "../../platform/database/database.ts";
import type { Result } from "./outcome.ts";
import { InFlight } from "./in_flight.ts";
import { BatchRate } from "./batch_rate.ts";
import { resultStatements } from "./results.ts";
import { Target } from "./target.ts";
import { RoundRobin } from "./round_robin.ts";
import { WakeSignal } from "./wake_signal.ts";

/** Requests at work at once, to all targets. */
const mostAtWork = 100;
/** Requests a second from which on deliveries step back: fewer on their way, and longer from batch to batch. */
const busyRate = 200;
const mostAtWorkWhenBusy = 8;
const pauseWhenBusy = 25;
/** Subscriptions that one claim begins with. */
const mostNew = 50;
/** Milliseconds after which something that had to wait is looked at again. */
const lookAgain = 250;
/** Requests that are started without letting anything else run. */
const mostInARow = 20;

export class Dispatcher {
  readonly #deps: SendingDeps;
  readonly #clock: Clock;
  readonly #holder: string;
  #until: number;
  readonly #targets = new Map<number, Target>();
  readonly #companies = new Set<number>();
  readonly #webhooks: number[] = [];
  /** Deliveries queued, on their way, or answered and not recorded yet. */
  readonly #taken = new Set<string>();
  readonly #tokens = new Map<string, string>();
  #results: Result[] = [];
  readonly #onTheWay = new InFlight(() => void this.#start());
  readonly #turns = new RoundRobin(this.#targets);
  #sent = 0;
  #refusedUntil: number | null = null;
  readonly #waking = new WakeSignal();
  #open = true;
  #lastSign = performance.now();
  readonly #pace = new BatchRate();

  /** `budget`: milliseconds of real time after which it takes no more. */
  constructor(deps: SendingDeps, clock: Clock, budget: number) {
    this.#deps = deps;
    this.#clock = clock;
    this.#holder = newId(clock.now());
    this.#until = performance.now() + budget;
  }

  /** Tells of companies and subscriptions in which something may be due; false when it takes no more. */
  want(companies: Iterable<number>, webhooks: Iterable<number> = []): boolean {
    // A sender that has shown no sign for this long has lost its runtime and will never go on.
    if (!this.#open || performance.now() - this.#lastSign > leaseMs) return false;
    for (const id of companies) this.#companies.add(id);
    this.#webhooks.push(...webhooks);
    this.#waking.now();
    return true;
  }

  /** Where something may still be due when the budget has ended a run. */
  left(): { companies: number[]; webhooks: number[] } {
    return { companies: [...this.#companies], webhooks: [...this.#webhooks, ...this.#targets.keys()] };
  }

  /** Takes no more; `run` ends as soon as what is on its way has been answered. */
  stop(): void {
    this.#until = -Infinity;
    this.#waking.now();
  }

  /** Runs until nothing is due any more, or the budget is used up; how many attempts it made. */
  async run(): Promise<number> {
    while (this.#open) {
      await this.#round();
      if (performance.now() > this.#until) this.#open = false;
      else if (
        this.#targets.size + this.#companies.size + this.#webhooks.length + this.#results.length === 0
      ) {
        this.#open = false;
        this.#onTheWay.close();
        return this.#sent;
      } else await this.#reason();
    }
    await this.#finish();
    return this.#sent;
  }

  async #round(): Promise<void> {
    this.#pace.begun();
    this.#waking.rest();
    const results = this.#results;
    this.#results = [];
    const companies = [...this.#companies];
    const webhooks = this.#webhooks.splice(0, mostNew).filter((id) => !this.#targets.has(id));
    this.#companies.clear();
    for (const { delivery_id } of results) this.#taken.delete(delivery_id);
    const recording = resultStatements(results);
    const held = [...this.#targets.values()].map((target) => target.standing());
    const claiming = claimStatements({
      holder: this.#holder,
      now: this.#clock.now(),
      companies,
      webhooks,
      held,
      taken: [...this.#taken],
    });
    const written = await this.#write([...recording, ...claiming]);
    const claimed = claimedOf(written.slice(recording.length));
    this.#settle(claimed, new Set(held.filter(({ busy }) => !busy).map(({ id }) => id)));
    if (this.#keepsTrying(claimed.refused)) {
      for (const id of companies) this.#companies.add(id);
      this.#webhooks.push(...webhooks);
    } else if (this.#webhooks.length > 0) this.#waking.now();
    await this.#start();
  }

  /** Recording and claiming can both be repeated, so a database that did not answer is asked again. */
  async #write(statements: readonly Statement[]): Promise<Row[][]> {
    for (let tries = 1;; tries++) {
      this.#lastSign = performance.now();
      try {
        return (await this.#deps.db.write(statements)).map(({ rows }) => rows);
      } catch (error) {
        if (tries === 3) {
          this.#open = false;
          throw error;
        }
        await pause(lookAgain * tries);
      }
    }
  }

  /** `released`: what was let go of before it was claimed anew. */
  #settle(claimed: Claimed, released: ReadonlySet<number>): void {
    for (const id of claimed.held) {
      if (!this.#targets.has(id)) this.#targets.set(id, new Target(id));
    }
    for (const [id, target] of this.#targets) {
      if (claimed.held.has(id)) continue;
      // Deleted, paused, or somebody else's by now: nothing more is sent to it.
      this.#forget(target.queue.splice(0));
      if (released.has(id)) this.#targets.delete(id);
      // Idle only since: let go of it, too, or whoever wants it next waits until the lease ends.
      else if (target.idle()) this.#waking.now();
    }
    for (const due of claimed.due) {
      this.#targets.get(due.webhook_id)!.gets(due);
      this.#taken.add(due.id);
    }
  }

  /** What another sender has is looked at again for as long as its lease could be a dead one's. */
  #keepsTrying(refused: boolean): boolean {
    if (!refused) this.#refusedUntil = null;
    else this.#refusedUntil ??= performance.now() + leaseMs + lookAgain;
    return this.#refusedUntil !== null && performance.now() < this.#refusedUntil;
  }

  /** Begins all that may begin now. */
  async #start(): Promise<void> {
    while (this.#fill()) await pause(0);
  }

  /** Begins some of what may begin now; false: that was all. */
  #fill(): boolean {
    for (let begun = 0; begun < mostInARow; begun++) {
      if (!this.#open || !this.#onTheWay.hasRoom(this.#busy() ? mostAtWorkWhenBusy : mostAtWork)) {
        return false;
      }
      const next = this.#turns.next();
      if (!next) return false;
      void this.#send(next.target, next.due);
    }
    return true;
  }

  async #send(target: Target, due: Due): Promise<void> {
    const sending = this.#onTheWay.begin();
    const result = await attempt(this.#deps, due, this.#tokens, this.#clock.now());
    this.#onTheWay.end(sending);
    this.#sent++;
    this.#results.push(result);
    const wait = target.answered(due, result);
    this.#forget(target.dropAhead());
    this.#waking.soon();
    if (wait > 0) await pause(wait);
    target.free();
    this.#fill();
    if (target.runsShort()) this.#waking.now();
    else this.#waking.soon();
  }

  #busy(): boolean {
    return (this.#deps.traffic?.rate() ?? 0) > busyRate;
  }

  #forget(dropped: readonly Due[]): void {
    for (const { id } of dropped) this.#taken.delete(id);
  }

  /** Waits for a result or a wish, and for the next batch's turn. */
  async #reason(): Promise<void> {
    const waits = this.#refusedUntil !== null || this.#webhooks.length > 0 ||
      [...this.#targets.values()].some(({ queue }) => queue.length > 0);
    await this.#waking.wait(waits ? lookAgain : null);
    const early = this.#pace.early();
    if (early > 0 || this.#busy()) await pause(Math.max(early, this.#busy() ? pauseWhenBusy : 0));
  }

  /** Waits for what is on its way, records it and lets go of everything. */
  async #finish(): Promise<void> {
    for (const target of this.#targets.values()) this.#forget(target.queue.splice(0));
    while (this.#onTheWay.count > 0) {
      this.#waking.rest();
      await this.#reason();
    }
    this.#onTheWay.close();
    this.#waking.rest();
    await this.#write([...resultStatements(this.#results), releaseAll(this.#holder)]);
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
