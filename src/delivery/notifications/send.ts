/** Sends notifications by mail and push, started by jobs and after commits. */
import { inSteps } from "../../db/expiry.ts";
import type { Deps } from "../../deps.ts";
import { fixedClock } from "../../platform/clock.ts";
import type { Pusher } from "../../platform/push/push.ts";
import { type Sending, WorkerPool } from "../../staged/worker_pool.ts";
import { attempt } from "./push_attempt.ts";
import { bringSomeBack, type Claimed, claimed, claimStatements } from "./push_claim.ts";
import { fanOut } from "./fan_out.ts";

/** Milliseconds after which a run starts nothing more; the next run continues. */
const jobBudget = 50_000;
const kickBudget = 20_000;

/**
 * Makes mails and push messages of unsent notifications at `now` (epoch milliseconds). Returns the number of
 * notifications.
 */
export async function fanOutNotifications(deps: Deps, now: number): Promise<number> {
  const until = performance.now() + jobBudget;
  return await fanOut(deps, fixedClock(now), () => performance.now() < until);
}

/**
 * Sends the push messages due at `now` (epoch milliseconds) and returns the number of attempts. Simultaneous
 * runs in several processes share the work. A push service that does not answer ends the run.
 */
export async function sendDuePushes(deps: Deps, now: number): Promise<number> {
  const { pusher } = deps;
  if (pusher === null) return 0;
  await inSteps(deps.db, [bringSomeBack(now)]);
  const lanes = new WorkerPool(deps.db, sendingOf(deps, pusher), () => now, jobBudget);
  await lanes.run();
  return lanes.attempts;
}

export interface NotificationDispatcher {
  /** Fans out and sends new notifications in the background. A lost call loses nothing. */
  kick(): void;
  /** Starts nothing more. */
  stop(): void;
}

/** Sends right after commits. */
export function startNotificationDispatcher(deps: Deps): NotificationDispatcher {
  const { clock, pusher } = deps;
  const lanes = pusher
    ? new WorkerPool(deps.db, sendingOf(deps, pusher), () => clock.now(), kickBudget)
    : null;
  let stopped = false;
  let running = false;
  let wanted = false;

  /** Calls during a run make it look once more. */
  async function run(): Promise<void> {
    wanted = true;
    if (running) return;
    running = true;
    try {
      const until = performance.now() + kickBudget;
      while (wanted && !stopped && performance.now() < until) {
        wanted = false;
        if (await fanOut(deps, clock, () => !stopped && performance.now() < until) > 0 && lanes) {
          deps.background.run(() => lanes.run());
        }
      }
    } finally {
      running = false;
    }
  }

  return {
    kick: () => deps.background.run(run),
    stop() {
      stopped = true;
      lanes?.stop();
    },
  };
}

function sendingOf(deps: Deps, pusher: Pusher): Sending<Claimed> {
  return {
    claim: claimStatements,
    claimed,
    attempt: (push, now) => attempt({ db: deps.db, log: deps.log, pusher }, push, now),
  };
}
