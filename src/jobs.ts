/** The one list of jobs: what happens by itself, every minute, on every runtime. */
import type { Deps } from "./deps.ts";
import { stagedKinds } from "./app.ts";
import { agedTo } from "./db/ageing.ts";
import { endInTime } from "./db/clock_ahead.ts";
import { removeUnusedConstants } from "./db/json_pool.ts";
import { removeExpired } from "./db/expiry.ts";
import { removeObjects } from "./db/objects.ts";
import { indexTexts } from "./customers/texts/index_texts.ts";
import { sendDueMails } from "./delivery/mails/send.ts";
import { removeOldNotifications } from "./delivery/notifications/cleanup.ts";
import { fanOutNotifications, sendDuePushes } from "./delivery/notifications/send.ts";
import { deliverDue } from "./delivery/webhooks/deliver.ts";
import { dateBack } from "./delivery/webhooks/bring_back.ts";
import { pauseFailing } from "./delivery/webhooks/pause.ts";
import { continueRecoveries } from "./delivery/webhooks/recover.ts";
import { removeOldDeliveries } from "./delivery/webhooks/cleanup.ts";
import { errorFields } from "./platform/log.ts";
import { escalateDue } from "./sales/leads/escalate.ts";
import { hideExpired } from "./sales/leads/expire.ts";
import { announceOverdueTasks } from "./sales/tasks/task_timer.ts";
import { runStaged } from "./staged/run.ts";

type Job = (deps: Deps, now: number) => Promise<unknown>;
type Jobs = readonly Readonly<Record<string, Job>>[];

/** They may look ahead: what is due by the moment that they are given happens. */
const timers: Jobs = [{ escalateDue }, { announceOverdueTasks }];

/** By the clock. What stands together runs side by side: slow targets do not hold mail up, nor a slow mail server deliveries. */
const work: Jobs = [
  { endInTime, dateBack },
  { stagedWork: (deps, now) => runStaged(deps, now, stagedKinds) },
  { fanOutNotifications },
  { continueRecoveries },
  { deliverDue, sendDueMails, sendDuePushes },
  { indexTexts: (deps) => indexTexts(deps) },
];

/** What cannot be taken back when the clock was wrong: by a moment that a clock that is ahead moves little. */
const ends: Jobs = [
  { hideExpired },
  { pauseFailing },
  { removeOldDeliveries },
  { removeUnusedConstants },
  { removeOldNotifications },
  { removeExpired },
  { removeObjects },
];

/**
 * Runs every job that is due, once. Timers of leads and tasks take `now` (epoch milliseconds) for the present,
 * which may be ahead of the clock; everything else goes by the clock, so that nothing is removed or put off by
 * looking ahead. Several processes may do so at once: work is claimed in the database. A job that fails is logged
 * and does not keep the others from running; answers the names of those that failed.
 */
export async function runJobs(deps: Deps, now: number): Promise<string[]> {
  const present = deps.clock.now();
  const failed = [...await runAll(deps, timers, now), ...await runAll(deps, work, present)];
  let aged: number | null = null;
  const age = async () => void (aged = await agedTo(deps, present));
  if (!await runJob(deps, "age", age, present)) failed.push("age");
  return aged === null ? failed : [...failed, ...await runAll(deps, ends, aged)];
}

async function runAll(deps: Deps, jobs: Jobs, now: number): Promise<string[]> {
  const failed: string[] = [];
  for (const together of jobs) {
    await Promise.all(
      Object.entries(together).map(async ([job, run]) => {
        if (!await runJob(deps, job, run, now)) failed.push(job);
      }),
    );
  }
  return failed;
}

async function runJob(deps: Deps, job: string, run: Job, now: number): Promise<boolean> {
  const started = performance.now();
  try {
    const done = await run(deps, now);
    if (done) {
      deps.log.info({ event: "job", job, done, duration_ms: Math.round(performance.now() - started) });
    }
    return true;
  } catch (error) {
    deps.log.error({ event: "job_failed", job, ...errorFields(error) });
    return false;
  }
}
