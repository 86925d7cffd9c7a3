/** Deletes an account with its dependents: in one commit or, if there are too many, as staged work. */
import { noContent } from "../../core/answer.ts";
import { conflict } from "../../core/errors.ts";
import { guardUnblocked, selectBlockers } from "../../db/blockers.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { guardVersions } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { listStatements, takeFirst, withFirstStep } from "../../staged/first_step.ts";
import { inOrder, type PlannedStep, type StagedKind, type Take } from "../../staged/kind.ts";
import { runStaged } from "../../staged/run.ts";
import { beginWork } from "../../staged/work.ts";
import { accountDeletion } from "../accounts/being_deleted.ts";
import { presentAccount } from "../accounts/present.ts";
import { requireAccount, selectAccountById } from "../accounts/queries.ts";
import { draftAccountEvent, hideAccount } from "../accounts/write.ts";
import type { Dependents } from "./dependents.ts";
import { describeBlocked, isPrevented, presentImpact, selectImpact } from "./impact.ts";
import { removeAccountRows } from "./rows.ts";
import { selectAccount, selectAccountStep } from "./selection.ts";

export function describeAccountDeletion(dependents: Dependents): StagedKind {
  return {
    kind: accountDeletion,
    step: ({ company_id, subject }, take) => removeAccount(company_id, subject, take, dependents),
  };
}

/** Returns 204; 409 for the company's default account. Hides a large account at once, removes it in steps. */
export async function deleteAccount(ctx: Context, id: string, dependents: Dependents) {
  const { companyId } = ctx.caller;
  const whole = selectAccount(companyId, id);
  const plan = removeAccount(companyId, id, takeFirst, dependents);
  const [found, blocking, ...results] = await ctx.deps.db.read([
    selectAccountById(companyId, id),
    selectBlockers(describeBlocked(whole)),
    ...plan.reads,
  ]);
  const account = requireAccount(ctx, found!);
  checkMatch(ctx, () => presentAccount(account, ctx.fields.seen));
  if (isPrevented(blocking!)) await refuse(ctx, id, dependents);

  const guards = [
    guardUnblocked(describeBlocked(whole)),
    guardVersions("accounts", [account]),
  ];
  const deleted = draftAccountEvent("account_deleted", account, ctx.fields);
  const kind = describeAccountDeletion(dependents);
  return await withFirstStep(() => plan.apply(ctx, results), async (step) => {
    if (!step.more) {
      return await commit(ctx, {
        statements: [...guards, ...listStatements(step)],
        events: [...step.events, deleted],
        answer: noContent,
      });
    }
    const answer = await commit(ctx, {
      statements: [
        ...guards,
        ...hideAccount(account),
        beginWork(ctx, kind, { company_id: companyId, subject: id }),
      ],
      events: [deleted],
      answer: noContent,
    });
    ctx.deps.background.run(() => runStaged(ctx.deps, ctx.now, [kind], id));
    return answer;
  });
}

/** Plans a step. Deletes dependents before contacts, and contacts before the account. */
function removeAccount(companyId: number, id: string, take: Take, dependents: Dependents): PlannedStep {
  const selection = { ...selectAccountStep(companyId, id), account_id: id };
  return inOrder([
    ...dependents.steps(selection, take),
    removeAccountRows(selection, take, dependents),
  ]);
}

async function refuse(ctx: Context, id: string, dependents: Dependents): Promise<never> {
  const counted = await ctx.deps.db.read(
    selectImpact(ctx, selectAccount(ctx.caller.companyId, id), dependents),
  );
  throw conflict("delete_blocked", "The account is the company's default account.", presentImpact(counted));
}
