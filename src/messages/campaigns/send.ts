/** Sends the messages of campaigns by e-mail. */
import { inSteps } from "../../db/expiry.ts";
import { slotsOf, takeSlots } from "../../db/mail_rate.ts";
import { sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import { pause } from "../../platform/pause.ts";
import { overtimeMs, type Sending, WorkerPool } from "../../staged/worker_pool.ts";
import { lotsOnce, sendLot } from "./attempt.ts";
import {
  bringSomeBack,
  claimStatements,
  type Lot,
  lotOf,
  lotSize,
  moreStatement,
  waitsForOthers,
} from "./claim.ts";
import { finishCampaigns } from "./finish.ts";

/** Milliseconds after which a run claims no more; the next run continues. */
const jobBudget = 50_000;

/** Milliseconds between checks while campaigns wait for automated mail, which goes first. */
const patience = 250;

/**
 * Sends the messages that are due, at the rate of the installation, and returns the number of claims. A claim
 * uses the time at which it is made, not the start of the run (`now`, epoch milliseconds), because a run is
 * long. After `budget` milliseconds, sending continues in the background for `overtimeMs`. Simultaneous runs
 * share the work, also in several processes.
 */
export async function sendCampaigns(deps: Deps, now: number, budget = jobBudget): Promise<number> {
  await inSteps(deps.db, [bringSomeBack(now)]);
  const { attempts, isOutOfTime } = await sendFor(deps, budget);
  if (isOutOfTime) deps.background.run(() => sendFor(deps, overtimeMs));
  return attempts;
}

async function sendFor(
  deps: Deps,
  milliseconds: number,
): Promise<{ attempts: number; isOutOfTime: boolean }> {
  const until = performance.now() + milliseconds;
  let attempts = 0;
  while (true) {
    const budget = until - performance.now();
    const now = () => deps.clock.now();
    const pool = new WorkerPool(deps.db, sendingOf(deps), now, budget, undefined, deps.stopping);
    await pool.run();
    attempts += pool.attempts;
    if (deps.stopping?.aborted) return { attempts, isOutOfTime: false };
    await finishCampaigns(deps, deps.clock.now());
    const [waits] = await deps.db.read([waitsForOthers(deps.clock.now())]);
    const isWaiting = waits!.rows[0]!.waits === 1;
    if (!isWaiting || performance.now() + patience > until) {
      return { attempts, isOutOfTime: isWaiting || pool.isOutOfTime };
    }
    await pause(patience, deps.stopping);
  }
}

/**
 * A lot with the milliseconds to wait before a message. `left`: the messages that are left to send, including
 * that one.
 */
interface PacedLot extends Lot {
  readonly waitFor: (left: number) => number;
}

function sendingOf(deps: Deps): Sending<PacedLot> {
  const rate = deps.config.mailRate;
  // Limits the lot, so that slots are taken a few seconds in advance at most.
  const most = rate === 0 ? lotSize : Math.max(1, Math.min(lotSize, Math.floor(rate)));
  return {
    claim: (now) => [
      ...claimStatements("email", now, most),
      ...(rate === 0 ? [] : [takeSlots(rate, sql`changes()`)]),
      moreStatement("email", now),
    ],
    claimed(results) {
      const more = results.at(-1)![0]!.more === 1;
      const [messages, slots = []] = rate === 0 ? [results.at(-2)!] : [results.at(-3)!, results.at(-2)!];
      const lot = lotOf(messages);
      return { taken: lot && { ...lot, waitFor: slotsOf(slots, rate) }, more };
    },
    once: lotsOnce,
    attempt: (lot, now, isHeld) =>
      sendLot(deps, lot, { now, isHeld }, async (index) => {
        const wait = lot.waitFor(lot.messages.length - index);
        if (wait > 0) await pause(wait, deps.stopping);
      }),
  };
}
