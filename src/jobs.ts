/** All jobs, which run every minute on every runtime. */
import type { Deps } from "./deps.ts";
import { resolveGiven } from "./contributions.ts";
import { advanceAgeing } from "./db/ageing.ts";
import type { Feature, Job, Jobs, Phase } from "./feature.ts";
import { features } from "./features.ts";
import { describeError } from "./platform/log.ts";
import { stagedKinds } from "./staged_kinds.ts";
import { runStaged } from "./staged/run.ts";

/** Jobs of one entry run in parallel, so that slow targets delay no mail, and slow mail servers no deliveries. */
type Order = readonly Readonly<Record<string, Job>>[];

const steps: Jobs = {
  steps: { stagedWork: (deps, now) => runStaged(deps, now, stagedKinds) },
};

/**
 * Jobs that start together start in this order: deliveries and single mails before campaigns, which wait for due
 * automated mail.
 */
const isDelivery = ({ folder }: Feature) => folder.startsWith("delivery/");
const all: readonly Jobs[] = [
  ...[...features.filter(isDelivery), ...features.filter((feature) => !isDelivery(feature))]
    .flatMap(({ jobs }) => jobs ? [resolveGiven(jobs)] : []),
  steps,
];

const timers = inTurn("timers");
const work = ["clock", "queue", "start", "steps", "announce", "recover", "send", "count", "index"] as const;
const ends = inTurn("ends");

/** Jobs of a phase that run one after the other. */
function inTurn(phase: Phase): Order {
  return Object.entries(joinJobs(phase)).map(([name, job]) => ({ [name]: job }));
}

function joinJobs(phase: Phase): Readonly<Record<string, Job>> {
  return Object.assign({}, ...all.map((jobs) => jobs[phase]));
}

/**
 * Runs every due job once and returns the names of the failed ones. Timers of leads and tasks take `now`
 * (epoch milliseconds) as the present, which can be ahead of the clock. All other jobs use the clock, so that
 * looking ahead removes and delays nothing. Several processes can run at the same time: work is claimed in
 * the database. A failed job is logged and does not stop the others.
 */
export async function runJobs(deps: Deps, now: number): Promise<string[]> {
  const present = deps.clock.now();
  const failed = [...await runAll(deps, timers, now), ...await runAll(deps, work.map(joinJobs), present)];
  let aged: number | null = null;
  const age = async () => void (aged = await advanceAgeing(deps, present));
  if (!await runJob(deps, "age", age, present)) failed.push("age");
  return aged === null ? failed : [...failed, ...await runAll(deps, ends, aged)];
}

async function runAll(deps: Deps, jobs: Order, now: number): Promise<string[]> {
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
    deps.log.error({ event: "job_failed", job, ...describeError(error) });
    return false;
  }
}
