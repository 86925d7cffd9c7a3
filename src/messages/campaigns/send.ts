/** Sends the messages of campaigns by e-mail. */
import type { Deps } from "../../deps.ts";
import { Loop, overtimeMs } from "../../later/loop.ts";
import { RowLease } from "../../later/row_lease.ts";
import { pause } from "../../platform/pause.ts";
import { campaignQueue } from "./attempt.ts";
import { type ClaimedMessage, messageRows, waitsForOthers } from "./claim.ts";
import { finishCampaigns } from "./finish.ts";

/** Milliseconds after which a run claims no more; the next run continues. */
const jobBudget = 50_000;

/** Milliseconds between checks while campaigns wait for automated mail, which goes first. */
const patience = 250;

/**
 * Sends the messages that are due, at the rate of the installation, and returns the number of attempts. A
 * claim uses the time at which it is made, not the start of the run, because a run is long. After `budget` milliseconds, sending continues in the background for `overtimeMs`. Simultaneous runs
 * share the work, also in several processes.
 */
export async function sendCampaigns(deps: Deps, budget = jobBudget): Promise<number> {
  const { attempts, isOutOfTime } = await sendFor(deps, budget);
  if (isOutOfTime) deps.background.run(() => sendFor(deps, overtimeMs));
  return attempts;
}

async function sendFor(
  deps: Deps,
  milliseconds: number,
): Promise<{ attempts: number; isOutOfTime: boolean }> {
  const until = performance.now() + milliseconds;
  const rows = messageRows("email", deps.config.mailRate);
  let attempts = 0;
  while (true) {
    const run = new Loop(campaignQueue(deps, rows), new RowLease<ClaimedMessage>(rows, deps.db, false), {
      db: deps.db,
      now: () => deps.clock.now(),
      budget: until - performance.now(),
      stopping: deps.stopping,
    });
    attempts += await run.run();
    if (deps.stopping?.aborted) return { attempts, isOutOfTime: false };
    await finishCampaigns(deps, deps.clock.now());
    const [waits] = await deps.db.read([waitsForOthers(deps.clock.now())]);
    const isWaiting = waits!.rows[0]!.waits === 1;
    if (!isWaiting || performance.now() + patience > until) {
      return { attempts, isOutOfTime: isWaiting || run.isOutOfTime };
    }
    await pause(patience, deps.stopping);
  }
}
