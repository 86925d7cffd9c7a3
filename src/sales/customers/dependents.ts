/**
 * What deleted customers have of sales: their cases with all that hangs on those, their leads, and
 * their notes. In steps: notes first, then leads, then cases, as a case shows its lead.
 */
import type { FieldAuthor } from "../../db/commit.ts";
import { rawSql, type Sql, sql, statement } from "../../db/statements.ts";
import type { Dependents, Selection, Taken } from "../../customers/removal/dependents.ts";
import { guardThat, type Result } from "../../platform/database/database.ts";
import { caseReads, takeCases } from "./cases.ts";
import { notesKept, notesLeaving, remainingLeads, selectedCases, selectedLeads } from "./selection.ts";
import { leadReads, leadReadsCount, takeLeads } from "./leads.ts";
import { keepNotes, noteReads, takeNotes } from "./notes.ts";

export const customerDependents: Dependents = {
  amounts(leaving, at) {
    const cases = selectedCases(leaving);
    const leads = selectedLeads(leaving);
    const notes = notesLeaving(leaving);
    const ofCases = (table: string) =>
      sql`(select count(*) from ${rawSql(table)} where case_id in (${cases}))`;
    return [
      { type: "activity", number: ofCases("activities") },
      { type: "case", number: sql`(select count(*) from (${cases}))` },
      {
        type: "lead",
        number: sql`(select count(*) from leads where id in (${leads}) and hidden = 0
          and (expires_at is null or expires_at > ${at}))`,
      },
      { type: "note", number: sql`(select count(*) from (${notes}))` },
      { type: "task", number: ofCases("tasks") },
      { type: "timeline_event", number: ofCases("timeline_events") },
    ];
  },
  reads: (leaving) => [
    noteReads(notesLeaving(leaving)),
    noteReads(notesKept(leaving)),
    ...leadReads(leaving),
    ...caseReads(leaving),
  ],
  take,
};

/** What is read in full is taken; where there may be more of one kind, the next waits for it. */
function take(author: FieldAuthor, leaving: Selection, [gone, kept, ...results]: readonly Result[]): Taken {
  const notes = joined(takeNotes(gone!), keepNotes(author, kept!));
  if (notes.more) return notes;
  const before = joined(notes, takeLeads(author, leaving, results.slice(0, leadReadsCount)));
  if (before.more) return before;
  const all = joined(before, takeCases(author, leaving, results.slice(leadReadsCount)));
  if (all.more) return all;
  const guards = [guardNone(selectedLeads(leaving)), guardNone(remainingLeads(leaving))];
  return { ...all, statements: [...all.statements, ...guards] };
}

function joined(one: Taken, other: Taken): Taken {
  return {
    statements: [...one.statements, ...other.statements],
    events: [...one.events, ...other.events],
    more: one.more || other.more,
  };
}

/** Refuses the batch when a lead has come meanwhile: nothing else holds leads to what they name. */
function guardNone({ sql: text, args }: Sql) {
  return guardThat("leads", statement(`not exists (${text})`, ...args));
}
