/** Reads what an acceptance needs, and decides on its user, customer, path and case. */
import { seesOwned, seesTeam } from "../../core/access.ts";
import { conflict, fieldError, invalid, missingReference } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { type Sql, sql } from "../../db/statements.ts";
import { isNotBeingDeleted } from "../../customers/accounts/being_deleted.ts";
import { checkMatch } from "../../http/conditional.ts";
import type { TeamFacts } from "../../identity/teams/queries.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import { type AttachedFile, parseAttachedFiles, selectAttachedFiles } from "../case_parts/attachments.ts";
import {
  readFullCase,
  selectAccountWithTeam,
  selectContactWithTeam,
  selectOpenCase,
} from "../cases/queries.ts";
import {
  type CaseAccount,
  type CaseContact,
  type FullCase,
  readCaseAccount,
  readCaseContact,
  selectFirstValue,
} from "../cases/parts.ts";
import { type PathRecord, readPathRow } from "../relations_paths/present.ts";
import { selectPathById } from "../relations_paths/queries.ts";
import { checkTeam } from "./access.ts";
import { moveLead, type State } from "./lifecycle.ts";
import { presentLead } from "./present.ts";
import { requireLead, selectLeadById } from "./queries.ts";
import type { LeadRecord } from "./parts.ts";
import type { AcceptBody } from "./schema.ts";

export interface Acceptance {
  readonly lead: LeadRecord;
  readonly team: TeamFacts;
  /** The state of the lead after the acceptance. */
  readonly state: State;
  /** The responsible user, a member of the team. */
  readonly user: { readonly id: number; readonly name: string };
  readonly path: PathRecord;
  /** The value of a case that the acceptance opens. */
  readonly first_value: number | null;
  /** The existing records to merge into; null if new ones are created. */
  readonly account: CaseAccount | null;
  readonly contact: CaseContact | null;
  /** The account of another team that the lead names. Its values are copied into a new account. */
  readonly copied: CaseAccount | null;
  /** The open case of the team for the account. */
  readonly open_case: FullCase | null;
  /** The files of the lead, as the case gets them. */
  readonly files: readonly AttachedFile[];
}

/** The reads of `checkAcceptance`. */
export function selectAcceptance(companyId: number, id: string, body: AcceptBody): Statement[] {
  const account = selectWantedAccount(id, body);
  return [
    selectLeadById(companyId, id),
    selectMembers(id),
    selectAccountWithTeam(account),
    selectContactWithTeam(selectWantedContact(id, body, account)),
    sql`select ${selectAttachedFiles("lead", sql`${id}`)} as files, ${selectFirstValue(companyId)} as value`,
    ...(body.relations_path_id ? [selectPathById(body.relations_path_id, companyId)] : []),
    ...selectOpenCase(companyId, account, sql`select team_id from leads where id = ${id}`),
  ];
}

/** Throws 403 and 409 for the lead, 422 for the body. */
export function checkAcceptance(ctx: Context, body: AcceptBody, results: readonly Result[]): Acceptance {
  const [found, members, accounts, contacts, files, paths] = results;
  const lead = requireLead(ctx, found!);
  checkTeam(ctx.caller, lead);
  checkMatch(ctx, () => presentLead(lead, ctx.now, ctx.fields.seen));
  const state = moveLead(lead.row.state, "accept");
  const { team } = lead;
  if (team === null) {
    throw conflict(
      "lead_state",
      "The lead's team is being deleted; the lead is about to move to another team.",
    );
  }
  const user = chooseUser(ctx, body, lead, members!);
  const path = choosePath(ctx, body, lead, paths!);

  const isChosen = Boolean(body.account_id ?? body.contact_id);
  const account = accounts!.rows[0] ? readCaseAccount(accounts!.rows[0]) : null;
  const contact = contacts!.rows[0] ? readCaseContact(contacts!.rows[0]) : null;
  if (isChosen) checkChosen(ctx, body, account, contact);
  const usable = account !== null && (isChosen || isOwn(lead, team, account)) ? account : null;
  const open = usable ? readFullCase(results.slice(-3)) : null;
  return {
    lead,
    team,
    state,
    user,
    path,
    first_value: files!.rows[0]!.value as number | null,
    account: usable,
    contact: usable ? contact : null,
    copied: usable ? null : account,
    open_case: open,
    files: parseAttachedFiles(files!.rows[0]!.files!)
      .map((file) => ({ ...file, attached_by: ctx.caller.userId, attached_at: ctx.at })),
  };
}

/** SQL: the account that the team's latest acceptance of the lead `l` created or changed, while it exists. */
const earlierAccount = sql`(select own.id from lead_transitions m join accounts own on own.id = m.account_id
  where m.lead_id = l.id and m.kind = 'acception' and m.team_id = l.team_id order by m.id desc limit 1)`;

