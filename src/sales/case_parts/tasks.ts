/** The tasks of a case in SQL. */
import { composeJsonMembers, type Sql, sql } from "../../db/statements.ts";
import { selectNameOfUser } from "../../identity/users/fragments.ts";
import type { Row } from "../../platform/database/database.ts";
import { taskColumns, type TaskRecord } from "../tasks/record.ts";

/** SQL: the task of the alias `task` as JSON of a `TaskRecord`. */
export const taskJson = sql`json_object(${composeJsonMembers(taskColumns, "task")},
  'user_name', ${selectNameOfUser(sql`task.user_id`)})`;

/** SQL: the task of an id (SQL) as JSON of a `TaskRecord`. */
export function selectTaskJson(id: Sql): Sql {
  return sql`(select ${taskJson} from tasks task where task.id = ${id})`;
}

/** SQL: the tasks of the case `cs` as a JSON list, by start. */
export const tasksOfCase = sql`(select json_group_array(${taskJson} order by task.start_at, task.id)
  from tasks task where task.case_id = cs.id)`;

/** Reads the JSON of `taskJson`. */
export function parseTask(text: Row[string]): TaskRecord {
  return JSON.parse(text as string) as TaskRecord;
}
