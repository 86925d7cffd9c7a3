/** Delivery, as the jobs and the commits start it. */
import type { Deps } from "../../deps.ts";
import { fixedClock } from "../../platform/clock.ts";
import type { SendingDeps } from "./attempt.ts";
import { bringBack, farTargets } from "./bring_back.ts";
import { dueTargets } from "./claim.ts";
import { Dispatcher } from "./sender.ts";

/** Milliseconds of work after which a run ends; the next one goes on. */
const jobBudget = 50_000;
const kickBudget = 20_000;

/**
 * Sends everything that is due at `now` (epoch milliseconds; the clock's moment when absent); how many
 * attempts were made. What a clock that was ahead has put off counts as due. Runs for 50 seconds at most. Any number of runs in any number of processes share
 * the work.
 */
export async function deliverDue(deps: SendingDeps & Pick<Deps, "clock">, now?: number): Promise<number> {
  const clock = now === undefined ? deps.clock : fixedClock(now);
  const [due, far] = await deps.db.read([dueTargets(clock.now()), farTargets(clock.now())]);
  const late = far!.rows.map(({ id }) => Number(id));
  if (late.length > 0) await bringBack(deps, late, clock.now());
  const ids = new Set([...due!.rows.map(({ id }) => Number(id)), ...late]);
  if (ids.size === 0) return 0;
  const sender = new Dispatcher(deps, clock, jobBudget);
  sender.want([], ids);
  return await sender.run();
}

export interface Delivery {
  /** Sends what is due in the company, in the background. Losing the call loses nothing. */
  kick(companyId: number): void;
  /** Resolves when nothing is being sent any more. */
  idle(): Promise<void>;
  /** Takes no more, for good; resolves when what was on its way has been answered and recorded. */
  stop(): Promise<void>;
}

/** Delivery right after commits: calls that come while it runs join the run. */
export function startDelivery(deps: SendingDeps & Pick<Deps, "clock" | "background">): Delivery {
  let sender: Dispatcher | null = null;
  let done: Promise<unknown> = Promise.resolve();
  let stopped = false;

  function start(companies: readonly number[], webhooks: readonly number[]): void {
    const mine = sender = new Dispatcher(deps, deps.clock, kickBudget);
    mine.want(companies, webhooks);
    const run = mine.run().finally(() => {
      if (sender === mine) sender = null;
    });
    // A run that failed is not repeated here: the job does it.
    done = run.then(() => {
      const { companies, webhooks } = mine.left();
      if (companies.length + webhooks.length > 0) want(companies, webhooks);
    }).catch(() => {});
    deps.background.run(run);
  }

  function want(companies: readonly number[], webhooks: readonly number[]): void {
    if (!stopped && !sender?.want(companies, webhooks)) start(companies, webhooks);
  }

  async function idle(): Promise<void> {
    while (sender !== null) await done;
  }

  return {
    kick: (companyId) => want([companyId], []),
    idle,
    async stop() {
      stopped = true;
      sender?.stop();
      await idle();
    },
  };
}
