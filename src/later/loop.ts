/**
 * The one loop of what is done later. An iteration is one batch that records results and claims the next tasks;
 * attempts run between two iterations. The loop owns all promises of its attempts, and lines do not wait for each
 * other.
 */
import type { Traffic } from "../platform/background.ts";
import type { Clock } from "../platform/clock.ts";
import type { Database, Statement } from "../platform/database/database.ts";
import { pause } from "../platform/pause.ts";
import { Capacity } from "./capacity.ts";
import type { Claimed, Lease, Line, Queue } from "./queue.ts";
import { type Finished, longestRetry, Recorder } from "./recorder.ts";
import { LoopTimer } from "./loop_timer.ts";

/** Milliseconds until a loop that waits for another process, or for a turn, claims again. */
const pollMs = 250;
/** Milliseconds between iterations while the API is busy. */
const pauseWhenBusy = 25;
/** Attempts to start before other work may run. */
const mostInARow = 20;
/**
 * Milliseconds that paced mail goes on in the background after the budget of its job, until the job of the next minute
 * takes over: `MAIL_RATE` is reached over a minute, and jobs still end in time for the next.
 */
export const overtimeMs = 15_000;

/**
 * Milliseconds after its budget for which a job waits for its mails. A mail server may take minutes for an answer, and
 * the other jobs do not wait that long.
 */
export const patienceOfJob = 5_000;

export interface LoopPorts {
  readonly db: Database;
  readonly clock: Clock;
  /** Milliseconds of real time after which the run claims no more. */
  readonly budget: number;
  readonly traffic?: Traffic | undefined;
  /** Stops the run when it is aborted. */
  readonly stopping?: AbortSignal | undefined;
}

export class Loop<T, R, W> {
  /** Number of attempts. */
  attempts = 0;
  /** Whether the run ended because its budget was used up, so that more may be due. */
  isOutOfTime = false;
  #until: number;
  readonly #lines: Map<number, Line<T, R>>;
  /** Iterates over the lines, which take turns. It starts again when all have had one. */
  #turns: Iterator<Line<T, R>>;
  #finished: Finished<T, R>[] = [];
  readonly #capacity: Capacity<T>;
  readonly #recorder: Recorder<T, R>;
  readonly #timer = new LoopTimer();
  #open = true;

  constructor(readonly queue: Queue<T, R>, readonly lease: Lease<T, W>, readonly ports: LoopPorts) {
    this.#until = performance.now() + ports.budget;
    this.#capacity = new Capacity(queue.limits, ports.traffic, () => void this.#start());
    this.#recorder = new Recorder(queue, lease, ports);
    this.#lines = new Map(lease.lines.map((id) => [id, queue.line()]));
    this.#turns = this.#lines.values();
  }

