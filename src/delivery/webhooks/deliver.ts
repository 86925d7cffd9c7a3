/** Delivery, as the jobs and the commits start it. */
import type { Deps } from "../../deps.ts";
import { fixedClock } from "../../platform/clock.ts";
import type { SendingDeps } from "./attempt.ts";
import { dueTargets } from "./claim.ts";
import { Sender } from "./sender.ts";

/** Milliseconds of work after which a run ends; the next one goes on. */
const jobBudget = 50_000;
const kickBudget = 20_000;

/**
 * Sends everything that is due at `now` (epoch milliseconds; the clock's moment when absent); how many
 * attempts were made. Runs for 50 seconds at most. Any number of runs in any number of processes share
 * the work.
 */
export async function deliverDue(deps: SendingDeps & Pick<Deps, "clock">, now?: number): Promise<number> {
  const clock = now === undefined ? deps.clock : fixedClock(now);
  const [due] = await deps.db.read([dueTargets(clock.now())]);
  if (due!.rows.length === 0) return 0;
  const sender = new Sender(deps, clock, jobBudget);
  sender.want([], due!.rows.map(({ id }) => Number(id)));
  return await sender.run();
}

export interface Delivery {
  /** Sends what is due in the company, in the background. Losing the call loses nothing. */
  kick(companyId: number): void;
  /** Resolves when nothing is being sent any more. */
  idle(): Promise<void>;
}

/** Delivery right after commits: calls that come while it runs join the run. */
export function startDelivery(deps: SendingDeps & Pick<Deps, "clock" | "background">): Delivery {
  let sender: Sender | null = null;
  let done: Promise<unknown> = Promise.resolve();
  return {
    kick(companyId) {
      if (sender?.want([companyId])) return;
      const mine = sender = new Sender(deps, deps.clock, kickBudget);
      mine.want([companyId]);
      const run = mine.run().finally(() => {
        if (sender === mine) sender = null;
      });
      done = run.catch(() => {});
      deps.background.run(run);
    },
    async idle() {
      while (sender !== null) await done;
    },
  };
}
