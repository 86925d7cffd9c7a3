/** Sends mail, started by jobs and after commits. */
import type { MailKinds, MailLane } from "../../db/mails.ts";
import type { Deps } from "../../deps.ts";
import { startDispatch } from "../../later/dispatch.ts";
import { Loop, overtimeMs, patienceOfJob } from "../../later/loop.ts";
import type { Attempted } from "../../later/queue.ts";
import { RowLease } from "../../later/row_lease.ts";
import { awaitAll, awaitAtMost } from "../../platform/background.ts";
import { type Clock, makeClockAhead } from "../../platform/clock.ts";
import { type AttemptDeps, type ClaimedMail, describeMailRows, makeMailQueue } from "./attempt.ts";

/** Milliseconds after which a run starts no more mails; the next run continues. */
const jobBudget = 50_000;
const runBudget = 20_000;

/** The dependencies of sending. */
type SendingDeps = AttemptDeps & Pick<Deps, "background" | "clock"> & {
  readonly config: Pick<Deps["config"], "mailRate">;
};

/**
 * Sends the mails of all lanes due at `now` (epoch milliseconds) and returns the number of attempts.
 * Simultaneous runs share the work, in several processes too. A mail server that does not answer ends the
 * run. After `budget` milliseconds the automated lane continues in the background for a while, and so do mails for
 * which the mail server takes longer.
 */
export async function sendDueMails(
  deps: SendingDeps,
  now: number,
  kinds: MailKinds = {},
  budget = jobBudget,
): Promise<number> {
  const clock = makeClockAhead(now, deps.clock);
  const [prompt, written, automated] = (["prompt", "correspondence", "automated"] as const)
    .map((lane) => makeMailRun(deps, lane, kinds, clock, budget)) as [MailRun, MailRun, MailRun];
  const runs = awaitAll([prompt.run(), written.run(), automated.run()]);
  await awaitAtMost(deps.background, budget + patienceOfJob, runs);
  if (automated.isOutOfTime) {
    deps.background.run(() => makeMailRun(deps, "automated", kinds, deps.clock, overtimeMs).run());
  }
  return prompt.attempts + written.attempts + automated.attempts;
}

/**
 * Returns a function that sends due mails of the lanes in the background, for use right after commits. If a call
 * is lost, the job sends the mails.
 */
export function startMailDispatch(deps: SendingDeps, kinds: MailKinds = {}): Deps["wakeMails"] {
  const startLane = (lane: MailLane) =>
    startDispatch(deps, () => makeMailRun(deps, lane, kinds, deps.clock, runBudget));
  const dispatches = { prompt: startLane("prompt"), correspondence: startLane("correspondence") };
  return (lanes = ["prompt", "correspondence"]) => {
    for (const lane of lanes) dispatches[lane].wake(undefined);
  };
}

type MailRun = Loop<ClaimedMail, Attempted, undefined>;

function makeMailRun(
  deps: SendingDeps,
  lane: MailLane,
  kinds: MailKinds,
  clock: Clock,
  budget: number,
): MailRun {
  const { db, stopping } = deps;
  const rows = describeMailRows(lane, lane === "automated" ? deps.config.mailRate : 0);
  return new Loop(
    makeMailQueue(deps, lane, rows, kinds),
    new RowLease<ClaimedMail>(rows, db),
    {
      db,
      clock,
      budget,
      stopping,
    },
  );
}
