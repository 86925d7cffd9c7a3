/** Hides expired leads: counters leave them out, and their countdowns end. */
import { noContent } from "../../core/answer.ts";
import { formatTimestamp } from "../../core/time.ts";
import { readPresent } from "../../db/ageing.ts";
import { type Author, commit, retrying } from "../../db/commit.ts";
import { selectFieldsOfCompany } from "../../db/custom_values.ts";
import { readCompanyFields } from "../../fields/field_sets.ts";
import { guardVersions, type Sql, sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import type { Statement } from "../../platform/database/database.ts";
import { leadColumns, readLeadRow } from "./parts.ts";
import { changeCasesOfLeads, selectCasesOfLeads } from "./shown_in_cases.ts";

/**
 * Leads in one commit, without cases (`alone`) and with the cases that show them (`shown`), so that it holds
 * the write lock for a short time.
 */
const most = { alone: 250, shown: 50 };

/** Hides the leads that have expired at `now` (epoch milliseconds) and returns their number. */
export async function hideExpired(deps: Deps, now: number): Promise<number> {
  const until = formatTimestamp(now);
  const present = readPresent(deps, now);
  const moment = { deps, now: present, at: formatTimestamp(present) };
  let count = 0;
  for (;;) {
    // A case that shows a countdown changes when the countdown ends.
    const [hidden] = await deps.db.write([
      hideLeads(sql`hidden = 0 and expires_at <= ${until} and (case_id is null or escalates_at is null)
        limit ${most.alone} + 0`),
    ]);
    count += hidden!.changes;
    if (hidden!.changes === 0) break;
  }
  for (;;) {
    const [found] = await deps.db.read([
      sql`select company_id, json_group_array(id) as ids from (select company_id, id from leads
      where hidden = 0 and expires_at <= ${until} limit ${most.shown} + 0) group by company_id`,
    ]);
    if (found!.rows.length === 0) return count;
    for (const { company_id, ids } of found!.rows) {
      count += await retrying(() => hideShown(moment, Number(company_id), String(ids)));
    }
  }
}

/** Hides leads and updates the cases that show them. `ids`: a JSON list of ids of leads of the company. */
async function hideShown(moment: Author, companyId: number, ids: string): Promise<number> {
  const leads = sql`select value from json_each(${ids})`;
  const [defined, found, ...cases] = await moment.deps.db.read([
    selectFieldsOfCompany(companyId),
    sql`select ${leadColumns} from leads where leads.id in (${leads}) and leads.hidden = 0
      and leads.expires_at <= ${moment.at}`,
    ...selectCasesOfLeads({ leads }),
  ]);
  const fields = readCompanyFields(defined!.rows[0]?.fields as string | null ?? null, null);
  const expired = found!.rows.map(readLeadRow);
  const after = expired.map((lead) => ({ ...lead, row: { ...lead.row, escalates_at: null } }));
  const caseWrites = changeCasesOfLeads({ ...moment, fields }, after, cases);
  await commit(moment, {
    companyId,
    statements: [
      guardVersions("leads", expired.map(({ row }) => row)),
      hideLeads(sql`id in (select value from json_each(${JSON.stringify(expired.map(({ row }) => row.id))}))
        limit ${most.shown} + 0`),
      ...caseWrites.flatMap(({ statements }) => statements),
    ],
    events: caseWrites.map(({ event }) => event),
    answer: noContent,
  });
  return expired.length;
}

function hideLeads(which: Sql): Statement {
  return sql`update leads set hidden = 1, escalates_at = null, version = version + 1
    where seq in (select seq from leads where ${which})`;
}
