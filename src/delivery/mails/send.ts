/** Sending mail, as the jobs and the commits start it. */
import { inSteps } from "../../db/expiry.ts";
import type { Deps } from "../../deps.ts";
import type { Row } from "../../platform/database/database.ts";
import { type Sending, WorkerPool } from "../worker_pool.ts";
import { attempt, type SendingDeps } from "./attempt.ts";
import { bringSomeBack, type Claimed, claimed, claimStatements } from "./claim.ts";

/** Milliseconds of work after which a run begins no more mails; the next one goes on. */
const jobBudget = 50_000;
const kickBudget = 20_000;

/**
 * Sends the mail that is due at `now` (epoch milliseconds); how many attempts were made. Any number of runs
 * in any number of processes share the work. A mail server that does not answer ends the run.
 */
export async function sendDueMails(deps: SendingDeps, now: number): Promise<number> {
  await inSteps(deps.db, [bringSomeBack(now)]);
  const lanes = new WorkerPool(deps.db, sendingOf(deps), () => now, jobBudget);
  await lanes.run();
  return lanes.attempts;
}

export interface MailDispatcher {
  /** Sends what is due, in the background. Losing the call loses nothing. */
  kick(): void;
  /** Begins no more mails, for good. */
  stop(): void;
}

/** Sending right after commits. */
export function startMailDispatcher(deps: SendingDeps & Pick<Deps, "clock" | "background">): MailDispatcher {
  const lanes = new WorkerPool(deps.db, sendingOf(deps), () => deps.clock.now(), kickBudget);
  return {
    kick: () => deps.background.run(() => lanes.run()),
    stop: () => lanes.stop(),
  };
}

function sendingOf(deps: SendingDeps): Sending<Row & Claimed> {
  return { claim: claimStatements, claimed, attempt: (mail, now) => attempt(deps, mail, now) };
}
