/** Filter fields of the tasks of cases. */
import type { Viewer } from "../../db/context.ts";
import { identifier, sql } from "../../db/statements.ts";
import { column, type FilterField, linkBy, type Relation } from "../../filters/fields.ts";
import { describeCaseRelation } from "../cases/filter_fields.ts";
import { type Fields, relateFields } from "../filter_relations.ts";
import { listIndexes } from "../../lists/indexes.ts";
import { tasks, taskStatuses, taskTypes } from "./record.ts";

export const taskIndexes = listIndexes(tasks);

export function describeTaskFields(ctx: Viewer, root: Relation): Fields {
  const ofCases: Relation = {
    name: "case.tasks",
    above: describeCaseRelation(ctx, root),
    many: true,
    table: "tasks",
    link: linkBy("case_id"),
    counts: null,
    indexes: taskIndexes,
  };
  return relateFields(ofCases, describeTasks(ctx.at));
}

function describeTasks(at: string): Readonly<Record<string, Omit<FilterField, "relation">>> {
  return {
    id: { type: "uuid", value: column("id") },
    type: { type: "choice", value: column("type"), choices: new Set(taskTypes) },
    user_id: { type: "integer", value: column("user_id") },
    start_at: { type: "timestamp", value: column("start_at") },
    end_at: { type: "timestamp", value: column("end_at") },
    completed_at: { type: "timestamp", value: column("completed_at") },
    created_at: { type: "timestamp", value: column("created_at") },
    status: {
      type: "choice",
      value: {
        kind: "column",
        sql: (own) =>
          sql`case when ${identifier(own, "completed_at")} is not null then 'completed'
            when ${identifier(own, "end_at")} < ${sql`${at}`} then 'overdue'
            when ${identifier(own, "start_at")} > ${sql`${at}`} then 'later' else 'pending' end`,
      },
      choices: new Set(taskStatuses),
    },
  };
}
