/** The first activity of a case makes the acceptance of its leads final. */
import type { FieldAuthor } from "../../db/commit.ts";
import type { EventDraft } from "../../db/outbox.ts";
import { sql } from "../../db/statements.ts";
import type { ContactFacts } from "../../customers/contacts/present.ts";
import type { Row, Statement } from "../../platform/database/database.ts";
import { moveLead, nextLeadStates, states, statusOf } from "./lifecycle.ts";
import { presentLead } from "./present.ts";
import { isExpired, leadColumns, type LeadRecord, readLeadRow } from "./parts.ts";
import { changeLead, draftLeadEvent } from "./write.ts";

const waitingStates = states.filter((state) => nextLeadStates[state].first_activity !== undefined);

/** Reads the leads that wait for an activity of the case: rows for `applyFirstActivity`, at most a few. */
export function selectWaitingLeads(caseId: string, companyId: number): Statement {
  return sql`select ${leadColumns} from leads where leads.case_id = ${caseId} and leads.company_id = ${companyId} and leads.hidden = 0
    and leads.state in (select value from json_each(${JSON.stringify(waitingStates)}))`;
}

/**
 * Changes the leads of `selectWaitingLeads` for an activity that is created now. `contact` is the contact of the case as
 * the same commit leaves it.
 */
export function applyFirstActivity(
  author: FieldAuthor,
  rows: readonly Row[],
  contact: ContactFacts,
): { statements: Statement[]; events: EventDraft[] } {
  const writes = rows.map(readLeadRow).filter((lead) => !isExpired(lead, author.at)).map((lead) => {
    const state = moveLead(lead.row.state, "first_activity");
    const shown = {
      contact: lead.contact?.id === contact.id ? contact : lead.contact,
      original_contact: lead.original_contact?.id === contact.id ? contact : lead.original_contact,
    };
    return changeLead(author, lead, { state, status: statusOf[state], escalates_at: null }, shown);
  });
  return {
    statements: writes.flatMap((
      { statements, lead },
    ) => [...statements, recordFirstActivity(lead, author)]),
    events: writes.map(({ lead }) => {
      const marked = { ...lead, transitions: withFirstActivity(lead, author.at) };
      return draftLeadEvent("lead_updated", marked, presentLead(marked, author.now, author.fields.all));
    }),
  };
}

/** Records the first activity in the latest acceptance, to which the case belongs. */
function recordFirstActivity({ row }: LeadRecord, { at, caller }: FieldAuthor): Statement {
  return sql`update lead_transitions set first_activity_at = ${at},
    first_activity_by = ${caller?.userId ?? null} where id =
    (select max(id) from lead_transitions where lead_id = ${row.id} and kind = 'acception')`;
}

function withFirstActivity({ transitions }: LeadRecord, at: string): LeadRecord["transitions"] {
  const latest = transitions.findLastIndex(({ kind }) => kind === "acception");
  return transitions.map((each, index) => index === latest ? { ...each, first_activity_at: at } : each);
}
