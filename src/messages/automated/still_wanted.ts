/**
 * Checks whether the contact still wants an automated e-mail, which may have waited because of `MAIL_RATE`.
 */
import { sql } from "../../db/statements.ts";
import { composeCaseFold } from "../../db/case_fold.ts";
import type { Statement } from "../../platform/database/database.ts";
import { isNotRemoved } from "../../sales/cases/queries.ts";
import { hasConsented, isBounced, isRefused } from "../consent.ts";

/** Reads `reason`: why the e-mail is not sent any more, or null. */
export function selectReasonAgainst(id: string): Statement {
  const consent = hasConsented(sql`r.consent_email`, sql`coalesce(s.consent_enable, 0)`);
  const refused = isRefused(sql`r.company_id`, composeCaseFold("r", "email"));
  const bounced = isBounced(sql`r.company_id`, composeCaseFold("r", "email"));
  return sql`select case when r.id is null then 'deleted' when not ${consent} or ${refused} then 'no_consent'
    when ${bounced} then 'bounced' end as reason from (select ${id} as id) o left join automated_sends m on m.id = o.id
    left join companies k on k.id = m.company_id and k.deleted_at is null
    left join cases c on c.id = m.case_id and k.id is not null and ${isNotRemoved(sql`m.case_id`)}
    left join contacts r on r.id = c.contact_id
    left join campaign_settings s on s.company_id = m.company_id`;
}
