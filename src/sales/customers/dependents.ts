/**
 * What deleted customers have of sales: their cases with all that hangs on those, their leads, and
 * their notes. In steps: notes first, then leads, then cases, as a case shows its lead.
 */
import type { FieldAuthor } from "../../db/commit.ts";
import { raw, type Sql } from "../../db/statements.ts";
import type { Dependents, Leaving, Taken } from "../../customers/removal/dependents.ts";
import { guardThat, type Result } from "../../platform/database/database.ts";
import { caseReads, takeCases } from "./cases.ts";
import { casesLeaving, leadsKept, leadsLeaving } from "./leaving.ts";
import { leadReads, leadReadsCount, takeLeads } from "./leads.ts";
import { noteReads, notesLeaving, takeNotes } from "./notes.ts";

export const customerDependents: Dependents = {
  amounts(leaving, at) {
    const cases = casesLeaving(leaving);
    const leads = leadsLeaving(leaving);
    const notes = notesLeaving(leaving);
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
      { type: "note", number: raw(`(select count(*) from (${notes.text}))`, ...notes.args) },
      { type: "task", number: ofCases("tasks") },
      { type: "timeline_event", number: ofCases("timeline_events") },
    ];
  },
  reads: (leaving) => [noteReads(notesLeaving(leaving)), ...leadReads(leaving), ...caseReads(leaving)],
  take,
};

/** What is read in full is taken; where there may be more of one kind, the next waits for it. */
function take(author: FieldAuthor, leaving: Leaving, [found, ...results]: readonly Result[]): Taken {
  const notes = takeNotes(found!);
  if (notes.more) return notes;
  const leads = takeLeads(author, leaving, results.slice(0, leadReadsCount));
  const before = {
    statements: [...notes.statements, ...leads.statements],
    events: [...notes.events, ...leads.events],
  };
  if (leads.more) return { ...before, more: true };
  const cases = takeCases(author, leaving, results.slice(leadReadsCount));
  return {
    statements: [
      ...before.statements,
      ...cases.statements,
      ...(cases.more ? [] : [guardNone(leadsLeaving(leaving)), guardNone(leadsKept(leaving))]),
    ],
    events: [...before.events, ...cases.events],
    more: cases.more,
  };
}

/** Refuses the batch when a lead has come meanwhile: nothing else holds leads to what they name. */
function guardNone({ text, args }: Sql) {
  return guardThat("leads", `not exists (${text})`, args);
}
