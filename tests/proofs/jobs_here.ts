import assert from "node:assert/strict";
import { loadConfig } from "../../src/config.ts";
import { openBox } from "../../src/entry/box.ts";
import { runJobs } from "../../src/jobs.ts";
import { makeFixedClock } from "../../src/platform/clock.ts";
import { memoryLog } from "../support/ports.ts";

/**
 * Runs the jobs once, with the clock at the given time, in this process, which has loaded the app already.
 * `env` is the environment of the service. Throws if a job fails. Returns what the run logged.
 */
export async function runJobsAt(
  env: Readonly<Record<string, string>>,
  now: number,
): Promise<readonly unknown[]> {
  const log = memoryLog();
  const { deps, close } = await openBox(loadConfig(env), { clock: makeFixedClock(now), log });
  try {
    assert.deepEqual(await runJobs(deps, now), [], JSON.stringify(log.entries));
    await deps.background.idle();
    return log.entries;
  } finally {
    await close();
  }
}