/** SQL: the same for the contact. */
const earlierContact = sql`(select own.id from lead_transitions m join contacts own on own.id = m.contact_id
  where m.lead_id = l.id and m.kind = 'acception' and m.team_id = l.team_id order by m.id desc limit 1)`;

/** SQL: the account to merge into: of the body, of an earlier acceptance by the team, or of the lead. */
function selectWantedAccount(id: string, body: AcceptBody): Sql {
  return sql`select a.id from leads l, accounts a where a.id = coalesce(${body.account_id ?? null},
    (select c.account_id from contacts c where c.id = ${body.contact_id ?? null}),
    ${earlierAccount},
    l.original_account_id,
    (select c.account_id from contacts c where c.id = l.original_contact_id))
    and ${isNotBeingDeleted(sql`a.id`)} and l.id = ${id}`;
}

/** SQL: the contact to merge into. A consumer's account has only one. */
function selectWantedContact(id: string, body: AcceptBody, account: Sql): Sql {
  const inAccount = (which: Sql) =>
    sql`(select c.id from contacts c where ${which} and c.account_id = (${account}))`;
  return sql`select coalesce(${body.contact_id ?? null}, ${inAccount(sql`c.id = ${earlierContact}`)},
    ${inAccount(sql`c.id = l.original_contact_id`)}, ${inAccount(sql`c.b2c = 1`)})
    from leads l where l.id = ${id}`;
}

function selectMembers(leadId: string): Statement {
  return sql`select u.id, u.first_name || ' ' || u.last_name as name from leads l join team_members m on m.team_id = l.team_id
    join users u on u.id = m.user_id where l.id = ${leadId} and u.deleted_at is null`;
}

/** The user of the body, else the caller, else the lead's user, else the user that the lead type has for the team. */
function chooseUser(
  { caller }: Context,
  body: AcceptBody,
  { row, type }: LeadRecord,
  members: Result,
): Acceptance["user"] {
  const member = (id: number | null | undefined) => {
    const found = members.rows.find((each) => each.id === id);
    return found ? { id: Number(found.id), name: String(found.name) } : null;
  };
  if (body.user_id) {
    const chosen = member(body.user_id);
    if (!chosen) {
      throw invalid(fieldError("user_id", "exists", "There is no such user in the team of the lead."));
    }
    return chosen;
  }
  const setting = type.record.team_settings.find(({ team_id }) => team_id === row.team_id);
  const user = member(caller.userId) ?? member(row.user_id) ?? member(setting?.user_id);
  if (!user) {
    throw invalid(fieldError("user_id", "required", "Required: you are not a member of the lead's team."));
  }
  return user;
}

/** The path of the body, else the path that the lead type has for the team, else its first. */
function choosePath(
  { caller }: Context,
  body: AcceptBody,
  { row, type }: LeadRecord,
  read: Result,
): PathRecord {
  const { relations_paths: paths, team_settings } = type.record;
  if (body.relations_path_id) {
    const found = read.rows[0] ? readPathRow(read.rows[0]) : null;
    const ofType = paths.some(({ id }) => id === body.relations_path_id);
    if (!found || !(ofType || seesOwned(caller, found))) {
      throw invalid(missingReference("relations_path_id", "relations path"));
    }
    return found;
  }
  const setting = team_settings.find(({ team_id }) => team_id === row.team_id);
  const path = paths.find(({ id }) => id === setting?.relations_path_id) ?? paths[0];
  if (!path) throw new Error(`lead type ${type.record.id} has no relations path`);
  return path;
}

function checkChosen(
  { caller }: Context,
  body: AcceptBody,
  account: CaseAccount | null,
  contact: CaseContact | null,
): void {
  const sees = (of: CaseAccount | CaseContact | null) =>
    of !== null && of.company_id === caller.companyId && seesTeam(caller, of.team_id);
  if (body.account_id && !sees(account)) throw invalid(missingReference("account_id", "account"));
  if (body.contact_id && (!sees(contact) || contact?.account_id !== account?.id)) {
    throw invalid(missingReference("contact_id", "contact of the account"));
  }
}

/**
 * Whether the lead's team may merge into an account that the body does not name: one of its own, of its
 * group, or of no team. A lead that was accepted before is merged only into the team's own account, or that
 * of an earlier acceptance by the team.
 */
function isOwn({ transitions }: LeadRecord, team: TeamFacts, account: CaseAccount): boolean {
  if (account.team_id === team.id) return true;
  const accepted = transitions.filter(({ kind }) => kind === "acception");
  if (accepted.some((each) => each.team_id === team.id && each.account_id === account.id)) return true;
  if (accepted.length > 0) return false;
  const group = account.account_team?.group_id ?? null;
  return account.team_id === null || (group !== null && group === team.group_id);
}
