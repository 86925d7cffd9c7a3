/** Sends mail, started by jobs and after commits. */
import { inSteps } from "../../db/expiry.ts";
import type { MailKinds, MailLane } from "../../db/mails.ts";
import type { Deps } from "../../deps.ts";
import { overtimeMs, type Sending, WorkerPool } from "../../staged/worker_pool.ts";
import { type AttemptDeps, attemptsOf, bringSomeBack, type Claimed, claimsOf, mailsOnce } from "./attempt.ts";

/** Milliseconds after which a run starts no more mails; the next run continues. */
const jobBudget = 50_000;
const kickBudget = 20_000;

/** The dependencies of sending. */
type SendingDeps = AttemptDeps & Pick<Deps, "background" | "clock"> & {
  readonly config: Pick<Deps["config"], "mailRate">;
};

/**
 * Sends the mails of all lanes due at `now` (epoch milliseconds) and returns the number of attempts.
 * Simultaneous runs share the work, in several processes too. A mail server that does not answer ends the
 * run. After `budget` milliseconds the automated lane continues in the background for a while.
 */
export async function sendDueMails(
  deps: SendingDeps,
  now: number,
  kinds: MailKinds = {},
  budget = jobBudget,
): Promise<number> {
  await inSteps(deps.db, [bringSomeBack(now)]);
  const begun = performance.now();
  const age = () => performance.now() - begun;
  const prompt = poolOf(deps, "prompt", kinds, () => now, budget, age);
  const written = poolOf(deps, "correspondence", kinds, () => now, budget, age);
  const automated = poolOf(deps, "automated", kinds, () => now, budget, age);
  await Promise.all([prompt.run(), written.run(), automated.run()]);
  if (automated.isOutOfTime) {
    const overtime = poolOf(deps, "automated", kinds, () => deps.clock.now(), overtimeMs);
    deps.background.run(() => overtime.run());
  }
  return prompt.attempts + written.attempts + automated.attempts;
}

/**
 * Returns a function that sends due mails of the lanes in the background, for use right after commits. If a call
 * is lost, the job sends the mails.
 */
export function startMailDispatch(deps: SendingDeps, kinds: MailKinds = {}): Deps["kickMails"] {
  const poolFor = (lane: MailLane) => poolOf(deps, lane, kinds, () => deps.clock.now(), kickBudget);
  const pools = { prompt: poolFor("prompt"), correspondence: poolFor("correspondence") };
  return (lanes = ["prompt", "correspondence"]) => {
    for (const lane of lanes) deps.background.run(() => pools[lane].run());
  };
}

function poolOf(
  deps: SendingDeps,
  lane: MailLane,
  kinds: MailKinds,
  now: () => number,
  budget: number,
  age?: () => number,
) {
  const rate = lane === "automated" ? deps.config.mailRate : 0;
  // Each process goes round the companies by itself.
  let turn = -1;
  const sending: Sending<Claimed> = {
    claim: claimsOf(lane, rate, age, () => turn),
    claimed(results) {
      const [items, counted] = results.slice(-2);
      const taken = items![0] as Claimed | undefined ?? null;
      if (taken !== null) turn = taken.company_id;
      return { taken, more: counted![0]!.more === 1 };
    },
    attempt: attemptsOf(deps, lane, kinds),
    once: mailsOnce(rate),
  };
  return new WorkerPool(deps.db, sending, now, budget, undefined, deps.stopping);
}
