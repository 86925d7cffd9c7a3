/** What a sender knows of one target: what it sends to it, what comes next, and how well it answers. */
import { type Due, mostRoom } from "./claim.ts";
import { type Result, succeeded } from "./outcome.ts";

/** Requests to one target at once. */
const mostAtOnce = 10;
/** After so many failures in a row a target is tried gently, until it answers well once. */
const failuresUntilGentle = 10;
const mostAtOnceGently = 2;
/** Milliseconds by which each attempt at such a target is followed by a pause. */
const gentlePause = 100;
/** A target that answers within so many milliseconds is given deliveries ahead of time. */
const quick = 100;
/** For so many milliseconds the next delivery of an entity waits for the answer to the one before. */
const orderPatience = 250;

export class Target {
  /** Requests on their way, and pauses after them. */
  busy = 0;
  queue: Due[] = [];
  #failures = 0;
  #quick = false;
  /** How many fewer it got, at the last claim, than it could take. */
  #missed = mostRoom;
  /** When the last delivery of an entity began that is on its way. */
  readonly #entities = new Map<string, number>();

  constructor(readonly id: number) {}

  /** How many more deliveries the next claim may give it. */
  asks(): number {
    const ahead = this.#quick ? mostRoom : 0;
    const room = Math.max(0, Math.min(mostRoom, this.#limit() + ahead - this.busy - this.queue.length));
    this.#missed = room;
    return room;
  }

  /** Takes a delivery of that claim. */
  gets(due: Due): void {
    this.queue.push(due);
    this.#missed--;
  }

  /** Whether it could send more than it has, and there may be more: the last claim gave it all that it asked for. */
  runsShort(): boolean {
    return this.#missed <= 0 && this.queue.length + this.busy < this.#limit() + mostRoom / 2;
  }

  /** What a claim asks of it. */
  standing(): { id: number; busy: boolean; room: number } {
    return { id: this.id, busy: !this.idle(), room: this.asks() };
  }

  idle(): boolean {
    return this.busy === 0 && this.queue.length === 0;
  }

  /** Takes the next delivery to send, as far as the limit and the order of an entity's events allow it. */
  next(now: number): Due | null {
    if (this.busy >= this.#limit()) return null;
    const index = this.queue.findIndex((due) =>
      now - (this.#entities.get(entityOf(due)) ?? -Infinity) >= orderPatience
    );
    if (index < 0) return null;
    const [due] = this.queue.splice(index, 1);
    this.#entities.set(entityOf(due!), now);
    this.busy++;
    return due!;
  }

  /** Notes an answer; returns the milliseconds to wait until `free`. */
  answered(due: Due, result: Result): number {
    this.#entities.delete(entityOf(due));
    this.#failures = succeeded(result) ? 0 : this.#failures + 1;
    this.#quick = succeeded(result) && result.duration_ms < quick;
    return this.#failures < failuresUntilGentle ? 0 : gentlePause;
  }

  free(): void {
    this.busy--;
  }

  /** Takes back what was given ahead and is not on its way, when it would wait too long. */
  dropAhead(): Due[] {
    return this.#quick ? [] : this.queue.splice(Math.max(0, this.#limit() - this.busy));
  }

  #limit(): number {
    return this.#failures < failuresUntilGentle ? mostAtOnce : mostAtOnceGently;
  }
}

function entityOf(due: Due): string {
  return `${due.entity_type} ${due.entity_id}`;
}
