/** Every list that is walked. */
import { agency } from "./agency.ts";
import { automatedSends } from "./automated.ts";
import { campaignMessages } from "./campaigns.ts";
import { companies } from "./companies.ts";
import { customers } from "./customers.ts";
import { deliveries } from "./delivery.ts";
import { files } from "./files.ts";
import { sales } from "./sales.ts";
import type { Kind } from "./world.ts";

export const kinds: readonly Kind[] = [
  ...customers,
  ...sales,
  ...agency,
  ...companies,
  ...deliveries,
  ...files,
  campaignMessages,
  automatedSends,
];

/** Lists that are not walked, each with the reason. */
export const notFollowed: Readonly<Record<string, string>> = {
  "/v1/leads/byFilter": "an older address of /v1/leads/filter",
  "/v1/accounts/:account_id/contacts/:contact_id/files": "read by the code of /v1/cases/:case_id/files",
  "/v1/leads/:lead_id/files": "read by the code of /v1/cases/:case_id/files",
  "/v1/tokens": "the caller's own of the last hour, made by signing in",
};
