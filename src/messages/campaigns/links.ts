/** Links by which a recipient ends the e-mails of a company. */
import type { Deps } from "../../deps.ts";
import { hmacSha256Hex, keyedHash } from "../../platform/crypto.ts";
import { signingKeyOf } from "../campaign_settings/derived.ts";

interface Links {
  /** The link in the text. */
  readonly text: string;
  /** The link of the headers, which ends e-mails by one POST. */
  readonly oneClick: string;
}

interface Linked {
  readonly id: string;
  readonly company_id: number;
  readonly origin: string | null;
  readonly custom_url: string | null;
}

/** `custom_url`: the company's own page, which gets a signature. */
export function linksOf(deps: Pick<Deps, "secretsKey">, campaign: Linked, contactId: string): Links {
  const about = `${campaign.company_id}.${contactId}.${campaign.id}`;
  const token = keyedHash(deps.secretsKey, "unsubscribe", about);
  const oneClick = `${campaign.origin ?? ""}/unsubscribe/${token}`;
  if (campaign.custom_url === null) return { text: oneClick, oneClick };
  const url = new URL(campaign.custom_url);
  url.searchParams.set("contact_id", contactId);
  url.searchParams.set("campaign_id", campaign.id);
  const key = signingKeyOf(deps, campaign.company_id);
  url.searchParams.set("signature", hmacSha256Hex(key, `${contactId}.${campaign.id}`));
  return { text: String(url), oneClick };
}
