/** Deno Deploy: like a box, with the platform's cron and a remote database. */
import { createApp } from "../app.ts";
import type { Deps } from "../deps.ts";
import { runJobs } from "../jobs.ts";
import { describeError } from "../platform/log.ts";
import { bootstrap } from "./bootstrap.ts";
import { openBox } from "./box.ts";
import { readPeer } from "./peer.ts";
import { readSettings, stopWith } from "./settings.ts";
import { surviveDefects } from "./survive_defects.ts";

const deps = await openDeps();
surviveDefects(deps.log);

const cron = Deno.cron("jobs", "* * * * *", async () => {
  await runJobs(deps, deps.clock.now());
});
cron.catch((error) => deps.log.error({ event: "defect", ...describeError(error) }));

const app = createApp(deps);
Deno.serve((request, info) => app.fetch(request, readPeer(info)));

async function openDeps(): Promise<Deps> {
  try {
    const { deps } = await openBox(readSettings(), { compressor: null, metrics: null });
    await bootstrap(deps);
    return deps;
  } catch (error) {
    stopWith(error);
  }
}
