/** All jobs, which run every minute on every runtime. */
import type { Deps } from "./deps.ts";
import { stagedKinds } from "./app.ts";
import { agedTo } from "./db/ageing.ts";
import { endInTime } from "./db/clock_ahead.ts";
import { forgetWords } from "./db/forget_words.ts";
import { reportHold } from "./db/hold.ts";
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
import { removeOldExports } from "./insight/exports/expire.ts";
import { makeExports } from "./insight/exports/make.ts";
import { playFacts } from "./insight/gamification/run.ts";
import { awardRanks } from "./insight/ranks/award.ts";
import { deliverReports } from "./insight/scheduled/deliver.ts";
import { rollUpFacts } from "./insight/rollups/run.ts";
import { makeLetters } from "./messages/campaigns/make_letters.ts";
import { queueAutomated } from "./messages/automated/send.ts";
import { sendCampaigns } from "./messages/campaigns/send.ts";
import { startCampaigns } from "./messages/campaigns/start.ts";
import { beginErasures } from "./identity/companies/begin_erasure.ts";
import { errorFields } from "./platform/log.ts";
import { mailKinds } from "./mail_kinds.ts";
import { escalateDue } from "./sales/leads/escalate.ts";
import { hideExpired } from "./sales/leads/expire.ts";
import { announceOverdueTasks } from "./sales/tasks/task_timer.ts";
import { runStaged } from "./staged/run.ts";

type Job = (deps: Deps, now: number) => Promise<unknown>;
type Jobs = readonly Readonly<Record<string, Job>>[];

/** Timers do what is due at a given time, which can be ahead of the clock. */
const timers: Jobs = [{ escalateDue }, { announceOverdueTasks }];

/**
 * Work that goes by the clock. Jobs of one entry run in parallel, so that slow targets do not delay mail, and
 * slow mail servers do not delay deliveries.
 */
const work: Jobs = [
  { endInTime, dateBack, reportHold },
  // Runs before campaigns, and queues communications in the minute in which they are due.
  { queueAutomated },
  { startCampaigns },
  { stagedWork: (deps, now) => runStaged(deps, now, stagedKinds) },
  { fanOutNotifications },
  { continueRecoveries },
  {
    deliverDue,
    sendDueMails: (deps, now) => sendDueMails(deps, now, mailKinds),
    sendDuePushes,
    sendCampaigns,
    makeLetters: (deps) => makeLetters(deps),
    makeExports: (deps) => makeExports(deps),
    deliverReports,
  },
  { playFacts: (deps) => playFacts(deps), rollUpFacts: (deps) => rollUpFacts(deps), awardRanks },
  { indexTexts: (deps) => indexTexts(deps) },
];

/** Irreversible jobs: they get a time that moves slowly while a clock is ahead. */
const ends: Jobs = [
  { beginErasures },
  { hideExpired },
  { pauseFailing },
  { removeOldDeliveries },
  { removeUnusedConstants },
  { removeOldNotifications },
  { removeOldExports },
  { removeExpired },
  { removeObjects },
  { forgetWords: (deps, now) => forgetWords(deps, now) },
];

/**
 * Runs every due job once and returns the names of the failed ones. Timers of leads and tasks take `now`
 * (epoch milliseconds) as the present, which can be ahead of the clock. All other jobs use the clock, so that
 * looking ahead removes and delays nothing. Several processes can run at the same time: work is claimed in
 * the database. A failed job is logged and does not stop the others.
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
    if (deps.stopping?.aborted) break;
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
