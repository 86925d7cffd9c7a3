/** Leads whose case is deleted: they stay as they are, and name it no more. */
import type { FieldAuthor } from "../../db/commit.ts";
import type { EventDraft } from "../../db/outbox.ts";
import { type Sql, statement } from "../../db/statements.ts";
import type { Taken } from "../../customers/removal/dependents.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import { changedLead, leadEvent } from "./change.ts";
import { presentLead } from "./present.ts";
import { isExpired, type Lead, leadOfRow, leadSource } from "./record.ts";

/** In a step: few enough that it holds the write lock for well under 100 ms. */
const most = 30;

/** Reads what `withoutCase` takes: leads that are in one of the cases (a select of ids), or once were. */
export function leadsWithCase({ text, args }: Sql): Statement {
  return statement(
    `select ${leadSource.columns} from leads where leads.id in (select id from (` +
      `select l.id from leads l where l.case_id in (${text}) union ` +
      `select m.lead_id from lead_moves m where m.case_id in (${text})) order by id limit ${most})`,
    ...args,
    ...args,
  );
}

export function withoutCase(author: FieldAuthor, { rows }: Result, caseId: string): Taken {
  const writes = rows.map(leadOfRow).map((before) => {
    const { row } = before;
    return changedLead(author, before, row.case_id === caseId ? { case_id: null } : {});
  });
  const ids = JSON.stringify(writes.map(({ lead }) => lead.row.id));
  return {
    statements: [
      ...writes.flatMap(({ statements }) => statements),
      statement(
        "update lead_moves set case_id = null where case_id = ? " +
          "and lead_id in (select value from json_each(?))",
        caseId,
        ids,
      ),
    ],
    events: writes.flatMap(({ lead }) =>
      eventOf(author, {
        ...lead,
        moves: lead.moves.map((move) => (move.case_id === caseId ? { ...move, case_id: null } : move)),
      })
    ),
    more: rows.length === most,
  };
}

/** None of a lead that has expired, and so is nowhere. */
function eventOf(author: FieldAuthor, lead: Lead): EventDraft[] {
  if (isExpired(lead, author.at)) return [];
  return [leadEvent("lead_updated", lead, presentLead(lead, author.now, author.fields.all))];
}
