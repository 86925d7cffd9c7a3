/** A case shows the lead that was last accepted into it, so it changes when that lead changes or leaves. */
import type { FieldAuthor } from "../../db/commit.ts";
import { type Sql, sql } from "../../db/statements.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import { isNotRemoved, readFullCases, selectCasesAmong } from "../cases/queries.ts";
import { type LeadSummary, selectShownLead } from "../case_parts/leads.ts";
import type { FullCase } from "../cases/parts.ts";
import { type CaseWrite, changeCase } from "../cases/write.ts";
import type { LeadRecord } from "./parts.ts";

/** The number of statements of `selectCasesOfLeads`. */
export const casesOfLeadsCount = 4;

interface ChangedLeads {
  /** A select of the ids of the leads that change. */
  readonly leads: Sql;
  /** A select of the ids of the leads that leave their case or are deleted; none by default. */
  readonly leaving?: Sql;
  /** SQL: a condition on the cases `cs` to change; all by default. */
  readonly which?: Sql;
}

/** The reads of `changeCasesOfLeads`. */
export function selectCasesOfLeads({ leads, leaving = none, which = sql`1` }: ChangedLeads): Statement[] {
  const ids = sql`select cs.id from leads l join cases cs on cs.id = l.case_id where l.id in (${leads})
    and ${isNotRemoved(sql`cs.id`)} and ${which}`;
  return [
    sql`select cs.id, ${selectShownLead(sql`l.id not in (${leaving})`)} as lead from cases cs
      where cs.id in (${ids})`,
    ...selectCasesAmong(ids),
  ];
}

/**
 * Returns the changes of the cases that show the leads. The leads' own statements come first. `alsoChanged`
 * returns the members of a case that earlier statements of the batch change.
 */
export function changeCasesOfLeads(
  author: FieldAuthor,
  after: readonly LeadRecord[],
  [shown, ...found]: readonly Result[],
  alsoChanged: (of: FullCase) => Partial<FullCase> = () => ({}),
): CaseWrite[] {
  const leads = new Map(after.map((lead) => [lead.row.id, lead]));
  const texts = new Map(shown!.rows.map(({ id, lead }) => [id, lead as string | null]));
  return readFullCases(found).flatMap((of) => {
    const text = texts.get(of.id) ?? null;
    const remaining: LeadSummary | null = text === null ? null : JSON.parse(text);
    const changed = remaining && leads.get(remaining.id);
    const lead = changed ? presentSummary(changed) : remaining;
    if (JSON.stringify(lead) === JSON.stringify(of.lead)) return [];
    return changeCase(author, of, {}, { ...alsoChanged(of), lead });
  });
}

/** The lead as a case shows it, with members in the order of `selectShownLead`. */
export function presentSummary({ row }: LeadRecord): LeadSummary {
  return {
    id: row.id,
    lead_type_id: row.lead_type_id,
    interest: row.interest,
    lead_source: row.lead_source,
    lead_data: row.lead_data,
    escalates_at: row.escalates_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

const none = sql`select null where 0`;
