/** Leads that have expired: counters leave them out, and their countdowns end without a move. */
import { noContent } from "../../core/answer.ts";
import { formatTimestamp } from "../../core/time.ts";
import { type Author, commit, retrying } from "../../db/commit.ts";
import { fieldsOfCompany } from "../../db/custom_values.ts";
import { companyFields } from "../../db/fields.ts";
import { guardVersions } from "../../db/guards.ts";
import { rawSql, sql, statement } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import type { Statement } from "../../platform/database/database.ts";
import { leadOfRow, leadSource } from "./record.ts";
import { casesAfter, casesOfLeads } from "./shown_in_cases.ts";

/** Leads in one commit, alone and with cases that show them: few enough for the write lock. */
const most = { alone: 250, shown: 50 };

/** Marks the leads that have expired at `now` (epoch milliseconds); gives how many. */
export async function hideExpired(deps: Deps, now: number): Promise<number> {
  const at = formatTimestamp(now);
  let count = 0;
  for (;;) {
    // A case that shows a countdown changes when that ends.
    const [hidden] = await deps.db.write([
      hide(
        "hidden = 0 and expires_at <= ? and (case_id is null or escalates_at is null) limit ? + 0",
        at,
        most.alone,
      ),
    ]);
    count += hidden!.changes;
    if (hidden!.changes === 0) break;
  }
  for (;;) {
    const [found] = await deps.db.read([
      sql`select company_id, json_group_array(id) as ids from (select company_id, id from leads
      where hidden = 0 and expires_at <= ${at} limit ${most.shown} + 0) group by company_id`,
    ]);
    if (found!.rows.length === 0) return count;
    for (const { company_id, ids } of found!.rows) {
      count += await retrying(() => hideShown({ deps, now, at }, Number(company_id), String(ids)));
    }
  }
}

/** `ids`: a JSON list of leads of the company. */
async function hideShown(moment: Author, companyId: number, ids: string): Promise<number> {
  const leads = sql`select value from json_each(${ids})`;
  const [defined, found, ...cases] = await moment.deps.db.read([
    fieldsOfCompany(companyId),
    sql`select ${rawSql(leadSource.columns)} from leads where leads.id in (${leads}) and leads.hidden = 0
      and leads.expires_at <= ${moment.at}`,
    ...casesOfLeads({ leads }),
  ]);
  const fields = companyFields(defined!.rows[0]?.fields as string | null ?? null, null);
  const expired = found!.rows.map(leadOfRow);
  const after = expired.map((lead) => ({ ...lead, row: { ...lead.row, escalates_at: null } }));
  const shown = casesAfter({ ...moment, fields }, after, cases);
  await commit(moment, {
    companyId,
    statements: [
      guardVersions("leads", expired.map(({ row }) => row)),
      hide(
        "id in (select value from json_each(?)) limit ? + 0",
        JSON.stringify(expired.map(({ row }) => row.id)),
        most.shown,
      ),
      ...shown.flatMap(({ statements }) => statements),
    ],
    events: shown.map(({ event }) => event),
    answer: noContent,
  });
  return expired.length;
}

function hide(which: string, ...args: readonly [string, number]): Statement {
  return statement(
    "update leads set hidden = 1, escalates_at = null, version = version + 1 where seq in " +
      `(select seq from leads where ${which})`,
    ...args,
  );
}
