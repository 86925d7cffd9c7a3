/** Runs the jobs once on the database file that `DATABASE_URL` names, by a clock that shows the moment given. */
import { loadConfig } from "../../src/config.ts";
import { openBox } from "../../src/entry/box.ts";
import { runJobs } from "../../src/jobs.ts";
import { fixedClock } from "../../src/platform/clock.ts";

const clock = fixedClock(Number(Deno.args[0]));
const { deps, close } = await openBox(loadConfig(Deno.env.toObject()), { clock });
const failed = await runJobs(deps, clock.now());
await close();
Deno.exit(failed.length === 0 ? 0 : 1);
