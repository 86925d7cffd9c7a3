/**
 * Deleting an account with all that it has: in one commit, or, when that is too much for one, the account at
 * once and the rest in steps.
 */
import { type Answer, noContent } from "../../core/answer.ts";
import { conflict } from "../../core/errors.ts";
import { formatTimestamp } from "../../core/time.ts";
import { type Author, commit, retrying } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { fieldsOfCompany } from "../../db/custom_values.ts";
import { companyFields } from "../../db/fields.ts";
import { guardVersions } from "../../db/guards.ts";
import { insert, remove, sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import { checkMatch } from "../../http/conditional.ts";
import { guardThat, type Result, type Statement } from "../../platform/database/database.ts";
import { presentAccount } from "../accounts/present.ts";
import { accountById, accountOf } from "../accounts/queries.ts";
import { accountEvent, withdrawnAccount } from "../accounts/write.ts";
import type { Dependents, Selection, Taken } from "./dependents.ts";
import { impactOf, impactReads, isDefault } from "./impact.ts";
import { selectAccount, selectAccountStep } from "./selection.ts";
import { accountRow, selectedContacts, takeContacts } from "./rows.ts";
import { accountRemovals } from "./table.ts";

/** Steps that one run makes for an account; the next run goes on. */
const mostSteps = 500;

/** 204; 409 while new records of the company go to the account by default. */
export async function deleteAccount(ctx: Context, id: string, dependents: Dependents): Promise<Answer> {
  const leaving = selectAccountStep(ctx.caller.companyId, id);
  const [found, standing, ...results] = await ctx.deps.db.read([
    accountById(ctx.caller.companyId, id),
    isDefault(leaving),
    ...stepReads(leaving, dependents),
  ]);
  const account = accountOf(ctx, found!);
  checkMatch(ctx, () => presentAccount(account, ctx.fields.seen));
  if (standing!.rows.length > 0) await refuse(ctx, id, dependents);

  const step = stepOf(ctx, leaving, results, dependents);
  const blocked = isDefault(leaving);
  const common = [
    guardThat("default_account", sql`not exists (${blocked})`),
    guardVersions("accounts", [account]),
  ];
  const deleted = accountEvent("account_deleted", account, ctx.fields);
  if (!step.more) {
    return await commit(ctx, {
      statements: [...common, ...step.statements, ...accountRow(ctx.fields, id)],
      events: [...step.events, deleted],
      answer: noContent,
    });
  }
  const { company_id } = account;
  const answer = await commit(ctx, {
    statements: [
      ...common,
      ...withdrawnAccount(account),
      insert(accountRemovals, { account_id: id, company_id, created_at: ctx.at }),
    ],
    events: [deleted],
    answer: noContent,
  });
  ctx.deps.background.run(() => continueRemovals(ctx.deps, ctx.now, dependents));
  return answer;
}

/** Takes what deleted accounts had, `now` in epoch milliseconds; how many steps it made. */
export async function continueRemovals(deps: Deps, now: number, dependents: Dependents): Promise<number> {
  const [open] = await deps.db.read([
    sql`select account_id, company_id from account_removals limit 100`,
  ]);
  const author = { deps, now, at: formatTimestamp(now) };
  let steps = 0;
  for (const row of open!.rows) {
    const leaving = selectAccountStep(Number(row.company_id), String(row.account_id));
    for (let step = 0; step < mostSteps; step++) {
      steps++;
      // A database in this process never waits: let other calls in between.
      await new Promise((resolve) => setTimeout(resolve));
      if (!await retrying(() => oneStep(author, leaving, dependents))) break;
    }
  }
  return steps;
}

/** Whether more is left. */
async function oneStep(author: Author, leaving: Selection, dependents: Dependents): Promise<boolean> {
  const { account_id, company_id } = leaving;
  const [defined, open, ...results] = await author.deps.db.read([
    fieldsOfCompany(company_id),
    sql`select 1 as found from account_removals where account_id = ${account_id}`,
    ...stepReads(leaving, dependents),
  ]);
  if (open!.rows.length === 0) return false;
  const fields = companyFields(defined!.rows[0]?.fields as string | null ?? null, null);
  const { statements, events, more } = stepOf({ ...author, fields }, leaving, results, dependents);
  await commit(author, {
    statements: [
      ...statements,
      ...(more
        ? []
        : [remove(accountRemovals, { account_id: account_id! }), ...accountRow(fields, account_id!)]),
    ],
    events,
    companyId: company_id,
    answer: noContent,
  });
  return more;
}

function stepReads(leaving: Selection, dependents: Dependents): Statement[] {
  return [selectedContacts(leaving), ...dependents.reads(leaving)];
}

/** What depends on contacts goes before them. */
function stepOf(
  author: Parameters<Dependents["take"]>[0],
  leaving: Selection,
  [contacts, ...results]: readonly Result[],
  dependents: Dependents,
): Taken {
  const taken = dependents.take(author, leaving, results);
  if (taken.more) return taken;
  const after = takeContacts(author, contacts!);
  return {
    statements: [...taken.statements, ...after.statements],
    events: [...taken.events, ...after.events],
    more: after.more,
  };
}

async function refuse(ctx: Context, id: string, dependents: Dependents): Promise<never> {
  const counted = await ctx.deps.db.read(
    impactReads(ctx, selectAccount(ctx.caller.companyId, id), dependents),
  );
  throw conflict("delete_blocked", "The account is the company's default account.", impactOf(counted));
}
