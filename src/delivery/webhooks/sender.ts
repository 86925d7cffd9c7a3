/**
 * Sends due deliveries. One batch records results and claims the next deliveries; requests run between two
 * batches. Each target has its own queue, so none waits for another.
 */
import { newId } from "../../core/ids.ts";
import type { Clock } from "../../platform/clock.ts";
import { attempt, type SendingDeps } from "./attempt.ts";
import { type Claimed, claimedOf, claimStatements, type Due, leaseMs, releaseAll } from "./claim.ts";
import type { Row, Statement } from "../../platform/database/database.ts";
import { pause } from "../../platform/pause.ts";
import { Rounds, Target } from "./pacing.ts";
import { type Result, resultStatements } from "./results.ts";

/** Most active requests to all targets. */
const mostAtWork = 100;
/** While the API is busy there are fewer active requests and longer pauses between batches. */
const mostAtWorkWhenBusy = 8;
const pauseWhenBusy = 25;
/** Milliseconds after which a request counts as waiting, not as active: it then costs only a connection. */
const patience = 25;
/** Most simultaneous requests, including waiting ones. */
const mostAtAll = 2_000;
/**
 * From this many requests on, a target that does not answer gets no other request. A thousand unanswered
 * requests leave room for other targets.
 */
const crowded = 1_000;
/** New subscriptions per claim. */
const mostNew = 50;
/** Milliseconds until a waiting target is checked again. */
const lookAgain = 250;
/** Requests to start before other work may run. */
const mostInARow = 20;

export class Dispatcher {
  readonly #deps: SendingDeps;
  readonly #clock: Clock;
  readonly #holder: string;
  #until: number;
  readonly #targets = new Map<number, Target>();
  /**
   * Companies and subscriptions that may have due deliveries. After a run, these are the ones that it left.
   */
  readonly companies: Set<number>;
  readonly webhooks: number[];
  readonly #tokens = new Map<string, string>();
  #results: Result[] = [];
  /** Number of running requests. `#active` has the start times of the active ones, oldest first. */
  #running = 0;
  readonly #active = new Map<Due, number>();
  #aging: ReturnType<typeof setTimeout> | undefined;
  /** Iterates over the targets, which take turns. It starts again when all have had one. */
  #turns = this.#targets.values();
  #sent = 0;
  #refusedUntil: number | null = null;
  readonly #rounds = new Rounds();
  #open = true;
  #lastSign = performance.now();

  /**
   * `companies` and `webhooks`: companies and subscriptions that may have due deliveries. `budget`: milliseconds of real
   * time after which it claims no more.
   */
  constructor(
    deps: SendingDeps,
    clock: Clock,
    budget: number,
    companies: Iterable<number>,
    webhooks: Iterable<number>,
  ) {
    this.#deps = deps;
    this.#clock = clock;
    this.companies = new Set(companies);
    this.webhooks = [...webhooks];
    this.#holder = newId(clock.now());
    this.#until = performance.now() + budget;
  }

