import type { Feature } from "../../feature.ts";
import { campaignSettingsEndpoints } from "./routes.ts";
import { campaignSettings } from "./table.ts";

export const campaignSettingsFeature: Feature = {
  folder: "messages/campaign_settings",
  tables: [campaignSettings],
  endpoints: campaignSettingsEndpoints,
};
