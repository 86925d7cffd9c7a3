/**
 * What deleted customers have of sales: their cases with all that hangs on those, and their leads. In steps:
 * leads first, then cases, as a case shows its lead.
 */
import type { FieldAuthor } from "../../db/commit.ts";
import { raw, type Sql } from "../../db/statements.ts";
import type { Dependents, Leaving, Taken } from "../../customers/removal/dependents.ts";
import { guardThat, type Result } from "../../platform/database/database.ts";
import { caseReads, takeCases } from "./cases.ts";
import { casesLeaving, leadsKept, leadsLeaving } from "./leaving.ts";
import { leadReads, leadReadsCount, takeLeads } from "./leads.ts";

export const customerDependents: Dependents = {
  amounts(leaving, at) {
    const cases = casesLeaving(leaving);
    const leads = leadsLeaving(leaving);
    const ofCases = (table: string) =>
      raw(`(select count(*) from ${table} where case_id in (${cases.text}))`, ...cases.args);
    return [
      { type: "activity", number: ofCases("activities") },
      { type: "case", number: raw(`(select count(*) from (${cases.text}))`, ...cases.args) },
      {
        type: "lead",
        number: raw(
          `(select count(*) from leads where id in (${leads.text}) and hidden = 0 ` +
            "and (expires_at is null or expires_at > ?))",
          ...leads.args,
          at,
        ),
      },
      { type: "task", number: ofCases("tasks") },
    ];
  },
  reads: (leaving) => [...leadReads(leaving), ...caseReads(leaving)],
  take,
};

/** What is read in full is taken; where there may be more of one kind, the next waits for it. */
function take(author: FieldAuthor, leaving: Leaving, results: readonly Result[]): Taken {
  const leads = takeLeads(author, leaving, results.slice(0, leadReadsCount));
  if (leads.more) return leads;
  const cases = takeCases(author, leaving, results.slice(leadReadsCount));
  return {
    statements: [
      ...leads.statements,
      ...cases.statements,
      ...(cases.more ? [] : [guardNone(leadsLeaving(leaving)), guardNone(leadsKept(leaving))]),
    ],
    events: [...leads.events, ...cases.events],
    more: cases.more,
  };
}

/** Refuses the batch when a lead has come meanwhile: nothing else holds leads to what they name. */
function guardNone({ text, args }: Sql) {
  return guardThat("leads", `not exists (${text})`, args);
}
