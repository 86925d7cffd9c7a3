/** A case with the parts of other records that it shows. */
import type { Context } from "../../db/context.ts";
import { selectColumns, type Sql, sql } from "../../db/statements.ts";
import type { Row } from "../../platform/database/database.ts";
import { composeDisplayName } from "../../customers/accounts/display_name.ts";
import { type AccountFacts, readAccountRow } from "../../customers/accounts/present.ts";
import { type ContactFacts, readContactRow } from "../../customers/contacts/present.ts";
import { parseTeam, selectTeamJson, type TeamFacts } from "../../identity/teams/queries.ts";
import { type ActivityRecord, parseActivity, recentActivityOfCase } from "../case_parts/activities.ts";
import { type NextAutomated, parseNextAutomated, selectNextAutomated } from "../case_parts/automated.ts";
import type { AttachedFile } from "../case_parts/attachments.ts";
import { type LeadSummary, selectShownLead } from "../case_parts/leads.ts";
import { detailsOfCase, type ProductDetail } from "../case_parts/product_details.ts";
import { tasksOfCase } from "../case_parts/tasks.ts";
import type { TaskRecord } from "../tasks/record.ts";
import { type CaseRow, cases } from "./record.ts";

/** A milestone of the case's path, with the time when the case did it. */
export interface MilestoneState {
  readonly id: string;
  readonly name: string;
  readonly type: string | null;
  readonly sort_order: number;
  readonly chance_of_success: number | null;
  readonly done_at: string | null;
}

/** Names of other records that lists of cases show. */
export interface CaseNames {
  readonly user_name: string | null;
  /** The display name. */
  readonly account_name: string | null;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly path_name: string;
  readonly path_is_sales_type: number;
  readonly path_version: number;
}

export interface CaseRecord extends Omit<CaseRow, "seq" | "case_number">, CaseNames {
  /** Null until the batch that opens the case assigns it. */
  readonly case_number: number | null;
  readonly team: TeamFacts | null;
  /** In the order of the path, including retired ones that the case has done. */
  readonly milestones: readonly MilestoneState[];
  readonly recent_activity: ActivityRecord | null;
  /** By start. */
  readonly tasks: readonly TaskRecord[];
  readonly next_automated: NextAutomated | null;
  readonly lead: LeadSummary | null;
  /** The details of all activities, by time. */
  readonly product_details: readonly ProductDetail[];
  /** What the products come to; null in a company that does not calculate prices. */
  readonly value: number | null;
}

/** An account or a contact with its team, as a full case shows them. */
export type CaseAccount = AccountFacts & { readonly account_team: TeamFacts | null };
export type CaseContact = ContactFacts & { readonly contact_team: TeamFacts | null };

/** A case as GET shows it. */
export interface FullCase extends CaseRecord {
  /** The newest first. */
  readonly attachments: readonly AttachedFile[];
  readonly account: CaseAccount;
  readonly contact: CaseContact;
}

const milestonesJson = sql`(select json_group_array(json_object('id', t.id, 'name', t.name, 'type', t.type,
  'sort_order', t.sort_order, 'chance_of_success', t.chance_of_success, 'done_at', m.done_at)
  order by t.sort_order, t.id) from activity_types t
  left join case_milestones m on m.case_id = cs.id and m.activity_type_id = t.id
  where t.relations_path_id = cs.relations_path_id and t.is_milestone = 1
  and (t.retired_at is null or m.done_at is not null))`;

/** SQL: what the products of the case `cs` come to. */
const caseValue = sql`(select iif(valued.product_mode = 'simple', null, cs.offer_value)
  from companies valued where valued.id = cs.company_id)`;

/** SQL: the value of a case without products, for `openCase`. */
export function selectFirstValue(companyId: number): Sql {
  return sql`(select iif(product_mode = 'simple', null, 0) from companies where id = ${companyId})`;
}

/** Returns whether the caller's company shows no values of cases. */
export async function hidesValues({ caller, deps }: Pick<Context, "caller" | "deps">): Promise<boolean> {
  const [found] = await deps.db.read([
    sql`select product_mode = 'simple' as hides from companies where id = ${caller.companyId}`,
  ]);
  return found!.rows[0]?.hides === 1;
}

/** Select list and joins over the alias `cs`; rows are read by `readCaseRow`. */
export const caseColumns = sql`${selectColumns(cases, "cs")},
  cs_user.first_name || ' ' || cs_user.last_name as user_name, cs_contact.first_name, cs_contact.last_name,
  cs_path.name as path_name, cs_path.is_sales_type as path_is_sales_type, cs_path.version as path_version,
  ${selectTeamJson(sql`cs.team_id`)} as team, ${milestonesJson} as milestones,
  ${recentActivityOfCase} as recent_activity, ${tasksOfCase} as tasks,
  ${selectNextAutomated(sql`cs.id`)} as next_automated, ${selectShownLead()} as lead,
  ${detailsOfCase} as product_details, ${composeDisplayName("cs_account")} as account_name,
  ${caseValue} as value`;

export const caseJoins = sql`left join users cs_user on cs_user.id = cs.user_id
  left join accounts cs_account on cs_account.id = cs.account_id
  left join contacts cs_contact on cs_contact.id = cs.contact_id
  left join relations_paths cs_path on cs_path.id = cs.relations_path_id`;

export function readCaseRow(row: Row): CaseRecord {
  return {
    ...row,
    team: parseTeamFacts(row.team!),
    milestones: JSON.parse(row.milestones as string),
    recent_activity: parseActivity(row.recent_activity!),
    tasks: JSON.parse(row.tasks as string),
    next_automated: parseNextAutomated(row.next_automated),
    lead: row.lead === null ? null : JSON.parse(row.lead as string),
    product_details: JSON.parse(row.product_details as string),
  } as CaseRecord;
}

/** Reads a row of `selectAccountWithTeam`. */
export function readCaseAccount(row: Row): CaseAccount {
  return { ...readAccountRow(row), account_team: parseTeamFacts(row.account_team!) };
}

/** Reads a row of `selectContactWithTeam`. */
export function readCaseContact(row: Row): CaseContact {
  return { ...readContactRow(row), contact_team: parseTeamFacts(row.contact_team!) };
}

/** Reads the JSON of `selectTeamJson`. */
export function parseTeamFacts(json: Row[string]): TeamFacts | null {
  return json === null ? null : parseTeam(json);
}