  /** Announces work that may be due. Returns false when the run claims no more. */
  want(wish: W): boolean {
    // A run that was silent for this long has lost its runtime and will never continue.
    if (!this.#open || performance.now() - this.#recorder.lastTry > this.lease.ms) return false;
    this.lease.want(wish);
    this.#timer.now();
    return true;
  }

  /** Claims no more. `run` ends when the running attempts have ended. */
  stop(): void {
    this.#open = false;
    this.#timer.now();
  }

  /**
   * Runs until nothing is due or the budget is used up. Returns the number of attempts. `onClosed`: called when the run
   * claims no more, although attempts may last for minutes, unless it fails.
   */
  async run(onClosed: () => void = () => {}): Promise<number> {
    const { stopping } = this.ports;
    const stop = () => this.stop();
    stopping?.addEventListener("abort", stop);
    if (stopping?.aborted) this.stop();
    try {
      while (this.#open) {
        this.isOutOfTime = performance.now() >= this.#until;
        if (this.isOutOfTime) break;
        await this.#iterate();
        if (this.#isDone()) break;
        await this.#nextRound(this.lease.isOpen() ? Math.max(0, this.#until - performance.now()) : null);
      }
    } catch (error) {
      this.#recorder.failures.push(error);
    }
    this.#open = false;
    if (this.#recorder.failures.length === 0) onClosed();
    await this.#finish();
    this.lease.end?.();
    stopping?.removeEventListener("abort", stop);
    if (this.#recorder.failures.length > 0) throw this.#recorder.failures[0];
    return this.attempts;
  }

  async #iterate(): Promise<void> {
    const states = new Map([...this.#lines].map(([id, line]) => [id, line.state()]));
    const finished = this.#finished.splice(0);
    let claim = this.lease.claim(this.ports.clock.now(), states);
    const written = await this.#recorder.write(finished, (tries) => {
      if (tries > 1) claim = this.lease.claim(this.ports.clock.now(), states);
      return claim.statements;
    });
    const claimed = claim.read(written);
    this.#settle(claimed, new Set([...states].filter(([, { isBusy }]) => !isBusy).map(([id]) => id)));
    await this.#start();
  }

  /** `released`: lines without tasks, which the claim released unless it found more. */
  #settle({ lines, tasks }: Claimed<T>, released: ReadonlySet<number>): void {
    for (const id of lines) {
      if (!this.#lines.has(id)) this.#lines.set(id, this.queue.line());
    }
    for (const [id, line] of this.#lines) {
      if (lines.has(id)) continue;
      // Ended, paused or claimed by another process: attempts nothing more.
      line.queue = [];
      if (released.has(id)) this.#lines.delete(id);
      // Became idle just now: release it too, or the next run waits until the lease ends.
      else if (line.busy === 0) this.#timer.now();
    }
    if (tasks.length > 0) this.queue.prepare?.(tasks.map(([, task]) => task));
    for (const [line, task] of tasks) this.#lines.get(line)!.add(task);
  }

  /** Starts all attempts that may start now, and lets other work run after some of them. */
  async #start(): Promise<void> {
    for (let begun = 1;; begun++) {
      if (!this.#open || !this.#capacity.isFree()) return;
      const next = this.#nextTask();
      if (!next) return;
      void this.#attempt(...next);
      if (begun % mostInARow === 0) await pause(0);
    }
  }

  /** Returns the next task to attempt, or null without one. Lines take turns, so that none takes all capacity. */
  #nextTask(): [Line<T, R>, T] | null {
    const now = performance.now();
    const { isCrowded } = this.#capacity;
    for (let looked = 0; looked <= this.#lines.size; looked++) {
      const { value: line, done } = this.#turns.next();
      const task = done ? null : line.next(now, isCrowded);
      if (task) return [line, task];
      if (done) this.#turns = this.#lines.values();
    }
    return null;
  }

  /** Never rejects. A task whose attempt throws waits for the end of its lease, and the run reports the error. */
  async #attempt(line: Line<T, R>, task: T): Promise<void> {
    const begun = performance.now();
    this.#capacity.begin(task);
    const { clock } = this.ports;
    const endRenewal = this.#renew(task);
    const moment = {
      now: () => clock.now(),
      steadyFor: () => clock.steadyFor?.() ?? Infinity,
      isHeld: () => this.lease.isHeld(task),
    };
    const finished = await this.queue.attempt(task, moment).then((result) => ({ task, result }), (error) => {
      this.#recorder.failures.push(error);
      this.lease.noteRecorded([task]);
      return null;
    });
    endRenewal();
    this.#capacity.end(task);
    this.attempts++;
    if (finished !== null) {
      this.#finished.push(finished);
      const wait = line.noteAnswer(task, finished.result, performance.now() - begun);
      if (this.queue.isServerDown?.(finished.result)) this.stop();
      this.#timer.soon();
      if (wait > 0) await pause(wait);
    }
    line.busy--;
    void this.#start();
    if (line.runsShort()) this.#timer.now();
    else this.#timer.soon();
  }

  /**
   * Renews the lease of a task again and again while its attempt lasts: after a failure, and when the clock was set, so
   * soon that others wait for it. Returns a function that ends this.
   */
  #renew(task: T): () => void {
    const { lease: { renewal }, ports: { db, clock } } = this;
    if (!renewal) return () => {};
    const { everyMs, renew } = renewal;
    const readClocks = () => ({ shown: clock.now(), passed: performance.now() });
    let last = readClocks();
    let isOver = false;
    const look = async () => {
      const seen = readClocks();
      if (seen.shown - last.shown >= everyMs || seen.passed - last.passed >= everyMs) {
        try {
          await db.write([renew(task, seen.shown)]);
          last = seen;
        } catch {
          // Until the next time this process has the task in hand.
        }
      }
      if (!isOver) timer = lookSoon();
    };
    const lookSoon = () => setTimeout(() => void look(), Math.min(everyMs, longestRetry));
    let timer = lookSoon();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }

  #isDone(): boolean {
    if (this.#finished.length > 0 || this.lease.isOpen()) return false;
    for (const [id, { busy, queue }] of this.#lines) {
      if (busy + queue.length > 0 || !this.lease.lines.includes(id)) return false;
    }
    return true;
  }

  /**
   * Waits for a result or a wake, and for the time of the next iteration. `atMost`: milliseconds; null: no limit, while
   * nothing has to be looked for.
   */
  async #nextRound(atMost: number | null = null): Promise<void> {
    const waits = this.lease.isWaiting() || this.#capacity.running === 0 ||
      [...this.#lines.values()].some(({ queue }) => queue.length > 0);
    await this.#timer.next(waits ? pollMs : atMost, () => this.#capacity.isBusy() ? pauseWhenBusy : 0);
  }

  /** Gives back what has not begun, waits for running attempts, and records their results. */
  async #finish(): Promise<void> {
    const unbegun = [...this.#lines.values()].flatMap((line) => line.queue.splice(0));
    // At once: an attempt can last for minutes.
    let given = this.lease.giveBack(this.ports.clock.now(), unbegun);
    for (let isLast = false; !isLast;) {
      isLast = this.#capacity.running === 0;
      const more = isLast ? [...given, ...this.lease.release(this.ports.clock.now())] : given;
      if (this.#finished.length + more.length > 0) await this.#record(more);
      // What could not be given back waits for the end of its lease.
      if (given.length > 0) this.lease.noteRecorded(unbegun);
      given = [];
      if (!isLast) await this.#nextRound();
    }
  }

  /** Records results with more statements. Never rejects, so that later results are recorded too. */
  async #record(more: readonly Statement[]): Promise<void> {
    try {
      await this.#recorder.write(this.#finished.splice(0), () => more);
    } catch (error) {
      this.#recorder.failures.push(error);
    }
  }
}
