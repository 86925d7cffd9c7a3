/** Deletes a case with its records: in one commit, or as staged work when it is too large. */
import { noContent } from "../../core/answer.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { sql } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { requireReach } from "../../identity/permissions.ts";
import { describeError } from "../../platform/log.ts";
import { takeFirst, withFirstStep } from "../../staged/first_step.ts";
import { inOrder, type PlannedStep, type StagedKind, type Take } from "../../staged/kind.ts";
import { runStaged } from "../../staged/run.ts";
import { beginWork } from "../../staged/work.ts";
import { renewCaseActivity } from "../cases/last_activity.ts";
import { presentCase } from "../cases/present.ts";
import { caseByIdCount, caseDeletion, requireVisibleCase, selectCaseById } from "../cases/queries.ts";
import { detachLeads } from "../leads/without_case.ts";
import { removeNotes, selectNotesOfCases } from "../notes/deletion.ts";
import { removeCases } from "./remove_cases.ts";

/** Removes a large case in steps. After the first step, the case is not found any more. */
export const caseDeletionWork: StagedKind = {
  kind: caseDeletion,
  step: ({ company_id, subject }, take) => removeCase(company_id, subject, take),
};

/**
 * Deletes the case and sends an event for each deleted record, that of the case last. Its leads stay without
 * a case. Once the first step is committed, jobs finish the deletion if this call does not.
 */
export async function deleteCase(ctx: Context, id: string) {
  requireReach(ctx.caller, "cases.delete");
  const { companyId } = ctx.caller;
  const plan = removeCase(companyId, id, takeFirst);
  const found = await ctx.deps.db.read([...selectCaseById(companyId, id), ...plan.reads]);
  const of = requireVisibleCase(ctx, found.slice(0, caseByIdCount));
  checkMatch(ctx, () => presentCase(of, ctx, ctx.fields.seen));
  return await withFirstStep(() => plan.apply(ctx, found.slice(caseByIdCount)), async (step) => {
    const answer = await commit(ctx, {
      statements: [
        ...step.statements,
        ...(step.more ? [beginWork(ctx, caseDeletionWork, { company_id: companyId, subject: id })] : []),
      ],
      events: step.events,
      answer: noContent,
    });
    if (step.more) {
      await runStaged(ctx.deps, ctx.now, [caseDeletionWork], id).catch((error) =>
        ctx.deps.log.error({
          event: "staged_work_failed",
          kind: caseDeletion,
          subject: id,
          ...describeError(error),
        })
      );
    }
    return answer;
  });
}

function removeCase(companyId: number, id: string, take: Take): PlannedStep {
  const ids = sql`select id from cases where id = ${id} and company_id = ${companyId}`;
  return inOrder([
    removeNotes(selectNotesOfCases(ids), take),
    detachLeads(id, take),
    removeCases(ids, take, (removed) =>
      renewCaseActivity({
        accounts: removed.map((of) => of.account_id),
        contacts: removed.map((of) => of.contact_id),
      })),
  ]);
}
