/** Sending one thing after the other in a few lanes: mail and push messages alike, from rows that are claimed. */
import type { Database, Row, Statement } from "../platform/database/database.ts";

/** Things that are sent at once. */
const mostAtOnce = 5;

export interface Attempted {
  /** Whether it was not about this thing, so that the next one would fail alike. */
  readonly serverFailed: boolean;
  readonly recording: readonly Statement[];
}

/** What is sent: how one is taken, and how it is tried once. */
export interface Sending<T> {
  /** Takes what has been due for longest at `now` (epoch milliseconds), and looks for more. */
  readonly claim: (now: number) => readonly Statement[];
  /** Of the last results of a batch that ended with `claim`; null: nothing is due. */
  readonly claimed: (results: readonly Row[][]) => { readonly taken: T | null; readonly more: boolean };
  /** Whatever happens is a result; `now` is read when it has happened. */
  readonly attempt: (taken: T, now: () => number) => Promise<Attempted>;
}

/** Up to five lanes, each sending one after the other; they are opened as there is work for them. */
export class WorkerPool<T> {
  attempts = 0;
  #lanes = 0;
  /** Whether a run was asked for that found every lane taken. */
  #wanted = false;
  #stopped = false;

  /** `budget`: milliseconds of work after which a run begins nothing more; the next one goes on. */
  constructor(
    readonly db: Database,
    readonly sending: Sending<T>,
    readonly now: () => number,
    readonly budget: number,
  ) {}

  stop(): void {
    this.#stopped = true;
  }

  /** Sends until nothing is due, or the server does not answer. */
  async run(): Promise<void> {
    this.#wanted = this.#lanes === mostAtOnce;
    if (this.#wanted || this.#stopped) return;
    this.#lanes++;
    try {
      await this.#lane(performance.now() + this.budget);
    } finally {
      this.#lanes--;
      // A lane that finds nothing can have looked just before there was something.
      if (this.#wanted) await this.run();
    }
  }

  async #lane(until: number): Promise<void> {
    const { claim, claimed, attempt } = this.sending;
    const others: Promise<void>[] = [];
    let results: readonly Statement[] = [];
    try {
      while (!this.#stopped && performance.now() < until) {
        // One batch records what became of the last one and takes the next.
        const written = await this.db.write([...results, ...claim(this.now())]);
        results = [];
        const { taken, more } = claimed(written.map(({ rows }) => rows));
        if (taken === null) break;
        if (more && this.#lanes < mostAtOnce) others.push(this.run());
        const { serverFailed, recording } = await attempt(taken, this.now);
        this.attempts++;
        results = recording;
        if (serverFailed) break;
      }
    } finally {
      if (results.length > 0) await this.db.write(results);
      await Promise.all(others);
    }
  }
}
