/** A case shows the lead that was last accepted into it: where that lead changes or leaves, the case changes too. */
import type { FieldAuthor } from "../../db/commit.ts";
import { rawSql, type Sql, sql, statement } from "../../db/statements.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import { casesAmong, fullCases, notRemoved } from "../cases/queries.ts";
import { type FullCase, leadShown, type LeadSummary } from "../cases/record.ts";
import { type CaseWrite, changedCase } from "../cases/write.ts";
import type { Lead } from "./record.ts";

/** How many statements `casesOfLeads` has. */
export const casesOfLeadsCount = 4;

interface Touched {
  /** A select of the ids of the leads that change. */
  readonly leads: Sql;
  /** Those of them that leave their case or are deleted; none unless given. */
  readonly leaving?: Sql;
  /** A condition on the case `cs`: which of their cases stay as they are but for the lead. */
  readonly which?: Sql;
}

/** Reads what `casesAfter` changes. */
export function casesOfLeads({ leads, leaving = none, which = sql`1` }: Touched): Statement[] {
  const ids = sql`select cs.id from leads l join cases cs on cs.id = l.case_id where l.id in (${leads})
    and ${rawSql(notRemoved("cs.id"))} and ${which}`;
  return [
    statement(
      `select cs.id, ${leadShown(`l.id not in (${leaving.sql})`)} as lead from cases cs ` +
        `where cs.id in (${ids.sql})`,
      ...leaving.args,
      ...ids.args,
    ),
    ...casesAmong(ids),
  ];
}

/**
 * The cases that show something else once the leads are as `after` has them, whose statements come first. `beside`:
 * what else of a case the same batch changes before.
 */
export function casesAfter(
  author: FieldAuthor,
  after: readonly Lead[],
  [shown, ...found]: readonly Result[],
  beside: (of: FullCase) => Partial<FullCase> = () => ({}),
): CaseWrite[] {
  const leads = new Map(after.map((lead) => [lead.row.id, lead]));
  const texts = new Map(shown!.rows.map(({ id, lead }) => [id, lead as string | null]));
  return fullCases(found).flatMap((of) => {
    const text = texts.get(of.id) ?? null;
    const left: LeadSummary | null = text === null ? null : JSON.parse(text);
    const changed = left && leads.get(left.id);
    const lead = changed ? summaryOf(changed) : left;
    if (JSON.stringify(lead) === JSON.stringify(of.lead)) return [];
    return changedCase(author, of, {}, { ...beside(of), lead });
  });
}

/** What a case shows of a lead, in the order of `leadShown`. */
export function summaryOf({ row }: Lead): LeadSummary {
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
