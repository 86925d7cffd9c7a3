/** Sets the domain of a company's campaigns, for the operator. */
import { fieldError, invalid, notFound } from "../../core/errors.ts";
import type { Author } from "../../db/commit.ts";
import { sql } from "../../db/statements.ts";

/**
 * Sets the domain; null removes it. Throws 404 when the company does not exist, 422 for text that is not a
 * domain.
 */
export async function setCampaignDomain(
  author: Author,
  companyId: number,
  domain: string | null,
) {
  if (domain !== null && !isDomain(domain)) {
    throw invalid(
      fieldError(
        "domain",
        "format",
        "Must be a domain such as mail.example.com.",
      ),
    );
  }
  const { deps, at } = author;
  const [written] = await deps.db.write([
    sql`insert into campaign_settings (company_id, domain, created_at, updated_at)
      select c.id, ${domain}, ${at}, ${at} from companies c
      where c.id = ${companyId} and c.deleted_at is null
      on conflict (company_id) do update set domain = excluded.domain, updated_at = excluded.updated_at,
      version = version + 1`,
  ]);
  if (written!.changes === 0) {
    throw notFound(`There is no company ${companyId}.`);
  }
}

/** Labels of letters, digits and hyphens; at least two of them. */
function isDomain(text: string): boolean {
  return text.length <= 253 &&
    /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/.test(text);
}
