/** Leads of a deleted case stay, without their reference to it. */
import { type Sql, sql } from "../../db/statements.ts";
import { guardThat, type Statement } from "../../platform/database/database.ts";
import type { PlannedStep, Take } from "../../staged/kind.ts";
import { leadColumns, readLeadRow } from "./parts.ts";
import { changeCasesOfLeads, selectCasesOfLeads } from "./shown_in_cases.ts";
import { changeLead, makeLeadEvents } from "./write.ts";

/** Leads in a step, so that it holds the write lock for well under 100 ms. */
const most = 30;

/**
 * Removes the case from the leads that are or were in it. The cases that these leads are in now show the
 * change.
 */
export function detachLeads(caseId: string, take: Take): PlannedStep {
  const taken = take(
    sql`select l.id from leads l where l.case_id = ${caseId} union
      select m.lead_id from lead_transitions m where m.case_id = ${caseId}`,
    most,
  );
  return {
    reads: [
      sql`select ${leadColumns} from leads where leads.id in (${taken.ids})`,
      ...selectCasesOfLeads({ leads: taken.ids, which: sql`cs.id <> ${caseId}` }),
    ],
    apply(author, [found, ...cases]) {
      const writes = found!.rows.map(readLeadRow).map((before) =>
        changeLead(author, before, before.row.case_id === caseId ? { case_id: null } : {})
      );
      const shown = changeCasesOfLeads(author, writes.map(({ lead }) => lead), cases);
      const ids = JSON.stringify(writes.map(({ lead }) => lead.row.id));
      return {
        statements: [
          ...writes.flatMap(({ statements }) => statements),
          sql`update lead_transitions set case_id = null where case_id = ${caseId}
            and lead_id in (select value from json_each(${ids}))`,
          ...shown.flatMap(({ statements }) => statements),
        ],
        events: [
          ...writes.flatMap(({ lead }) =>
            makeLeadEvents(author, "lead_updated", {
              ...lead,
              transitions: lead.transitions.map((
                each,
              ) => (each.case_id === caseId ? { ...each, case_id: null } : each)),
            })
          ),
          ...shown.map(({ event }) => event),
        ],
        more: writes.length >= taken.most,
      };
    },
  };
}

/** Refuses the batch while a lead names a case of the ids (a select): leads have no foreign key to their case. */
export function guardDetached(cases: Sql): Statement {
  return guardThat(
    "leads",
    sql`not exists (select 1 from leads where case_id in (${cases}))
      and not exists (select 1 from lead_transitions where case_id in (${cases}))`,
  );
}
