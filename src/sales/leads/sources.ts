/** The sources of leads. */
import { ok } from "../../core/answer.ts";
import type { Context } from "../../db/context.ts";
import { composeStreamTerms, makeLeadScope } from "../../db/scope.ts";
import { joinSql, sql } from "../../db/statements.ts";

/** Sources are free text, so a company may have any number of them. */
const most = 200;

/** Lists the sources of the leads that the caller sees, each with its number of leads, the most frequent first. */
export async function listSources({ caller, at, deps }: Context) {
  const { companyId, streams } = makeLeadScope(caller);
  const seen = streams ? sql` and (${joinSql(composeStreamTerms(streams, "l", "+"), " or ")})` : sql``;
  const [found] = await deps.db.readOnThread([
    sql`select l.lead_source, count(*) as n from leads l indexed by leads_by_exact_source
      where l.company_id = ${companyId} and l.hidden = 0 and (l.expires_at is null or l.expires_at > ${at})${seen}
      group by l.lead_source order by n desc, l.lead_source limit ${most}`,
  ], { effort: "scan", company: companyId });
  const data = found!.rows.map(({ lead_source, n }) => ({
    lead_source: String(lead_source),
    count: Number(n),
  }));
  return ok({ data });
}
