/** The first activity of a case, for the leads that wait for it: they are accepted for good. */
import type { FieldAuthor } from "../../db/commit.ts";
import type { EventDraft } from "../../db/outbox.ts";
import { rawSql, sql } from "../../db/statements.ts";
import type { ContactFacts } from "../../customers/contacts/present.ts";
import type { Row, Statement } from "../../platform/database/database.ts";
import { changedLead, leadEvent } from "./change.ts";
import { states, statusOf, table, transition } from "./lifecycle.ts";
import { presentLead } from "./present.ts";
import { isExpired, type Lead, leadOfRow, leadSource } from "./record.ts";

const waiting = states.filter((state) => table[state].first_activity !== undefined);

/** Reads the leads that wait for an activity of the case: rows for `firstActivity`, mostly none or one. */
export function leadsOfCase(caseId: string, companyId: number): Statement {
  return sql`select ${
    rawSql(leadSource.columns)
  } from leads where leads.case_id = ${caseId} and leads.company_id = ${companyId} and leads.hidden = 0
    and leads.state in (select value from json_each(${JSON.stringify(waiting)}))`;
}

/**
 * What an activity made now does to the rows of `leadsOfCase`: parts of the commit that makes it. `contact`
 * is the case's, as that commit leaves it.
 */
export function firstActivity(
  author: FieldAuthor,
  rows: readonly Row[],
  contact: ContactFacts,
): { statements: Statement[]; events: EventDraft[] } {
  const writes = rows.map(leadOfRow).filter((lead) => !isExpired(lead, author.at)).map((lead) => {
    const state = transition(lead.row.state, "first_activity");
    const beside = {
      contact: lead.contact?.id === contact.id ? contact : lead.contact,
      original_contact: lead.original_contact?.id === contact.id ? contact : lead.original_contact,
    };
    return changedLead(author, lead, { state, status: statusOf[state], escalates_at: null }, beside);
  });
  return {
    statements: writes.flatMap(({ statements, lead }) => [...statements, markAcception(lead, author.at)]),
    events: writes.map(({ lead }) => {
      const marked = { ...lead, moves: withFirstActivity(lead, author.at) };
      return leadEvent("lead_updated", marked, presentLead(marked, author.now, author.fields.all));
    }),
  };
}

/** It is the latest acceptance whose case this is. */
function markAcception({ row }: Lead, at: string): Statement {
  return sql`update lead_moves set first_activity_at = ${at} where id =
    (select max(id) from lead_moves where lead_id = ${row.id} and kind = 'acception')`;
}

function withFirstActivity({ moves }: Lead, at: string): Lead["moves"] {
  const latest = moves.findLastIndex(({ kind }) => kind === "acception");
  return moves.map((move, index) => index === latest ? { ...move, first_activity_at: at } : move);
}
