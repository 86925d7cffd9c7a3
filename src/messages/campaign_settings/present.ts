/** Settings of campaigns → wire shape. */
import type { Deps } from "../../deps.ts";
import { deriveSigningKey } from "./derived_values.ts";
import type { CampaignSettingsRow } from "./table.ts";

export function presentCampaignSettings(
  deps: Pick<Deps, "config" | "secretsKey">,
  {
    company_id,
    domain,
    domain_slug,
    consent_enable,
    consent_custom,
    unsubscribe_url,
  }: CampaignSettingsRow,
) {
  return {
    domain,
    domain_slug,
    domain_slug_suffix: deps.config.campaignDomainSuffix,
    consent: {
      enable: consent_enable === 1,
      custom: consent_custom === 1,
      unsubscribe_url,
      signing_key: deriveSigningKey(deps, company_id),
    },
  };
}
