/** Sends a campaign right after the commit that approved it. A lost call loses nothing: the jobs do the same. */
import type { Deps } from "../../deps.ts";
import type { Contribution } from "../../customers/filter_catalogue.ts";
import { awaitAll } from "../../platform/background.ts";
import { runStaged } from "../../staged/run.ts";
import { makeLetters } from "./make_letters.ts";
import { tasksWork } from "./make_tasks.ts";
import { sendCampaigns } from "./send.ts";
import { startCampaigns } from "./start.ts";
import { describeRecipientsWork } from "./write_recipients.ts";

export function sendNow(deps: Deps, contributions: readonly Contribution[], id: string): void {
  deps.background.run(async () => {
    const now = deps.clock.now();
    await startCampaigns(deps, now);
    await runStaged(deps, now, [describeRecipientsWork(contributions), tasksWork], id);
    await awaitAll([sendCampaigns(deps), makeLetters(deps)]);
  });
}
