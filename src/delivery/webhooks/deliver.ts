/** Delivers events, started by jobs and after commits. */
import type { Deps } from "../../deps.ts";
import { type Dispatch, startDispatch } from "../../later/dispatch.ts";
import type { TurnWish } from "../../later/turn_lease.ts";
import { makeClockAhead } from "../../platform/clock.ts";
import type { SendingDeps } from "./attempt.ts";
import { bringBack, selectFarTargets } from "./bring_back.ts";
import { selectDueTargets } from "./claim.ts";
import { makeDeliveryRun } from "./sender.ts";

/** Milliseconds after which a run ends; the next run continues. */
const jobBudget = 50_000;
const runBudget = 20_000;

/**
 * Sends all deliveries due at `now` (epoch milliseconds; by default the clock's time), for at most 50
 * seconds. Returns the number of attempts. Deliveries that a fast clock delayed count as due. Simultaneous
 * runs in several processes share the work.
 */
export async function deliverDue(deps: SendingDeps & Pick<Deps, "clock">, now?: number): Promise<number> {
  const clock = now === undefined ? deps.clock : makeClockAhead(now, deps.clock);
  const [due, far] = await deps.db.read([selectDueTargets(clock.now()), selectFarTargets(clock.now())]);
  const late = far!.rows.map(({ id }) => Number(id));
  if (late.length > 0) await bringBack(deps, late, clock.now());
  const ids = new Set([...due!.rows.map(({ id }) => Number(id)), ...late]);
  if (ids.size === 0) return 0;
  return await makeDeliveryRun(deps, clock, jobBudget, { turns: ids }).run();
}

export interface DeliveryDispatch extends Omit<Dispatch<TurnWish>, "wake"> {
  /**
   * Sends due deliveries of companies and subscriptions in the background. If a call is lost, the job sends
   * them.
   */
  wake(companies: Iterable<number>, webhooks?: Iterable<number>): void;
}

/** Delivers right after commits. Calls during a run join it. */
export function startDelivery(deps: SendingDeps & Pick<Deps, "clock" | "background">): DeliveryDispatch {
  const dispatch = startDispatch(
    deps,
    (wish: TurnWish) => makeDeliveryRun(deps, deps.clock, runBudget, wish),
  );
  return { ...dispatch, wake: (groups, turns = []) => dispatch.wake({ groups, turns }) };
}
