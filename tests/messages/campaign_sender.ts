/**
 * A process that runs the jobs of campaigns until it is killed. Its clock, that of `SHARED_CLOCK`, runs fast, so that
 * leases and retries take little time.
 */
import { loadConfig } from "../../src/config.ts";
import { openBox } from "../../src/entry/box.ts";
import { makeLetters } from "../../src/messages/campaigns/make_letters.ts";
import { tasksWork } from "../../src/messages/campaigns/make_tasks.ts";
import { sendCampaigns } from "../../src/messages/campaigns/send.ts";
import { startCampaigns } from "../../src/messages/campaigns/start.ts";
import { stoppingWork } from "../../src/messages/campaigns/stop.ts";
import { describeRecipientsWork } from "../../src/messages/campaigns/write_recipients.ts";
import { filterFields } from "../../src/app.ts";
import { runStaged } from "../../src/staged/run.ts";
import { fastClock } from "./campaign_clock.ts";
import { memoryLog } from "../support/ports.ts";

// Not all kinds of the app: to load it takes several times as long as the campaigns.
const kinds = [describeRecipientsWork(filterFields), tasksWork, stoppingWork];
const clock = fastClock(Number(Deno.env.get("SHARED_CLOCK")));
const { deps } = await openBox(loadConfig(Deno.env.toObject()), { clock, log: memoryLog() });
console.log("ready");
while (true) {
  await startCampaigns(deps, clock.now());
  const steps = await runStaged(deps, clock.now(), kinds);
  const attempts = await sendCampaigns(deps) + await makeLetters(deps);
  // Most of the time, it only waits for retries and for leases of killed processes.
  await new Promise((resolve) => setTimeout(resolve, steps + attempts > 0 ? 0 : 100));
}
