/** The parts of a commit that opens a case, by itself or by the acceptance of a lead. */
import type { Late } from "../../core/answer.ts";
import { makeId } from "../../core/ids.ts";
import { displayName } from "../../customers/accounts/display_name.ts";
import type { FieldAuthor } from "../../db/commit.ts";
import { insert, sql } from "../../db/statements.ts";
import type { TeamFacts } from "../../identity/teams/queries.ts";
import { makeInitial } from "../../records/members.ts";
import type { PathRecord } from "../relations_paths/present.ts";
import { sortKeys } from "./lifecycle.ts";
import type { AttachedFile } from "../case_parts/attachments.ts";
import type { LeadSummary } from "../case_parts/leads.ts";
import type { CaseAccount, CaseContact, FullCase } from "./parts.ts";
import { caseMembers, cases, type CreateCaseBody } from "./record.ts";
import { type CaseWrite, draftCaseEvent, guardShownInCase } from "./write.ts";

/** The number of the case that the batch opens. Pass it as `late` to the commit. */
export const caseNumber: Late = {
  key: "case_number",
  sql: "(select case_number from cases order by seq desc limit 1)",
};

export interface CaseOpening {
  readonly company_id: number;
  readonly team_id: number | null;
  /** Null without a team and for a deleted team. */
  readonly team: TeamFacts | null;
  readonly user_id: number | null;
  readonly user_name: string | null;
  /** The account and contact after the commit. Their statements come before those of the case. */
  readonly account: CaseAccount;
  readonly contact: CaseContact;
  readonly path: PathRecord;
  /** That of `selectFirstValue`. */
  readonly value: number | null;
  /** The lead whose acceptance opens the case, as it is afterwards. */
  readonly lead?: LeadSummary | undefined;
  /** The files of that lead. */
  readonly attachments?: readonly AttachedFile[] | undefined;
  /** What a request says of the case. */
  readonly body?: Omit<CreateCaseBody, "contact_id" | "relations_path_id">;
}

/** Returns a new open case. Pass `late: caseNumber` to its commit. */
export function openCase(author: FieldAuthor, given: CaseOpening): CaseWrite {
  const { account, contact, path, team, lead } = given;
  const created_at = given.body?.created_at ?? author.at;
  const row = {
    ...makeInitial(caseMembers, given.body ?? {}),
    id: makeId(author.now),
    company_id: given.company_id,
    team_id: given.team_id,
    user_id: given.user_id,
    account_id: account.id,
    contact_id: contact.id,
    relations_path_id: path.id,
    estimated_close_date: null,
    decline_reason: null,
    latest_activity_at: null,
    latest_activity_id: null,
    highest_milestone_id: null,
    highest_milestone_type: null,
    highest_milestone_at: null,
    lead_id: lead?.id ?? null,
    lead_type_id: lead?.lead_type_id ?? null,
    lead_source: lead?.lead_source ?? null,
    effective_at: created_at,
    created_by: author.caller?.userId ?? null,
    created_at,
    updated_at: author.at,
    ...sortKeys({ status: "open", created_at, updated_at: author.at, latest_activity_at: null }),
  };
  const of: FullCase = {
    ...row,
    case_number: null,
    user_name: given.user_name,
    account_name: displayName(account),
    first_name: contact.first_name,
    last_name: contact.last_name,
    path_name: path.name,
    path_is_sales_type: path.is_sales_type,
    path_version: path.version,
    value: given.value,
    team,
    milestones: path.activity_types.filter((type) => type.is_milestone === 1)
      .map((type) => ({ ...type, done_at: null })),
    recent_activity: null,
    tasks: [],
    next_automated: null,
    lead: lead ?? null,
    product_details: [],
    attachments: given.attachments ?? [],
    account,
    contact,
  };
  const number = sql`(select last from case_numbers where company_id = ${given.company_id})`;
  return {
    of,
    statements: [
      guardShownInCase(of),
      sql`insert into case_numbers (company_id, last) values (${given.company_id}, 1)
        on conflict (company_id) do update set last = last + 1`,
      insert(cases, { ...row, case_number: number }),
    ],
    event: draftCaseEvent("case_created", of, author),
  };
}
