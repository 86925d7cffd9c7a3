/** Deletes a task. Its case shows the task, so the case changes too. */
import { noContent } from "../../core/answer.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { checkMatch } from "../../http/conditional.ts";
import { changeCase } from "../cases/write.ts";
import { presentTaskWithCase } from "./of_case.ts";
import { requireTask, selectCaseOfTask } from "./queries.ts";
import { presentTaskInCase, removeTask } from "./write.ts";

/** The activities that planned and completed the task stay. */
export async function deleteTask(ctx: Context, id: string) {
  const [task, of] = requireTask(ctx, id, await ctx.deps.db.read(selectCaseOfTask(ctx.caller.companyId, id)));
  checkMatch(ctx, () => presentTaskWithCase(task, of, ctx.at));
  const removed = removeTask(ctx, task, of);
  const changed = changeCase(ctx, of, {}, presentTaskInCase(of, id, null));
  return await commit(ctx, {
    statements: [...removed.statements, ...changed.statements],
    events: [removed.event, changed.event],
    answer: noContent,
  });
}
