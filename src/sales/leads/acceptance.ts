/** What an acceptance reads, and what it decides on: who takes the lead, for which customer, into which case. */
import { seesTeam } from "../../core/access.ts";
import { conflict, fieldError, invalid, missingReference } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { raw, rawSql, type Sql, sql } from "../../db/statements.ts";
import { notBeingDeleted } from "../../customers/removal/selection.ts";
import { checkMatch } from "../../http/conditional.ts";
import type { TeamFacts } from "../../identity/teams/queries.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import { accountWithTeam, contactWithTeam, fullCase, openCaseOf } from "../cases/queries.ts";
import {
  type CaseAccount,
  caseAccountOf,
  type CaseContact,
  caseContactOf,
  type FullCase,
} from "../cases/record.ts";
import { pathOfRow, type PathRecord } from "../paths/present.ts";
import { pathById, seesOwned } from "../paths/queries.ts";
import { type State, transition } from "./lifecycle.ts";
import { checkTeam } from "./transitions.ts";
import { presentLead } from "./present.ts";
import { leadById, leadOf } from "./queries.ts";
import type { Lead } from "./record.ts";
import type { AcceptBody } from "./schema.ts";

export interface Acceptance {
  readonly lead: Lead;
  readonly team: TeamFacts;
  /** Where the acceptance leads to. */
  readonly state: State;
  /** Who takes it: a member of the team. */
  readonly user: { readonly id: number; readonly name: string };
  readonly path: PathRecord;
  /** The existing records to merge into; null: new ones are made. */
  readonly account: CaseAccount | null;
  readonly contact: CaseContact | null;
  /** The account that the lead named, itself or by its contact, where that is others' and a new one is made after it. */
  readonly copied: CaseAccount | null;
  /** The case that the team has open for the account. */
  readonly open_case: FullCase | null;
}

/** The batch that `acceptanceOf` reads. */
export function acceptanceReads(companyId: number, id: string, body: AcceptBody): Statement[] {
  const account = accountSought(id, body);
  return [
    leadById(companyId, id),
    membersOfTeam(id),
    accountWithTeam(account),
    contactWithTeam(contactSought(id, body, account)),
    ...(body.relations_path_id ? [pathById(body.relations_path_id, companyId)] : []),
    ...openCaseOf(companyId, account, sql`select team_id from leads where id = ${id}`),
  ];
}

/** Throws 403 and 409 by the lead, 422 by the body. */
export function acceptanceOf(ctx: Context, body: AcceptBody, results: readonly Result[]): Acceptance {
  const [found, members, accounts, contacts, paths] = results;
  const lead = leadOf(ctx, found!);
  checkTeam(ctx.caller, lead);
  checkMatch(ctx, () => presentLead(lead, ctx.now, ctx.fields.seen));
  const state = transition(lead.row.state, "accept");
  const { team } = lead;
  if (team === null) {
    throw conflict("lead_state", "The lead's team is deleted, and another about to get the lead.");
  }
  const user = userOf(ctx, body, lead, members!);
  const path = pathOf(ctx, body, lead, paths!);

  const named = Boolean(body.account_id ?? body.contact_id);
  const account = accounts!.rows[0] ? caseAccountOf(accounts!.rows[0]) : null;
  const contact = contacts!.rows[0] ? caseContactOf(contacts!.rows[0]) : null;
  if (named) checkNamed(ctx, body, account, contact);
  const usable = account !== null && (named || isOwn(lead, team, account)) ? account : null;
  const open = usable ? fullCase(results.slice(-3)) : null;
  return {
    lead,
    team,
    state,
    user,
    path,
    account: usable,
    contact: usable ? contact : null,
    copied: usable ? null : account,
    open_case: open,
  };
}

/** SQL: the account or contact that the team made of the lead `l` when it accepted it before, while there is one. */
const ownBefore = (kind: "account" | "contact") =>
  `(select own.id from lead_moves m join ${kind}s own on own.id = m.${kind}_id where m.lead_id = l.id ` +
  "and m.kind = 'acception' and m.team_id = l.team_id order by m.id desc limit 1)";

/**
 * SQL: the account to merge into, by the body, else what the team made of the lead before, else by the lead; a
 * contact implies its account.
 */
function accountSought(id: string, body: AcceptBody): Sql {
  return sql`select a.id from leads l, accounts a where a.id = coalesce(${body.account_id ?? null},
    (select c.account_id from contacts c where c.id = ${body.contact_id ?? null}), ${
    rawSql(ownBefore("account"))
  },
    l.original_account_id,
    (select c.account_id from contacts c where c.id = l.original_contact_id))
    and ${rawSql(notBeingDeleted("a.id"))} and l.id = ${id}`;
}

/** SQL: the contact to merge into; a consumer's account has only the one. */
function contactSought(id: string, body: AcceptBody, account: Sql): Sql {
  const inAccount = (which: string) =>
    `(select c.id from contacts c where ${which} and c.account_id = (${account.sql}))`;
  return raw(
    `select coalesce(?, ${inAccount(`c.id = ${ownBefore("contact")}`)}, ` +
      `${inAccount("c.id = l.original_contact_id")}, ${inAccount("c.b2c = 1")}) from leads l where l.id = ?`,
    body.contact_id ?? null,
    ...account.args,
    ...account.args,
    ...account.args,
    id,
  );
}

function membersOfTeam(leadId: string): Statement {
  return sql`select u.id, u.first_name || ' ' || u.last_name as name from leads l join team_members m on m.team_id = l.team_id
    join users u on u.id = m.user_id where l.id = ${leadId} and u.deleted_at is null`;
}

/** The user of the body, else the caller; for an admin from outside the lead's user, else the type's for the team. */
function userOf(
  { caller }: Context,
  body: AcceptBody,
  { row, type }: Lead,
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

/** The path of the body, else what the lead type has for the team, else its first. */
function pathOf({ caller }: Context, body: AcceptBody, { row, type }: Lead, read: Result): PathRecord {
  const { relations_paths: paths, team_settings } = type.record;
  if (body.relations_path_id) {
    const found = read.rows[0] ? pathOfRow(read.rows[0]) : null;
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

function checkNamed(
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
 * Whether the account that nobody chose is one that the lead's team works with. A lead that was accepted
 * before is merged only into what is this team's own; else the team gets its own records.
 */
function isOwn({ moves }: Lead, team: TeamFacts, account: CaseAccount): boolean {
  if (account.team_id === team.id) return true;
  const accepted = moves.filter(({ kind }) => kind === "acception");
  if (accepted.some((move) => move.team_id === team.id && move.account_id === account.id)) return true;
  if (accepted.length > 0) return false;
  const group = account.account_team?.group_id ?? null;
  return account.team_id === null || (group !== null && group === team.group_id);
}
