/** Sends the messages of campaigns by e-mail. */
import type { Deps } from "../../deps.ts";
import { Loop, overtimeMs, patienceOfJob } from "../../later/loop.ts";
import type { Attempted } from "../../later/queue.ts";
import { RowLease } from "../../later/row_lease.ts";
import { awaitAtMost } from "../../platform/background.ts";
import { makeCampaignQueue } from "./attempt.ts";
import { type ClaimedMessage, describeMessageRows } from "./claim.ts";
import { finishCampaigns } from "./finish.ts";

/** Milliseconds after which a run claims no more; the next run continues. */
const jobBudget = 50_000;

/**
 * Sends the messages that are due, at the rate of the installation, and returns the number of attempts. A claim uses
 * the time at which it is made, not the start of the run, because a run is long. After `budget` milliseconds, sending
 * continues in the background for `overtimeMs`. Simultaneous runs share the work, also in several processes.
 */
export async function sendCampaigns(deps: Deps, budget = jobBudget): Promise<number> {
  const run = makeRun(deps, budget);
  await awaitAtMost(deps.background, budget + patienceOfJob, finish(deps, run));
  if (run.isOutOfTime && !deps.stopping?.aborted) {
    deps.background.run(() => finish(deps, makeRun(deps, overtimeMs)));
  }
  return run.attempts;
}

type Run = Loop<ClaimedMessage, Attempted, undefined>;

/** Campaigns wait for automated mail, which goes first, for as long as there is time. */
function makeRun(deps: Deps, budget: number): Run {
  const { db, clock, stopping } = deps;
  const rows = describeMessageRows("email", deps.config.mailRate);
  const lease = new RowLease<ClaimedMessage>(rows, db);
  return new Loop(makeCampaignQueue(deps, rows), lease, { db, clock, budget, stopping });
}

async function finish(deps: Deps, run: Run): Promise<void> {
  await run.run();
  if (!deps.stopping?.aborted) await finishCampaigns(deps, deps.clock.now());
}
