/** Runs the jobs once on the database file of `DATABASE_URL`, with the clock at the given time. */
import { loadConfig } from "../../src/config.ts";
import { openBox } from "../../src/entry/box.ts";
import { runJobs } from "../../src/jobs.ts";
import { makeFixedClock } from "../../src/platform/clock.ts";

const clock = makeFixedClock(Number(Deno.args[0]));
const { deps, close } = await openBox(loadConfig(Deno.env.toObject()), { clock });
const failed = await runJobs(deps, clock.now());
await close();
Deno.exit(failed.length === 0 ? 0 : 1);
