/** `deno task jobs`: runs every job that is due, once. */
import { formatTimestamp, parseTimestamp } from "../core/time.ts";
import type { Deps } from "../deps.ts";
import { openBox } from "../entry/box.ts";
import { surviveDefects } from "../entry/survive_defects.ts";
import { runJobs } from "../jobs.ts";
import { selectDueLeadCount } from "../sales/leads/escalate.ts";
import { selectDueTaskCount } from "../sales/tasks/task_timer.ts";
import { CommandError, readArgs, readConfiguration, runCommand } from "./command.ts";

const usage = 'deno task jobs [--now "Y-m-d H:i:s"]';

if (import.meta.main) await runCommand(main);

/**
 * With `--now`, the timers of leads and tasks use that moment (UTC) as the present. Everything else uses the
 * clock.
 */
async function main(args: string[]): Promise<void> {
  const { values } = readArgs(args, usage, { now: { type: "string" } }, 0);
  const given = values.now === undefined ? null : parseTimestamp(values.now);
  if (given === null && values.now !== undefined) {
    throw new CommandError(`--now must be like 2026-03-02 09:00:00\nUsage: ${usage}`);
  }
  const { deps, close } = await openBox(readConfiguration());
  // A defect in one job must not end the others.
  const defects = surviveDefects(deps.log);
  try {
    if (given !== null) console.log(await announceTimers(deps, given));
    const failed = await runJobs(deps, given ?? deps.clock.now());
    // Closing ends what runs in the background, such as files of exports.
    await deps.background.idle();
    if (defects.count > 0) failed.push(`${defects.count} defects, see the log`);
    if (failed.length > 0) throw new CommandError(`failed: ${failed.join(", ")}`);
  } finally {
    await close();
  }
}

/** Describes what the timers will do, and in which database. */
async function announceTimers({ db, config }: Deps, now: number): Promise<string> {
  const [leads, tasks] = await db.read([selectDueLeadCount(now), selectDueTaskCount(now)]);
  const [database] = config.databaseUrl.split("?");
  const tasksDue = formatCount(tasks!.rows[0]!.n, "task");
  return `As if it were ${formatTimestamp(now)} UTC, in ${database}: ` +
    `${formatCount(leads!.rows[0]!.n, "lead")} to escalate or revoke, ${tasksDue} to move on. ` +
    "This cannot be undone. Everything else uses the clock: nothing is removed early.";
}

function formatCount(n: unknown, what: string): string {
  return `${n} ${what}${n === 1 ? "" : "s"}`;
}
