/** Links by which a recipient unsubscribes from the e-mails of a company. */
import type { Deps } from "../../deps.ts";
import { hmacSha256Hex } from "../../platform/crypto.ts";
import { deriveSigningKey } from "../campaign_settings/derived_values.ts";
import { unsubscribeUrl } from "../unsubscribe/links.ts";

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
  /** The company's own page, which gets a signature; null: the page of this service. */
  readonly custom_url: string | null;
}

/**
 * Returns the links of a mail. `to` null: a test mail, whose links lead to a page of this service that
 * says so.
 */
export function makeLinks(
  deps: Pick<Deps, "secretsKey">,
  { id, company_id, origin, custom_url }: Linked,
  to: { readonly contactId: string; readonly email: string } | null,
): Links {
  const contactId = to?.contactId ?? null;
  const about = { companyId: company_id, contactId, aboutId: id, email: to?.email };
  const oneClick = unsubscribeUrl(deps.secretsKey, origin ?? "", about);
  if (custom_url === null || contactId === null) return { text: oneClick, oneClick };
  const url = new URL(custom_url);
  url.searchParams.set("contact_id", contactId);
  url.searchParams.set("campaign_id", id);
  const key = deriveSigningKey(deps, company_id);
  url.searchParams.set("signature", hmacSha256Hex(key, `${contactId}.${id}`));
  return { text: String(url), oneClick };
}
