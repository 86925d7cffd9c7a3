/** What deleting a customer would do. */
import { type Answer, ok } from "../../core/answer.ts";
import { type Plain, plain } from "../../core/json.ts";
import type { Context } from "../../db/context.ts";
import { raw, sql, statement } from "../../db/statements.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import { accountById, accountOf } from "../accounts/queries.ts";
import { contactById, contactOf } from "../contacts/queries.ts";
import type { Amount, Dependents, Selection } from "./dependents.ts";
import { selectAccount, selectContact } from "./selection.ts";

/** For who may see the account. */
export async function getAccountImpact(ctx: Context, id: string, dependents: Dependents): Promise<Answer> {
  const leaving = selectAccount(ctx.caller.companyId, id);
  const [found, ...counted] = await ctx.deps.db.read([
    accountById(ctx.caller.companyId, id),
    ...impactReads(ctx, leaving, dependents),
  ]);
  accountOf(ctx, found!);
  return ok(plain(impactOf(counted)));
}

/** For who may see the contact. */
export async function getContactImpact(
  ctx: Context,
  accountId: string,
  id: string,
  dependents: Dependents,
): Promise<Answer> {
  const [found, ...counted] = await ctx.deps.db.read([
    contactById(ctx.caller.companyId, id),
    ...impactReads(ctx, selectContact(ctx.caller.companyId, id), dependents),
  ]);
  contactOf(ctx, found!, accountId);
  return ok(plain(impactOf(counted)));
}

/** Two statements for `impactOf`: what keeps the account from being deleted, and what goes with it. */
export function impactReads(ctx: Context, leaving: Selection, dependents: Dependents): Statement[] {
  const amounts: Amount[] = [...dependents.amounts(leaving, ctx.at)];
  if (leaving.account_id !== null) {
    const { sql: text, args } = leaving.contacts;
    amounts.push({ type: "contact", number: raw(`(select count(*) from (${text}))`, ...args) });
  }
  const columns = amounts.map(({ type, number }) => `${number.sql} as "${type}"`);
  return [
    isDefault(leaving),
    statement(`select ${columns.join(", ")}`, ...amounts.flatMap(({ number }) => number.args)),
  ];
}

/** A row when new records of the company go to the account by default. */
export function isDefault({ company_id, account_id }: Selection): Statement {
  return sql`select 1 as found from companies where id = ${company_id} and default_account_id = ${account_id}`;
}

/** What `impactReads` found, with the kinds in alphabetical order and without those that there are none of. */
export function impactOf([standing, counted]: readonly Result[]): Plain {
  const counts = Object.entries(counted!.rows[0]!).toSorted(([one], [other]) => one < other ? -1 : 1);
  return {
    blocked_by: standing!.rows.map(() => ({
      type: "company_settings",
      amount: 1,
      attribute: "default_account_id",
    })),
    deletes: counts.filter(([, amount]) => Number(amount) > 0)
      .map(([type, amount]) => ({ type, amount: Number(amount) })),
  };
}
