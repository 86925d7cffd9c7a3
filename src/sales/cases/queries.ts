/** Reads of one case, with all records that it shows. */
import { seesTeam } from "../../core/access.ts";
import { ok } from "../../core/answer.ts";
import { notFound } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { type Sql, sql } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { accountColumns, accountJoins } from "../../customers/accounts/present.ts";
import { contactColumns, contactJoins } from "../../customers/contacts/present.ts";
import { selectTeamJson } from "../../identity/teams/queries.ts";
import { guardThat, type Result, type Statement } from "../../platform/database/database.ts";
import { isNotInWork } from "../../staged/work.ts";
import { parseAttachedFiles, selectAttachedFiles } from "../case_parts/attachments.ts";
import { presentCase } from "./present.ts";
import {
  caseColumns,
  caseJoins,
  type FullCase,
  readCaseAccount,
  readCaseContact,
  readCaseRow,
} from "./parts.ts";

/** The staged work that removes a large case. */
export const caseDeletion = "case_removal";

/**
 * SQL: whether the case of an id (SQL) is not being deleted. Lists do not check this: it would slow their
 * counts, and most deleted cases are gone before the deletion is answered.
 */
export function isNotRemoved(caseId: Sql): Sql {
  return isNotInWork(caseDeletion, caseId);
}

/** SQL: the ids (of a select) whose cases exist and are not being deleted. */
export function selectRemainingCases(ids: Sql): Sql {
  return sql`select id from cases where id in (${ids}) and ${isNotRemoved(sql`id`)}`;
}

/** The number of statements of `selectCaseById`. */
export const caseByIdCount = 3;

/** The three reads of `readFullCase`: a case of the company, its account and its contact. */
export function selectCaseById(companyId: number, id: string): Statement[] {
  return selectCasesWhere(
    sql`select id from cases where id = ${id} and company_id = ${companyId} and ${isNotRemoved(sql`id`)}`,
  );
}

/**
 * The three reads of `readFullCase` for the newest open case of a team for an account. Account and team are SQL,
 * so that they may come from a record of the same batch.
 */
export function selectOpenCase(companyId: number, accountId: Sql, teamId: Sql): Statement[] {
  return selectCasesWhere(
    sql`select id from cases where account_id = (${accountId}) and status = 'open' and company_id = ${companyId}
    and team_id is (${teamId}) order by seq desc limit 1`,
  );
}

/** The three reads of `readFullCases`: the cases of the ids (a select), their accounts and contacts. */
export function selectCasesAmong(ids: Sql): Statement[] {
  const files = selectAttachedFiles("case", sql`cs.id`);
  return [
    sql`select ${caseColumns}, ${files} as attachments from cases cs ${caseJoins}
      where cs.id in (${ids})`,
    sql`${accountsWithTeam} where account.id in (select account_id from cases where id in (${ids}))`,
    sql`${contactsWithTeam} where contact.id in (select contact_id from cases where id in (${ids}))`,
  ];
}

export function readFullCases([rows, accounts, contacts]: readonly Result[]): FullCase[] {
  const accountsById = new Map(accounts!.rows.map(readCaseAccount).map((account) => [account.id, account]));
  const contactsById = new Map(contacts!.rows.map(readCaseContact).map((contact) => [contact.id, contact]));
  return rows!.rows.map(({ attachments, ...row }) => ({ of: readCaseRow(row), attachments })).map((
    { of, attachments },
  ) => ({
    ...of,
    attachments: parseAttachedFiles(attachments!),
    account: accountsById.get(of.account_id)!,
    contact: contactsById.get(of.contact_id)!,
  }));
}

/** Reads the three results, without a check of visibility; null when the case does not exist. */
export function readFullCase(results: readonly Result[]): FullCase | null {
  const [row, account, contact] = results.map((result) => result.rows[0]);
  if (!row || !account || !contact) return null;
  const { attachments, ...columns } = row;
  return {
    ...readCaseRow(columns),
    attachments: parseAttachedFiles(attachments!),
    account: readCaseAccount(account),
    contact: readCaseContact(contact),
  };
}

/** Throws 404 when the case does not exist or the caller does not see it. */
export function requireVisibleCase(ctx: Context, results: readonly Result[]): FullCase {
  const found = readFullCase(results);
  if (!found || !seesTeam(ctx.caller, found.team_id)) throw notFound();
  return found;
}

/** The read of `checkCaseAccess`, for reads of the activities and entries of a case. */
export function selectCaseAccess(companyId: number, id: string): Statement {
  return sql`select team_id, activity_count from cases where id = ${id} and company_id = ${companyId}
    and ${isNotRemoved(sql`id`)}`;
}

/** Reads the result of `selectCaseAccess`. Throws 404 when the case does not exist or the caller does not see it. */
export function checkCaseAccess(
  ctx: Context,
  result: Result,
): { activity_count: number; team_id: number | null } {
  const row = result.rows[0];
  const team_id = row?.team_id as number | null;
  if (!row || !seesTeam(ctx.caller, team_id)) throw notFound();
  return { activity_count: Number(row.activity_count), team_id };
}

/** Refuses the batch when the case is gone, or belongs to another team than was read. */
export function guardCaseTeam(id: string, teamId: number | null): Statement {
  return guardThat("case", sql`exists (select 1 from cases where id = ${id} and team_id is ${teamId})`);
}

/** SQL: the relations path of a case of the company. */
export function selectPathOfCase(companyId: number, id: string): Sql {
  return sql`(select relations_path_id from cases where id = ${id} and company_id = ${companyId})`;
}

const accountsWithTeam = sql`select ${accountColumns}, ${selectTeamJson(sql`account.team_id`)} as account_team
  from accounts account ${accountJoins}`;
const contactsWithTeam = sql`select ${contactColumns}, ${selectTeamJson(sql`contact.team_id`)} as contact_team
  from contacts contact ${contactJoins}`;

/** Reads the account of an id (a scalar subquery) with its team, for `readCaseAccount`. */
export function selectAccountWithTeam(id: Sql): Statement {
  return sql`${accountsWithTeam} where account.id = (${id})`;
}

/** Reads the contact of an id (a scalar subquery) with its team, for `readCaseContact`. */
export function selectContactWithTeam(id: Sql): Statement {
  return sql`${contactsWithTeam} where contact.id = (${id})`;
}

/** Reads a case to change: 404 when the caller does not see it, 412 when `If-Match` names another version. */
export async function readCase(ctx: Context, id: string): Promise<FullCase> {
  const found = requireVisibleCase(ctx, await ctx.deps.db.read(selectCaseById(ctx.caller.companyId, id)));
  checkMatch(ctx, () => presentCase(found, ctx, ctx.fields.seen));
  return found;
}

export async function getCase(ctx: Context, id: string) {
  const results = await ctx.deps.db.read(selectCaseById(ctx.caller.companyId, id));
  return ok(presentCase(requireVisibleCase(ctx, results), ctx, ctx.fields.seen));
}

function selectCasesWhere(id: Sql): Statement[] {
  const files = selectAttachedFiles("case", sql`cs.id`);
  return [
    sql`select ${caseColumns}, ${files} as attachments from cases cs ${caseJoins}
      where cs.id = (${id})`,
    selectAccountWithTeam(sql`select account_id from cases where id = (${id})`),
    selectContactWithTeam(sql`select contact_id from cases where id = (${id})`),
  ];
}
