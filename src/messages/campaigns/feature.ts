import type { Feature } from "../../feature.ts";
import { campaignReassignment } from "./deletion.ts";
import { makeLetters } from "./make_letters.ts";
import { tasksWork } from "./make_tasks.ts";
import { selectCampaignNotice } from "./notice.ts";
import { declareCampaignEndpoints } from "./routes.ts";
import { sendCampaigns } from "./send.ts";
import { letterOperations, serveLetters } from "./serve_letters.ts";
import { startCampaigns } from "./start.ts";
import { stoppingWork } from "./stop.ts";
import { campaignStops, stopCampaignsNaming } from "./stop_approved.ts";
import { campaignMessageReferences, campaignMessages } from "./table.ts";
import { describeRecipientsWork } from "./write_recipients.ts";
import { reindexedCampaigns } from "../reindex.ts";
import { campaignReferences, campaigns } from "./record.ts";

export const campaignsFeature: Feature = {
  folder: "messages/campaigns",
  tables: [campaigns, campaignMessages],
  references: [campaignReferences, campaignMessageReferences],
  triggers: ["triggers.ts", "facts.ts"],
  endpoints: ({ filterFields }) => declareCampaignEndpoints(filterFields),
  reindexed: [reindexedCampaigns],
  routes: [{ serve: serveLetters, operations: letterOperations }],
  jobs: {
    start: { startCampaigns },
    send: { sendCampaigns: (deps) => sendCampaigns(deps), makeLetters: (deps) => makeLetters(deps) },
  },
  staged: ({ filterFields }) => [describeRecipientsWork(filterFields), tasksWork, stoppingWork],
  notices: { campaign: selectCampaignNotice },
  stopFilters: stopCampaignsNaming,
  stops: campaignStops,
  userDeletion: [campaignReassignment],
};
