/** The impact of deleting a customer. */
import { ok } from "../../core/answer.ts";
import { type Blocked, readImpact as impactBy, selectBlockers } from "../../db/blockers.ts";
import type { Context } from "../../db/context.ts";
import { identifier, joinSql, sql } from "../../db/statements.ts";
import { blockersOfAccount as blockers } from "../../identity/companies/queries.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import { requireAccount, selectAccountById } from "../accounts/queries.ts";
import { requireContact, selectContactById } from "../contacts/queries.ts";
import type { Amount, Dependents, Selection } from "./dependents.ts";
import { selectAccount, selectContact } from "./selection.ts";

/** Returns the impact of deleting the account; 404 when the caller does not see it. */
export async function getAccountImpact(ctx: Context, id: string, dependents: Dependents) {
  const selection = selectAccount(ctx.caller.companyId, id);
  const [found, ...counted] = await ctx.deps.db.read([
    selectAccountById(ctx.caller.companyId, id),
    ...selectImpact(ctx, selection, dependents),
  ]);
  requireAccount(ctx, found!);
  return ok(presentImpact(counted));
}

/** Returns the impact of deleting the contact; 404 when the caller does not see it. */
export async function getContactImpact(
  ctx: Context,
  accountId: string,
  id: string,
  dependents: Dependents,
) {
  const [found, ...counted] = await ctx.deps.db.read([
    selectContactById(ctx.caller.companyId, id),
    ...selectImpact(ctx, selectContact(ctx.caller.companyId, id), dependents),
  ]);
  requireContact(ctx, found!, accountId);
  return ok(presentImpact(counted));
}

/**
 * Two statements for `presentImpact`: one reads the records that block the deletion, the other counts those that
 * are deleted too.
 */
export function selectImpact(
  ctx: Pick<Context, "at">,
  selection: Selection,
  dependents: Dependents,
): Statement[] {
  const amounts: Amount[] = [...dependents.amounts(selection, ctx.at)];
  if (selection.account_id !== null) {
    amounts.push({ type: "contact", number: sql`(select count(*) from (${selection.contacts}))` });
  }
  const columns = amounts.map(({ type, number }) => sql`${number} as "${identifier(type)}"`);
  return [selectBlockers(describeBlocked(selection)), sql`select ${joinSql(columns, ", ")}`];
}

/** What prevents the deletion of the account; nothing prevents that of contacts. */
export function describeBlocked({ company_id, account_id }: Selection): Blocked {
  return { blockers, companyId: company_id, id: account_id };
}

/** Returns whether the result of `selectBlockers` names anything. */
export function isPrevented(blocking: Result): boolean {
  return impactBy({ blockers }, blocking).blocked_by.length > 0;
}

/** Presents the results of `selectImpact`: types in alphabetical order, without those of no records. */
export function presentImpact([blocking, counted]: readonly Result[]) {
  const counts = Object.entries(counted!.rows[0]!).toSorted(([one], [other]) => one < other ? -1 : 1);
  return {
    ...impactBy({ blockers }, blocking!),
    deletes: counts.filter(([, amount]) => Number(amount) > 0)
      .map(([type, amount]) => ({ type, amount: Number(amount) })),
  };
}
