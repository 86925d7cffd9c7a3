/** Leads of a deleted case stay; the reference to the case is removed. */
import type { FieldAuthor } from "../../db/commit.ts";
import type { EventDraft } from "../../db/outbox.ts";
import { sql } from "../../db/statements.ts";
import type { Taken } from "../../customers/removal/dependents.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import { presentLead } from "./present.ts";
import { isExpired, type Lead, leadColumns, leadOfRow } from "./record.ts";
import { casesAfter, casesOfLeads, casesOfLeadsCount } from "./shown_in_cases.ts";
import { changedLead, leadEvent } from "./write.ts";

/** Leads in a step, so that it holds the write lock for well under 100 ms. */
const most = 30;

/** The number of statements of `leadsWithCase`. */
export const leadsWithCaseCount = 1 + casesOfLeadsCount;

/** The reads of `withoutCase`: leads that are or were in the case, and the cases that they are in now. */
export function leadsWithCase(caseId: string): Statement[] {
  const leads = sql`select id from (select l.id from leads l where l.case_id = ${caseId} union
    select m.lead_id from lead_transitions m where m.case_id = ${caseId}) order by id limit ${most}`;
  return [
    sql`select ${leadColumns} from leads where leads.id in (${leads})`,
    ...casesOfLeads({ leads, which: sql`cs.id <> ${caseId}` }),
  ];
}

export function withoutCase(
  author: FieldAuthor,
  [found, ...cases]: readonly Result[],
  caseId: string,
): Taken {
  const { rows } = found!;
  const writes = rows.map(leadOfRow).map((before) => {
    const { row } = before;
    return changedLead(author, before, row.case_id === caseId ? { case_id: null } : {});
  });
  const caseWrites = casesAfter(author, writes.map(({ lead }) => lead), cases);
  const ids = JSON.stringify(writes.map(({ lead }) => lead.row.id));
  return {
    statements: [
      ...writes.flatMap(({ statements }) => statements),
      sql`update lead_transitions set case_id = null where case_id = ${caseId}
        and lead_id in (select value from json_each(${ids}))`,
      ...caseWrites.flatMap(({ statements }) => statements),
    ],
    events: [
      ...writes.flatMap(({ lead }) =>
        eventOf(author, {
          ...lead,
          transitions: lead.transitions.map((each) =>
            each.case_id === caseId ? { ...each, case_id: null } : each
          ),
        })
      ),
      ...caseWrites.map(({ event }) => event),
    ],
    more: rows.length === most,
  };
}

/** An expired lead has no event. */
function eventOf(author: FieldAuthor, lead: Lead): EventDraft[] {
  if (isExpired(lead, author.at)) return [];
  return [leadEvent("lead_updated", lead, presentLead(lead, author.now, author.fields.all))];
}
