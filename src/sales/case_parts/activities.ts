/** The activities of a case: their record, SQL and wire shape. */
import { composeJsonMembers, type Sql, sql } from "../../db/statements.ts";
import { selectNameOfUser } from "../../identity/users/fragments.ts";
import type { Row } from "../../platform/database/database.ts";
import type { ActivityRow } from "../activities/row.ts";
import { presentDetail, type ProductDetail } from "./product_details.ts";
import { presentTask, type TaskRecord } from "../tasks/record.ts";
import { selectTaskJson } from "./tasks.ts";

/** An activity type as it was when the activity was created. */
export interface DoneType {
  readonly [key: string]: string | boolean | null;
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly is_milestone: boolean;
}

/** An activity with the name of its user and the task that it planned. */
export interface ActivityRecord extends ActivityRow {
  readonly user_name: string | null;
  readonly task: TaskRecord | null;
}

const columns: readonly (keyof ActivityRow)[] = [
  "id",
  "company_id",
  "case_id",
  "user_id",
  "activity_types",
  "communication_channel",
  "extra_steps",
  "note",
  "correspondence",
  "product_details",
  "task_id",
  "completed_task_id",
  "created_by",
  "created_at",
  "updated_at",
];

/** SQL: the activity of the alias `activity` as JSON of an `ActivityRecord`. */
export const activityJson = sql`json_object(${composeJsonMembers(columns, "activity")},
  'user_name', ${selectNameOfUser(sql`activity.user_id`)},
  'task', json(${selectTaskJson(sql`activity.task_id`)}))`;

/** SQL: the activity of an id (SQL) as JSON of an `ActivityRecord`. */
export function selectActivityJson(id: Sql): Sql {
  return sql`(select ${activityJson} from activities activity where activity.id = ${id})`;
}

/** SQL: the latest activity of the case `cs` as JSON. */
export const recentActivityOfCase = selectActivityJson(sql`cs.latest_activity_id`);

/** Reads the JSON of `activityJson`. */
export function parseActivity(text: Row[string]): ActivityRecord | null {
  return text === null ? null : JSON.parse(text as string) as ActivityRecord;
}

export function readDoneTypes(activity: ActivityRecord): DoneType[] {
  return JSON.parse(activity.activity_types) as DoneType[];
}

/** `at` is the timestamp for the status of the task. */
export function presentActivity(activity: ActivityRecord, at: string) {
  const details = (JSON.parse(activity.product_details) as ProductDetail[]).map(presentDetail);
  return {
    id: activity.id,
    case_id: activity.case_id,
    activity_types: JSON.parse(activity.activity_types),
    communication_channel: activity.communication_channel,
    extra_steps: JSON.parse(activity.extra_steps),
    note: activity.note,
    correspondence: activity.correspondence === null
      ? { email: null, letter: null }
      : JSON.parse(activity.correspondence),
    product_detail: details[0] ?? null,
    product_details: details,
    task: activity.task === null ? null : presentTask(activity.task, at),
    completed_task_id: activity.completed_task_id,
    user: activity.user_id === null ? null : { id: activity.user_id, name: activity.user_name ?? "" },
    created_at: activity.created_at,
    updated_at: activity.updated_at,
  };
}

/** The latest activity as a case shows it. */
export function presentLatest(activity: ActivityRecord | null) {
  const type = activity === null ? undefined : readDoneTypes(activity)[0];
  if (activity === null || type === undefined) return null;
  return {
    type: type.is_milestone ? "milestone" as const : "supportive" as const,
    id: activity.id,
    name: type.name,
    created_at: activity.created_at,
  };
}
