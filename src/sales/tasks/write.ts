/** The parts of a commit that changes tasks. The case that shows them changes in the same commit. */
import { sanitizeText } from "../../core/html.ts";
import { makeId } from "../../core/ids.ts";
import type { Author } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import type { NotificationDraft } from "../../db/notifications.ts";
import type { EventDraft } from "../../db/outbox.ts";
import { guardVersions, insert, remove, sql, updateVersioned } from "../../db/statements.ts";
import { guardChanged, type Statement } from "../../platform/database/database.ts";
import { makeInitial } from "../../records/members.ts";
import type { FullCase } from "../cases/parts.ts";
import { type CaseOfTask, presentTaskWithCase } from "./of_case.ts";
import { computeStage } from "./stages.ts";
import { type TaskBody, taskMembers, type TaskRecord, type TaskRow, tasks } from "./record.ts";

type TaskValue = ReturnType<typeof presentTaskWithCase>;

/** The case after the change, which events of its tasks show. */
export type ShownCase = CaseOfTask & { readonly team_id: number | null };

/** The task after a change, its statements and its event. */
export interface TaskWrite {
  readonly task: TaskRecord;
  readonly statements: Statement[];
  readonly event: EventDraft<TaskValue>;
}

/** A new task of the caller, which an activity of the case may plan. */
export async function planTask(
  ctx: Context,
  of: ShownCase,
  activity_id: string | null,
  body: TaskBody,
  user: { readonly id: number; readonly name: string },
): Promise<TaskWrite> {
  const by = { activity_id, company_id: ctx.caller.companyId, created_by: ctx.caller.userId };
  const note = body.note ? await sanitizeText(body.note) : null;
  return makeTask(ctx, of, by, { ...body, note }, user);
}

interface TaskOrigin {
  readonly company_id: number;
  readonly activity_id: string | null;
  readonly created_by: number | null;
}

/** A new task of a case. Its note is sanitised HTML. */
export function makeTask(
  { now, at }: Pick<Author, "now" | "at">,
  of: ShownCase,
  by: TaskOrigin,
  body: TaskBody,
  user: { readonly id: number; readonly name: string },
): TaskWrite {
  const given = { ...makeInitial(taskMembers, body), completed_at: null };
  const row = {
    id: makeId(now),
    ...by,
    ...given,
    case_id: of.id,
    team_id: of.team_id,
    user_id: user.id,
    note: body.note ?? null,
    stage: computeStage(given, at),
    created_at: at,
    updated_at: at,
  };
  const task = { ...row, user_name: user.name };
  return {
    task,
    statements: [insert(tasks, row)],
    event: draftTaskEvent("task_created", task, of, at),
  };
}

/** Completes the task now; guards the version that was read. */
export function completeTask(ctx: Context, before: TaskRecord, of: ShownCase): TaskWrite {
  return changeTask(ctx, before, { completed_at: ctx.at }, before.user_name, of);
}

/** Assigns the task to another user; guards the version that was read. */
export function reassignTask(
  author: Author,
  before: TaskRecord,
  user: { readonly id: number; readonly name: string },
  of: ShownCase,
): TaskWrite {
  return changeTask(author, before, { user_id: user.id }, user.name, of);
}

type TaskChanges = Partial<
  Pick<TaskRow, "type" | "user_id" | "start_at" | "end_at" | "note" | "completed_at">
>;

/**
 * Changes the task; guards the version that was read. The stage is written only when a time changes, so that an
 * overdue task is notified once.
 */
export function changeTask(
  author: Author,
  before: TaskRecord,
  changes: TaskChanges,
  user_name: string | null,
  of: ShownCase,
): TaskWrite {
  const after = { ...before, ...changes, updated_at: author.at, user_name, version: before.version + 1 };
  const moved = (["start_at", "end_at", "completed_at"] as const).some((time) =>
    after[time] !== before[time]
  );
  const set = {
    ...changes,
    ...(moved ? { stage: computeStage(after, author.at) } : {}),
    updated_at: author.at,
  };
  const task = { ...after, ...set };
  return {
    task,
    statements: [updateVersioned(tasks, set, before), guardChanged("task")],
    event: draftTaskEvent("task_updated", task, of, author.at),
  };
}

/** Notifies the assignees of tasks, except `assignerId`. */
export function draftTaskNotifications(
  assignerId: number,
  tasks: readonly Pick<TaskRecord, "id" | "case_id" | "user_id">[],
): NotificationDraft[] {
  const user = { id: assignerId };
  const byAssignee = Map.groupBy(tasks, ({ user_id }) => user_id);
  return [...byAssignee].flatMap(([assignee, assigned]) => {
    if (assignee === null || assignee === assignerId) return [];
    const [data, ...more] = assigned.map(({ id, case_id }) => ({
      user,
      case: { id: case_id },
      task: { id },
    }));
    return [{ type: "task_assigned" as const, to: [{ users: [assignee] }], data: data!, more }];
  });
}

/** Removes the task; the activity that planned it then shows none. */
export function removeTask(
  author: Author,
  task: TaskRecord,
  of: ShownCase,
): { statements: Statement[]; event: EventDraft<TaskValue> } {
  const { id, company_id, version } = task;
  return {
    statements: [remove(tasks, { id, company_id, version }), guardChanged("task")],
    event: draftTaskDeleted(task, of, author.at),
  };
}

/** Removes tasks of a case that is deleted; guards the versions that were read. */
export function removeTasks(tasks: readonly TaskRecord[]): Statement[] {
  const ids = JSON.stringify(tasks.map(({ id }) => id));
  return [
    guardVersions("tasks", tasks),
    sql`delete from tasks where id in (select value from json_each(${ids}))`,
  ];
}

/** The event of a task that is deleted with its case. */
export function draftTaskDeleted(task: TaskRecord, of: ShownCase, at: string): EventDraft<TaskValue> {
  return draftTaskEvent("task_deleted", task, of, at);
}

/** The members of a case that show the task, after a change of the task or (null) its deletion. */
export function presentTaskInCase(
  of: FullCase,
  id: string,
  after: TaskRecord | null,
): Pick<FullCase, "tasks" | "recent_activity"> {
  const { recent_activity: recent } = of;
  const others = of.tasks.filter((task) => task.id !== id);
  return {
    tasks: after ? addTask(others, after) : others,
    recent_activity: recent && recent.task?.id === id ? { ...recent, task: after } : recent,
  };
}

/** Adds the task in the order of start. */
export function addTask(tasks: readonly TaskRecord[], task: TaskRecord): TaskRecord[] {
  const key = ({ start_at, id }: TaskRecord) => `${start_at} ${id}`;
  const later = tasks.findIndex((each) => key(each) > key(task));
  return later < 0 ? [...tasks, task] : tasks.toSpliced(later, 0, task);
}

function draftTaskEvent(
  name: EventDraft["name"],
  task: TaskRecord,
  of: ShownCase,
  at: string,
): EventDraft<TaskValue> {
  const { id, created_by } = task;
  return {
    name,
    entity: { type: "task", id, team_id: of.team_id, created_by },
    body: presentTaskWithCase(task, of, at),
  };
}
