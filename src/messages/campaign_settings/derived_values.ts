/** Values that are derived from the settings of campaigns and of the installation. */
import type { Deps } from "../../deps.ts";
import { hashWithKey } from "../../platform/crypto.ts";
import type { CampaignSettingsRow } from "./table.ts";

/** The domain of a company's campaigns; null without one. */
export function makeCampaignDomain(
  { config }: Pick<Deps, "config">,
  { domain, domain_slug }: Pick<CampaignSettingsRow, "domain" | "domain_slug">,
): string | null {
  return domain ??
    (domain_slug === null ? null : `${domain_slug}.${config.campaignDomainSuffix}`);
}

/** The key of the signatures in links to a company's own unsubscribe page, in hex. */
export function deriveSigningKey(
  { secretsKey }: Pick<Deps, "secretsKey">,
  companyId: number,
): string {
  return hashWithKey(secretsKey, "campaign signatures", String(companyId));
}
