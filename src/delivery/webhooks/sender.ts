/** How the loop of later work sends deliveries. Each target has its own line, so none waits for another. */
import { makeId } from "../../core/ids.ts";
import { Loop } from "../../later/loop.ts";
import type { Queue } from "../../later/queue.ts";
import { TurnLease, type Turns, type TurnWish } from "../../later/turn_lease.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Metrics } from "../../platform/metrics.ts";
import { attempt, type SendingDeps } from "./attempt.ts";
import { claimStatements, deliveryLeaseMs, type Due, leasePrefix, readClaimed } from "./claim.ts";
import { Target } from "./pacing.ts";
import { planNext, type Result, writeResults } from "./results.ts";

/** While the API is busy there are fewer active requests. A thousand unanswered ones leave room for others. */
const limits = { active: 100, activeWhenBusy: 8, all: 2_000, crowded: 1_000 };

const turns: Turns<Due> = {
  prefix: leasePrefix,
  ms: deliveryLeaseMs,
  mostNew: 50,
  getTurn: ({ webhook_id }) => webhook_id,
  getId: ({ id }) => id,
  claim: claimStatements,
  readClaimed,
};

/** Returns the run of a sender. `wish`: companies (its groups) and subscriptions that may have due deliveries. */
export function makeDeliveryRun(
  deps: SendingDeps,
  clock: Clock,
  budget: number,
  wish: TurnWish,
): Loop<Due, Result, TurnWish> {
  const { db, traffic, stopping } = deps;
  // Opened tokens by their sealed text.
  const tokens = new Map<string, string>();
  const queue: Queue<Due, Result> = {
    limits,
    line: () => new Target(),
    attempt: async (due) => {
      const result = await attempt(deps, due, tokens, clock);
      if (deps.metrics) countAttempt(deps.metrics, result);
      return result;
    },
    record: writeResults,
  };
  const lease = new TurnLease(turns, makeId(clock.now()), db, wish);
  return new Loop(queue, lease, { db, traffic, clock, budget, stopping });
}

function countAttempt({ webhookAttempts }: Metrics, result: Result): void {
  webhookAttempts.add(result.succeeded ? "delivered" : "failed");
  // A target that answered 410 gets no more events.
  if (planNext(result) !== null && result.response_status !== 410) webhookAttempts.add("retried");
}
