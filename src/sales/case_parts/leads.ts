/** The lead that a case shows: its record, SQL and wire shape. */
import { type Sql, sql } from "../../db/statements.ts";
import type { LeadDataLine } from "./schema.ts";

/** The lead that was last accepted into a case, as the case shows it. */
export interface LeadSummary {
  readonly id: string;
  readonly lead_type_id: string;
  readonly interest: string | null;
  readonly lead_source: string;
  /** JSON text. */
  readonly lead_data: string;
  readonly escalates_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** SQL: the summary of the lead `l` that was last accepted into the case `cs`, among those that match `which`. */
export function selectShownLead(which: Sql = sql`1`): Sql {
  return sql`(select json_object('id', l.id, 'lead_type_id', l.lead_type_id, 'interest', l.interest,
    'lead_source', l.lead_source, 'lead_data', l.lead_data, 'escalates_at', l.escalates_at,
    'created_at', l.created_at, 'updated_at', l.updated_at)
    from lead_transitions accepted join leads l on l.id = accepted.lead_id and l.case_id = cs.id
    where accepted.case_id = cs.id and accepted.kind = 'acception' and l.deleted_at is null and ${which}
    order by accepted.id desc limit 1)`;
}

export function presentLeadSummary(lead: LeadSummary) {
  return {
    id: lead.id,
    lead_type_id: lead.lead_type_id,
    interest: lead.interest,
    lead_source: lead.lead_source,
    lead_data: JSON.parse(lead.lead_data) as readonly LeadDataLine[],
    escalates_at: lead.escalates_at,
    created_at: lead.created_at,
    updated_at: lead.updated_at,
  };
}

/** The same without its data, for short rows. */
export function omitLeadData({ lead_data: _, ...lead }: LeadSummary) {
  return lead;
}
