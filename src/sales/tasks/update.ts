/** Changes a task. Its case shows the task, so the case changes too. */
import { ok } from "../../core/answer.ts";
import { checkRecordSize } from "../../core/budgets.ts";
import { type FieldError, fieldError, invalid, missingReference } from "../../core/errors.ts";
import { sanitizeText } from "../../core/html.ts";
import { makeChanges } from "../../records/members.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { checkMatch } from "../../http/conditional.ts";
import { changeCase, checkCaseSize } from "../cases/write.ts";
import { guardAssignee, readAssignee, selectAssignee } from "./assignee.ts";
import { presentTaskWithCase } from "./of_case.ts";
import { requireTask, selectCaseId, selectCaseOfTask } from "./queries.ts";
import { type TaskChange, taskMembers, type TaskRecord } from "./record.ts";
import { changeTask, draftTaskNotifications, presentTaskInCase } from "./write.ts";

/** Returns the changed task. An absent member keeps its value. */
export async function updateTask(ctx: Context, id: string, body: TaskChange) {
  const { companyId, userId } = ctx.caller;
  const caseId = selectCaseId(companyId, id);
  const [users, ...found] = await ctx.deps.db.read([
    selectAssignee(ctx, caseId, body.user_id ?? userId),
    ...selectCaseOfTask(companyId, id),
  ]);
  const [before, of] = requireTask(ctx, id, found);
  checkMatch(ctx, () => presentTaskWithCase(before, of, ctx.at));
  // The present assignee need not see the case any more.
  const isPresent = body.user_id === undefined || body.user_id === before.user_id;
  const { user } = readAssignee(users!);
  const errors: FieldError[] = [];
  if (!isPresent && user === null) errors.push(missingReference("user_id", "user"));
  checkTimes(body, before, errors);
  if (errors.length > 0) throw invalid(...errors);

  const assignee = isPresent ? null : user!;
  const write = changeTask(
    ctx,
    before,
    {
      ...makeChanges(taskMembers, body, before),
      user_id: assignee?.id ?? before.user_id,
      note: body.note === undefined ? before.note : body.note && await sanitizeText(body.note),
      completed_at: chooseCompletedAt(ctx, body, before),
    },
    assignee?.name ?? before.user_name,
    of,
  );
  const changed = changeCase(ctx, of, {}, presentTaskInCase(of, id, write.task));
  if (body.note) {
    checkRecordSize(write.event.body, "note", () => presentTaskWithCase(before, of, ctx.at));
    checkCaseSize(ctx, of, changed, "note");
  }
  return await commit(ctx, {
    statements: [
      ...(assignee ? [guardAssignee(ctx, caseId, assignee)] : []),
      ...write.statements,
      ...changed.statements,
    ],
    events: [write.event, changed.event],
    notifications: assignee ? draftTaskNotifications(ctx.caller.userId, [write.task]) : [],
    answer: ok(write.event.body),
  });
}

/**
 * Checks that the task does not end before it starts. Uses the present value of an absent time; the error
 * names a time of the body.
 */
function checkTimes({ start_at, end_at }: TaskChange, before: TaskRecord, errors: FieldError[]): void {
  if ((end_at ?? before.end_at) >= (start_at ?? before.start_at)) return;
  if (end_at !== undefined) errors.push(fieldError("end_at", "after", "Must not be before start_at."));
  else errors.push(fieldError("start_at", "before", "Must not be after end_at."));
}

/** A completed task keeps the time of its completion. */
function chooseCompletedAt({ at }: Context, { completed }: TaskChange, before: TaskRecord): string | null {
  if (completed === undefined) return before.completed_at;
  return completed ? before.completed_at ?? at : null;
}
