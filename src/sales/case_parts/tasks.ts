/** The tasks of a case: their record, SQL and wire shape. */
import { jsonMembers, type Sql, sql } from "../../db/statements.ts";
import { userName } from "../../identity/users/fragments.ts";
import type { Row } from "../../platform/database/database.ts";
import type { TaskRow } from "../tasks/row.ts";
import type { taskStatuses } from "./schema.ts";

/** A task with the name of its assignee. */
export interface TaskRecord extends TaskRow {
  readonly user_name: string | null;
}

const columns: readonly (keyof TaskRow)[] = [
  "id",
  "company_id",
  "case_id",
  "team_id",
  "activity_id",
  "type",
  "user_id",
  "start_at",
  "end_at",
  "note",
  "completed_at",
  "stage",
  "created_by",
  "created_at",
  "updated_at",
  "version",
];

/** SQL: the task of the alias `task` as JSON of a `TaskRecord`. */
export const taskJson = sql`json_object(${jsonMembers(columns, "task")},
  'user_name', ${userName(sql`task.user_id`)})`;

/** SQL: the task of an id (SQL) as JSON of a `TaskRecord`. */
export function taskWithId(id: Sql): Sql {
  return sql`(select ${taskJson} from tasks task where task.id = ${id})`;
}

/** SQL: the tasks of the case `cs` as a JSON list, by start. */
export const tasksOfCase = sql`(select json_group_array(${taskJson} order by task.start_at, task.id)
  from tasks task where task.case_id = cs.id)`;

/** Reads the JSON of `taskJson`. */
export function taskOfJson(text: Row[string]): TaskRecord {
  return JSON.parse(text as string) as TaskRecord;
}

/** Presents a task in an answer that is about its case. */
export function presentTask(task: TaskRecord, at: string) {
  return {
    id: task.id,
    case_id: task.case_id,
    activity_id: task.activity_id,
    type: task.type,
    user: task.user_id === null ? null : { id: task.user_id, name: task.user_name ?? "" },
    start_at: task.start_at,
    end_at: task.end_at,
    note: task.note,
    status: taskStatus(task, at),
    completed_at: task.completed_at,
    created_at: task.created_at,
    updated_at: task.updated_at,
  };
}

export type TaskStatus = (typeof taskStatuses)[number];

/** The times that a status depends on. */
export interface TaskTimes {
  readonly completed_at: string | null;
  readonly start_at: string;
  readonly end_at: string;
}

/** Returns the status of a task at a timestamp. */
export function taskStatus(task: TaskTimes, at: string): TaskStatus {
  if (task.completed_at !== null) return "completed";
  if (task.end_at < at) return "overdue";
  return task.start_at > at ? "later" : "pending";
}
