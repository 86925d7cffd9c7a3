/** Creates a task on an open case. The case shows the task, so the case changes too. */
import { created } from "../../core/answer.ts";
import { checkRecordSize } from "../../core/budgets.ts";
import { conflict, invalid, missingReference } from "../../core/errors.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { sql } from "../../db/statements.ts";
import { requireVisibleCase, selectCaseById } from "../cases/queries.ts";
import { changeCase, checkCaseSize } from "../cases/write.ts";
import { guardAssignee, readAssignee, selectAssignee } from "./assignee.ts";
import type { TaskBody } from "./record.ts";
import { addTask, draftTaskNotifications, planTask } from "./write.ts";

/** Returns 201 with the task, which no activity planned. */
export async function createTask(ctx: Context, caseId: string, body: TaskBody) {
  const { companyId, userId } = ctx.caller;
  const of = sql`${caseId}`;
  const [users, ...found] = await ctx.deps.db.read([
    selectAssignee(ctx, of, body.user_id ?? userId),
    ...selectCaseById(companyId, caseId),
  ]);
  const before = requireVisibleCase(ctx, found);
  const { user } = readAssignee(users!);
  if (user === null) throw invalid(missingReference("user_id", "user"));
  if (before.status !== "open") {
    throw conflict("case_state", `A case that is ${before.status} takes no new tasks.`);
  }
  const planned = await planTask(ctx, before, null, body, user);
  const changed = changeCase(ctx, before, {}, { tasks: addTask(before.tasks, planned.task) });
  checkRecordSize(planned.event.body, "note");
  checkCaseSize(ctx, before, changed, "note");
  return await commit(ctx, {
    statements: [guardAssignee(ctx, of, user), ...changed.statements, ...planned.statements],
    events: [planned.event, changed.event],
    notifications: draftTaskNotifications(userId, [planned.task]),
    answer: created(planned.event.body),
  });
}
