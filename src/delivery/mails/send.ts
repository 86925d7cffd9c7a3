/** Sending mail, as the jobs and the commits start it. */
import { statement } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import type { Statement } from "../../platform/database/database.ts";
import { attempt, type SendingDeps } from "./attempt.ts";
import { claim, claimed, mostAtOnce } from "./claim.ts";

/** Milliseconds of work after which a run ends; the next one goes on. */
const jobBudget = 50_000;
const kickBudget = 20_000;

/**
 * Sends the mail that is due at `now` (epoch milliseconds); how many attempts were made. Any number of runs
 * in any number of processes share the work. A mail server that does not answer ends the run.
 */
export async function sendDueMails(deps: SendingDeps, now: number): Promise<number> {
  const [due] = await deps.db.read([
    statement(
      "select count(*) as number from (select 1 from mails indexed by mails_due " +
        `where status = 'pending' and due_at <= ? limit ${mostAtOnce})`,
      now,
    ),
  ]);
  const until = performance.now() + jobBudget;
  const lanes = Array.from(
    { length: Number(due!.rows[0]!.number) },
    () => lane(deps, () => now, () => performance.now() < until),
  );
  const sent = await Promise.all(lanes);
  return sent.reduce((sum, number) => sum + number, 0);
}

export interface Post {
  /** Sends what is due, in the background. Losing the call loses nothing. */
  kick(): void;
  /** Begins no more mails, for good. */
  stop(): void;
}

/** Sending right after commits, up to five mails at once. */
export function startPost(deps: SendingDeps & Pick<Deps, "clock" | "background">): Post {
  let running = 0;
  let wanted = false;
  let stopped = false;

  function kick(): void {
    if (stopped) return;
    wanted = running === mostAtOnce;
    if (wanted) return;
    running++;
    const until = performance.now() + kickBudget;
    const goesOn = () => !stopped && performance.now() < until;
    deps.background.run(
      lane(deps, () => deps.clock.now(), goesOn).finally(() => {
        running--;
        if (wanted) kick();
      }),
    );
  }

  return {
    kick,
    stop() {
      stopped = true;
    },
  };
}

/** Sends one mail after the other until none is due; how many attempts it made. */
async function lane(deps: SendingDeps, now: () => number, goesOn: () => boolean): Promise<number> {
  let results: Statement[] = [];
  let attempts = 0;
  try {
    while (goesOn()) {
      // One batch records what became of the last mail and takes the next.
      const batch = [...results, claim(now())];
      const written = await deps.db.write(batch);
      results = [];
      const mail = claimed(written.at(-1)!.rows);
      if (mail === null) break;
      const { serverFailed, recording } = await attempt(deps, mail, now);
      attempts++;
      results = [recording];
      if (serverFailed) break;
    }
  } finally {
    if (results.length > 0) await deps.db.write(results);
  }
  return attempts;
}
