/** Deno Deploy: as a box, with the platform's cron and a remote database. */
import { createApp } from "../app.ts";
import { loadConfig } from "../config.ts";
import { ensureBootstrapClient } from "../identity/applications/verbs.ts";
import { runJobs } from "../jobs.ts";
import { openBox } from "./box.ts";
import { peerOf } from "./peer.ts";

const { deps } = await openBox(loadConfig(Deno.env.toObject()));
await ensureBootstrapClient(deps);

Deno.cron("jobs", "* * * * *", async () => {
  await runJobs(deps, deps.clock.now());
});

const app = createApp(deps);
Deno.serve((request, info) => app.fetch(request, peerOf(info)));
