/** Planning and completing tasks, as parts of the commit of an activity. */
import { sanitizeText } from "../../core/html.ts";
import { newId } from "../../core/ids.ts";
import type { Author } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import type { EventDraft } from "../../db/outbox.ts";
import { insert, updateVersioned } from "../../db/statements.ts";
import { guardChanged, type Statement } from "../../platform/database/database.ts";
import { presentTask, type TaskRecord } from "./present.ts";
import type { TaskBody } from "./schema.ts";
import { tasks } from "./table.ts";

/** The task as it will be, and what makes it so. */
export interface TaskWrite {
  readonly task: TaskRecord;
  readonly statements: Statement[];
  readonly event: EventDraft;
}

/** A task planned by an activity of the case. */
export function plannedTask(
  ctx: Context,
  of: { readonly case_id: string; readonly team_id: number | null; readonly activity_id: string },
  body: TaskBody,
  user: { readonly id: number; readonly name: string },
): TaskWrite {
  const row = {
    id: newId(ctx.now),
    company_id: ctx.caller.companyId,
    case_id: of.case_id,
    activity_id: of.activity_id,
    type: body.type,
    user_id: user.id,
    start_at: body.start_at,
    end_at: body.end_at,
    note: body.note ? sanitizeText(body.note) : null,
    completed_at: null,
    created_by: ctx.caller.userId,
    created_at: ctx.at,
    updated_at: ctx.at,
    version: 1,
  };
  const task = { ...row, user_name: user.name };
  return {
    task,
    statements: [insert(tasks, row)],
    event: taskEvent("task_created", task, of.team_id, ctx.at),
  };
}

/** The task done now; guarded by the version that was read. */
export function completedTask(ctx: Context, before: TaskRecord, teamId: number | null): TaskWrite {
  const changes = { completed_at: ctx.at, updated_at: ctx.at };
  const task = { ...before, ...changes, version: before.version + 1 };
  return {
    task,
    statements: [updateVersioned(tasks, changes, before), guardChanged("task")],
    event: taskEvent("task_updated", task, teamId, ctx.at),
  };
}

/** The task given to another user; guarded by the version that was read. */
export function reassignedTask(
  author: Author,
  before: TaskRecord,
  user: { readonly id: number; readonly name: string },
  teamId: number | null,
): TaskWrite {
  const changes = { user_id: user.id, updated_at: author.at };
  const task = { ...before, ...changes, user_name: user.name, version: before.version + 1 };
  return {
    task,
    statements: [updateVersioned(tasks, changes, before), guardChanged("task")],
    event: taskEvent("task_updated", task, teamId, author.at),
  };
}

/** The task goes with its case. */
export function taskDeleted(task: TaskRecord, teamId: number | null, at: string): EventDraft {
  return taskEvent("task_deleted", task, teamId, at);
}

function taskEvent(
  name: EventDraft["name"],
  task: TaskRecord,
  teamId: number | null,
  at: string,
): EventDraft {
  const { id, created_by } = task;
  return { name, entity: { type: "task", id, team_id: teamId, created_by }, body: presentTask(task, at) };
}
