/** Ends the e-mails to a contact. */
import { noContent } from "../../core/answer.ts";
import { formatTimestamp } from "../../core/time.ts";
import { commit, retrying } from "../../db/commit.ts";
import { selectFieldsOfCompany } from "../../db/custom_values.ts";
import { readCompanyFields } from "../../fields/field_sets.ts";
import { insertFact } from "../../facts/facts.ts";
import { type Sql, sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import { readContactRow } from "../../customers/contacts/present.ts";
import { selectContactById } from "../../customers/contacts/queries.ts";
import { isUntouched } from "../../identity/companies/begin_erasure.ts";
import { refuseAddress } from "../../customers/refusals/refusals.ts";
import { changeContact } from "../../customers/contacts/write.ts";
import type { Statement } from "../../platform/database/database.ts";
import type { Unsubscribing } from "./links.ts";

/** Returns the company's name; null when the company is erased. A deleted one may come back. */
export async function readCompanyOfLink({ db }: Deps, { companyId }: Unsubscribing): Promise<string | null> {
  const [found] = await db.read([
    sql`select c.name from companies c where c.id = ${companyId} and ${isUntouched}`,
  ]);
  return found!.rows[0]?.name as string | undefined ?? null;
}

/**
 * Refuses the address of the link, and sets the contact's consent to e-mails to false, with the event. A contact
 * that has refused already, is gone, or is of a deleted company stays as it is; its address is refused all the same.
 */
export async function unsubscribe(
  deps: Deps,
  { companyId, contactId, aboutId, email }: Unsubscribing,
): Promise<void> {
  if (contactId === null) return;
  await retrying(async () => {
    const now = deps.clock.now();
    const [defined, found, company] = await deps.db.read([
      selectFieldsOfCompany(companyId),
      selectContactById(companyId, contactId),
      sql`select c.deleted_at from companies c where c.id = ${companyId} and ${isUntouched}`,
    ]);
    const row = found!.rows[0];
    const current = company!.rows[0];
    if (!current) return;
    const before = row ? readContactRow(row) : null;
    const address = email ?? before?.email;
    const refused = address
      ? [refuseAddress(deps, { company_id: companyId, email: address }, "unsubscribed", formatTimestamp(now))]
      : [];
    const stays = before === null || before.consent_email === 0 || current.deleted_at !== null;
    if (stays) return void await deps.db.write(refused);
    const fields = readCompanyFields(defined!.rows[0]?.fields as string | null ?? null, null);
    const author = { deps, now, at: formatTimestamp(now), fields };
    const { statements, event } = changeContact(author, before, {}, {}, { email: { consent_given: false } });
    await commit(author, {
      companyId,
      statements: [...statements, ...refused, recordUnsubscribe(now, companyId, aboutId)],
      events: [event],
      answer: noContent,
    });
  });
}

/** Records the fact that a link withdrew a consent, for the user and the team of its campaign. */
function recordUnsubscribe(now: number, company_id: number, aboutId: string): Statement {
  const of = (column: Sql) =>
    sql`(select ${column} from campaigns where id = ${aboutId} and company_id = ${company_id})`;
  return insertFact(now, {
    kind: "unsubscribed",
    company_id,
    user_id: of(sql`user_id`),
    team_id: of(sql`team_id`),
  });
}
