/** Case → wire shapes: in full, and shorter for lists. */
import type { z } from "zod";
import { presentAccount } from "../../customers/accounts/present.ts";
import type { Fields } from "../../fields/field_sets.ts";
import type { Wire } from "../../http/endpoint.ts";
import { composeContactName, presentContact } from "../../customers/contacts/present.ts";
import { presentEmbeddedTeam } from "../../identity/teams/present.ts";
import type { TeamFacts } from "../../identity/teams/queries.ts";
import { presentActivity, presentLatest } from "../case_parts/activities.ts";
import { presentNextAutomated } from "../case_parts/automated.ts";
import { presentAttachedFiles } from "../case_parts/attachments.ts";
import { omitLeadData, presentLeadSummary } from "../case_parts/leads.ts";
import { presentDetails } from "../case_parts/product_details.ts";
import { presentTask } from "../tasks/record.ts";
import type { CaseRecord, FullCase } from "./parts.ts";
import type { CaseEntry } from "./schema.ts";

/** The members that all forms of a case show alike. */
type SharedMembers = Omit<
  Wire<z.output<typeof CaseEntry>>,
  "id" | "case_number" | "status" | "account" | "contact" | "relations_paths" | "attachments"
>;

/** The moment of the answer, for time zones and tasks. */
export interface Moment {
  /** Epoch milliseconds. */
  readonly now: number;
  /** The same as a wire timestamp. */
  readonly at: string;
}

/** The Case record with the given fields of its customer. */
export function presentCase(of: FullCase, moment: Moment, fields: Fields) {
  const path = { id: of.relations_path_id, name: of.path_name, is_sales_type: of.path_is_sales_type === 1 };
  return {
    ...presentHead(of),
    account: {
      ...presentAccount(of.account, fields),
      team: teamOrNull(of.account.account_team, moment),
    },
    contact: {
      ...presentContact(of.contact, fields),
      team_id: of.contact.team_id,
      team: teamOrNull(of.contact.contact_team, moment),
    },
    relations_path: path,
    ...presentRest(of, moment, presentAttachedFiles(of.attachments)),
  };
}

/** A case in a list. */
export function presentCaseEntry(of: CaseRecord, moment: Moment) {
  return { ...presentEntry(of), ...presentRest(of, moment, null) };
}

/** A case in a short row of a list: the team by name, and no data of the lead. */
export function presentBriefCase(of: CaseRecord, moment: Moment) {
  return {
    ...presentEntry(of),
    ...presentRest(of, moment, null),
    team: of.team && { id: of.team.id!, name: of.team.name },
    lead: of.lead && omitLeadData(of.lead),
  };
}

function presentEntry(of: CaseRecord) {
  return {
    ...presentHead(of),
    account: { id: of.account_id, name: of.account_name },
    contact: { id: of.contact_id, name: composeContactName(of) },
    relations_paths: {
      id: of.relations_path_id,
      name: of.path_name,
      is_sales_type: of.path_is_sales_type === 1,
    },
  };
}

function presentHead(of: CaseRecord) {
  return { id: of.id, case_number: of.case_number ?? 0, status: of.status };
}

function presentRest<A>(
  of: CaseRecord,
  moment: Moment,
  attachments: A,
): SharedMembers & { readonly attachments: A } {
  const done = of.milestones.filter((milestone) => milestone.done_at !== null);
  const latest = done.reduce<typeof done[number] | null>(
    (last, each) => (last === null || each.done_at! >= last.done_at! ? each : last),
    null,
  );
  const next = of.tasks.find((task) => task.completed_at === null);
  return {
    user: of.user_id === null ? null : { id: of.user_id, name: of.user_name ?? "" },
    team_id: of.team_id,
    team: teamOrNull(of.team, moment),
    value: of.value,
    milestones: of.milestones.map(({ id, name, done_at }) => ({ id, name, done: done_at !== null })),
    latest_activity_at: of.latest_activity_at,
    latest_activity: presentLatest(of.recent_activity),
    latest_milestone_name: latest?.name ?? null,
    recent_activity: of.recent_activity ? presentActivity(of.recent_activity, moment.at) : null,
    chance_of_success: of.chance_of_success,
    estimated_close_date: of.estimated_close_date,
    decline_reason: of.decline_reason,
    activity_count: of.activity_count,
    next_task: next ? { type: next.type, start_at: next.start_at, end_at: next.end_at } : null,
    next_pending_automated_communication: presentNextAutomated(of.next_automated),
    lead: of.lead ? presentLeadSummary(of.lead) : null,
    product_details: presentDetails(of.product_details),
    tasks: of.tasks.map((task) => presentTask(task, moment.at)),
    attachments,
    stock_vehicle_id: of.stock_vehicle_id,
    lead_source: of.lead?.lead_source ?? of.lead_source,
    escalates_at: of.lead?.escalates_at ?? null,
    created_at: of.created_at,
    updated_at: of.updated_at,
  };
}

function teamOrNull(team: TeamFacts | null, moment: Moment) {
  return team ? presentEmbeddedTeam(team, moment.now) : null;
}
