/** Sends mail, started by jobs and after commits. */
import { inSteps } from "../../db/expiry.ts";
import type { Deps } from "../../deps.ts";
import type { Row } from "../../platform/database/database.ts";
import { type Sending, WorkerPool } from "../worker_pool.ts";
import { attempt, type SendingDeps } from "./attempt.ts";
import { bringSomeBack, type Claimed, claimed, claimStatements } from "./claim.ts";

/** Milliseconds after which a run starts no more mails; the next run continues. */
const jobBudget = 50_000;
const kickBudget = 20_000;

/**
 * Sends the mails due at `now` (epoch milliseconds) and returns the number of attempts. Simultaneous runs in
 * several processes share the work. A mail server that does not answer ends the run.
 */
export async function sendDueMails(deps: SendingDeps, now: number): Promise<number> {
  await inSteps(deps.db, [bringSomeBack(now)]);
  const lanes = new WorkerPool(deps.db, sendingOf(deps), () => now, jobBudget);
  await lanes.run();
  return lanes.attempts;
}

export interface MailDispatcher {
  /** Sends due mails in the background. A lost call loses nothing. */
  kick(): void;
  /** Starts no more mails. */
  stop(): void;
}

/** Sends right after commits. */
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