  /**
   * Announces more companies and subscriptions that may have due deliveries. Returns false when the sender claims
   * no more.
   */
  want(companies: Iterable<number>, webhooks: Iterable<number>): boolean {
    // A sender that was silent for this long has lost its runtime and will never continue.
    if (!this.#open || performance.now() - this.#lastSign > leaseMs) return false;
    for (const id of companies) this.companies.add(id);
    this.webhooks.push(...webhooks);
    this.#rounds.now();
    return true;
  }

  /** Claims no more. `run` ends when the running requests are answered. */
  stop(): void {
    this.#until = -Infinity;
    this.#rounds.now();
  }

  /** Runs until nothing is due or the budget is used up. Returns the number of attempts. */
  async run(): Promise<number> {
    while (this.#open) {
      await this.#round();
      if (performance.now() > this.#until) this.#open = false;
      else if (
        this.#targets.size + this.companies.size + this.webhooks.length + this.#results.length === 0
      ) {
        this.#open = false;
        return this.#sent;
      } else await this.#nextRound();
    }
    await this.#finish();
    return this.#sent;
  }

  async #round(): Promise<void> {
    const results = this.#results;
    this.#results = [];
    const companies = [...this.companies];
    const webhooks = this.webhooks.splice(0, mostNew).filter((id) => !this.#targets.has(id));
    this.companies.clear();
    const recording = resultStatements(results);
    const held = [...this.#targets].map(([id, target]) => ({ id, ...target.standing() }));
    const claiming = claimStatements({
      holder: this.#holder,
      now: this.#clock.now(),
      companies,
      webhooks,
      held,
      taken: held.flatMap(({ taken }) => taken),
    });
    const written = await this.#write([...recording, ...claiming]);
    const claimed = claimedOf(written.slice(recording.length));
    this.#settle(claimed, new Set(held.filter(({ busy }) => !busy).map(({ id }) => id)));
    // Checks targets of another sender again, for as long as the lease of a dead sender could last.
    if (!claimed.refused) this.#refusedUntil = null;
    else this.#refusedUntil ??= performance.now() + leaseMs + lookAgain;
    if (this.#refusedUntil !== null && performance.now() < this.#refusedUntil) {
      for (const id of companies) this.companies.add(id);
      this.webhooks.push(...webhooks);
    } else if (this.webhooks.length > 0) this.#rounds.now();
    await this.#start();
  }

  /** Recording and claiming can be repeated, so the batch is retried when the database does not answer. */
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

  /** `released`: targets released before the claim. */
  #settle(claimed: Claimed, released: ReadonlySet<number>): void {
    for (const id of claimed.held) {
      if (!this.#targets.has(id)) this.#targets.set(id, new Target());
    }
    for (const [id, target] of this.#targets) {
      if (claimed.held.has(id)) continue;
      // Deleted, paused or claimed by another sender: send nothing more.
      target.queue = [];
      if (released.has(id)) this.#targets.delete(id);
      // Became idle just now: release it too, or the next sender waits until the lease ends.
      else if (target.busy === 0) this.#rounds.now();
    }
    for (const due of claimed.due) this.#targets.get(due.webhook_id)!.add(due);
  }

  /** Starts all requests that may start now, and lets other work run after some of them. */
  async #start(): Promise<void> {
    for (let begun = 1;; begun++) {
      if (!this.#open || !this.#hasRoom()) return;
      const next = this.#nextDue();
      if (!next) return;
      void this.#send(...next);
      if (begun % mostInARow === 0) await pause(0);
    }
  }

  /**
   * Returns whether another request may start. If not, tries again when active requests may count as waiting.
   * Only active requests take room, so that unresponsive targets do not block others.
   */
  #hasRoom(): boolean {
    const now = performance.now();
    for (const [due, begun] of this.#active) {
      if (now - begun < patience) break;
      this.#active.delete(due);
    }
    if (this.#running >= mostAtAll) return false;
    if (this.#active.size < (this.#deps.traffic.isBusy() ? mostAtWorkWhenBusy : mostAtWork)) return true;
    this.#aging ??= setTimeout(() => {
      this.#aging = undefined;
      void this.#start();
    }, patience);
    return false;
  }

  /**
   * Returns the next delivery to send, or null without one. Targets take turns, so that none takes all
   * capacity.
   */
  #nextDue(): [Target, Due] | null {
    const now = performance.now();
    const isCrowded = this.#running >= crowded;
    for (let looked = 0; looked <= this.#targets.size; looked++) {
      const { value: target, done } = this.#turns.next();
      const due = done ? null : target.next(now, isCrowded);
      if (due) return [target!, due];
      if (done) this.#turns = this.#targets.values();
    }
    return null;
  }

  async #send(target: Target, due: Due): Promise<void> {
    this.#running++;
    this.#active.set(due, performance.now());
    const result = await attempt(this.#deps, due, this.#tokens, this.#clock.now());
    this.#running--;
    this.#active.delete(due);
    this.#sent++;
    this.#results.push(result);
    const wait = target.answered(due, result);
    this.#rounds.soon();
    if (wait > 0) await pause(wait);
    target.busy--;
    void this.#start();
    if (target.runsShort()) this.#rounds.now();
    else this.#rounds.soon();
  }

  /** Waits for a result or a kick, and for the next batch's time. */
  async #nextRound(): Promise<void> {
    const waits = this.#refusedUntil !== null || this.webhooks.length > 0 ||
      [...this.#targets.values()].some(({ queue }) => queue.length > 0);
    await this.#rounds.next(waits ? lookAgain : null, () => this.#deps.traffic.isBusy() ? pauseWhenBusy : 0);
  }

  /** Waits for running requests, records them and releases all targets. */
  async #finish(): Promise<void> {
    for (const target of this.#targets.values()) target.queue = [];
    while (this.#running > 0) await this.#nextRound();
    await this.#write([...resultStatements(this.#results), releaseAll(this.#holder)]);
    this.webhooks.push(...this.#targets.keys());
  }
}
