/** Sending mail, as the jobs and the commits start it. */
import type { Deps } from "../../deps.ts";
import type { Statement } from "../../platform/database/database.ts";
import { attempt, type SendingDeps } from "./attempt.ts";
import { claimed, claimStatements } from "./claim.ts";

/** Mails that are sent at once. */
const mostAtOnce = 5;
/** Milliseconds of work after which a run begins no more mails; the next one goes on. */
const jobBudget = 50_000;
const kickBudget = 20_000;

/**
 * Sends the mail that is due at `now` (epoch milliseconds); how many attempts were made. Any number of runs
 * in any number of processes share the work. A mail server that does not answer ends the run.
 */
export async function sendDueMails(deps: SendingDeps, now: number): Promise<number> {
  const sender = new Sender(deps, () => now, jobBudget);
  await sender.run();
  return sender.attempts;
}

export interface Post {
  /** Sends what is due, in the background. Losing the call loses nothing. */
  kick(): void;
  /** Begins no more mails, for good. */
  stop(): void;
}

/** Sending right after commits. */
export function startPost(deps: SendingDeps & Pick<Deps, "clock" | "background">): Post {
  const sender = new Sender(deps, () => deps.clock.now(), kickBudget);
  return {
    kick: () => deps.background.run(() => sender.run()),
    stop: () => sender.stop(),
  };
}

/** Up to five lanes, each sending one mail after the other; they are opened as there is work for them. */
class Sender {
  attempts = 0;
  #lanes = 0;
  /** Whether a run was asked for that found every lane taken. */
  #wanted = false;
  #stopped = false;

  constructor(
    readonly deps: SendingDeps,
    readonly now: () => number,
    readonly budget: number,
  ) {}

  stop(): void {
    this.#stopped = true;
  }

  /** Sends until nothing is due, or the mail server does not answer. */
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
    const others: Promise<void>[] = [];
    let results: Statement[] = [];
    try {
      while (!this.#stopped && performance.now() < until) {
        // One batch records what became of the last mail and takes the next.
        const written = await this.deps.db.write([...results, ...claimStatements(this.now())]);
        results = [];
        const { mail, more } = claimed(written.map(({ rows }) => rows));
        if (mail === null) break;
        if (more && this.#lanes < mostAtOnce) others.push(this.run());
        const { serverFailed, recording } = await attempt(this.deps, mail, this.now);
        this.attempts++;
        results = [recording];
        if (serverFailed) break;
      }
    } finally {
      if (results.length > 0) await this.deps.db.write(results);
      await Promise.all(others);
    }
  }
}
