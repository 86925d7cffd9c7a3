import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { getCampaignSettings } from "./queries.ts";
import { CampaignSettings, CampaignSettingsChange } from "./schema.ts";
import { updateCampaignSettings } from "./update.ts";

const tag = "Campaign settings";

export const campaignSettingsEndpoints: Endpoint[] = [
  endpoint({
    method: "get",
    path: "/v1/campaigns/settings",
    operation: "getCampaignSettings",
    tag,
    summary: "Get the settings of campaigns",
    right: "campaigns.manage",
    answers: {
      200: { description: "The settings.", schema: CampaignSettings },
    },
  }, (ctx) => getCampaignSettings(ctx)),
  endpoint({
    method: "put",
    path: "/v1/campaigns/settings",
    operation: "updateCampaignSettings",
    tag,
    summary: "Change the settings of campaigns",
    right: "campaigns.manage",
    body: CampaignSettingsChange,
    conflicts: ["campaign_domain_missing"],
    answers: {
      200: { description: "The updated settings.", schema: CampaignSettings },
    },
  }, (ctx, { body }) => updateCampaignSettings(ctx, body)),
];
