/** `deno task jobs`: runs every job that is due, once. */
import { parseTimestamp } from "../core/time.ts";
import { openBox } from "../entry/box.ts";
import { runJobs } from "../jobs.ts";
import { fixedClock, systemClock } from "../platform/clock.ts";
import { CommandError, configuration, readArgs, runCommand } from "./command.ts";

const usage = 'deno task jobs [--now "Y-m-d H:i:s"]';

if (import.meta.main) await runCommand(main);

/** With `--now`, jobs take that moment (UTC) for the present: what is due by then happens. */
async function main(args: string[]): Promise<void> {
  const { values } = readArgs(args, usage, { now: { type: "string" } }, 0);
  const now = values.now === undefined ? systemClock.now() : parseTimestamp(values.now);
  if (now === null) throw new CommandError(`--now must be like 2026-03-02 09:00:00\nUsage: ${usage}`);
  const { deps, close } = await openBox(configuration(), { clock: fixedClock(now) });
  try {
    const failed = await runJobs(deps, now);
    if (failed.length > 0) throw new CommandError(`failed: ${failed.join(", ")}`);
  } finally {
    await close();
  }
}
