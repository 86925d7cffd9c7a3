/**
 * Numbers of tasks: in all, and by status. They are counted by stage, and corrected by the few tasks whose
 * stage may differ from their status.
 */
import type { Scope } from "../../db/scope.ts";
import { identifier, joinSql, sql } from "../../db/statements.ts";
import { selectCountsBy } from "../../lists/counts_by.ts";
import type { Selection } from "../../lists/selection.ts";
import { selectTotalsBy } from "../../lists/totals.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import { type TaskStatus, taskStatuses } from "./record.ts";
import { taskIndexes } from "./filter_fields.ts";
import { elsewhere, hasStatus } from "./stages.ts";

/** Counts the selected tasks of the scope. Null: all tasks of a scope of teams, whose numbers counters have. */
export function selectTaskCounts(scope: Scope, selection: Selection | null, at: string): Statement[] {
  const list = { table: "tasks", alias: "task", indexes: taskIndexes };
  const sumsOfStages = sums((status) => sql`iif(status = ${status}, n, 0)`);
  const staged = selection
    ? selectCountsBy(list, scope, selection, { column: "stage", values: taskStatuses })
    : sql`select ${sumsOfStages} from (${selectTotalsBy("tasks", scope)})`;
  const tests = (selection?.conditions ?? []).map(({ test }) => sql` and ${test("t")}`);
  const corrections = elsewhere(scope, "t", at).map((part) => {
    const differences = sums((status) =>
      sql`iif(${hasStatus(sql`t`, status, at)}, 1, 0) - iif(t.stage = ${status}, 1, 0)`
    );
    return sql`select ${differences} from tasks t where ${part}${joinSql(tests, "")}`;
  });
  return [staged, ...corrections];
}

/** Reads the results of `selectTaskCounts`. */
export function readTaskCounts(results: readonly Result[]): Record<"all" | TaskStatus, number> {
  const counts = taskStatuses.map((status) =>
    [status, results.reduce((sum, { rows: [row] }) => sum + Number(row![status]), 0)] as const
  );
  const all = counts.reduce((sum, [, n]) => sum + n, 0);
  return { all, ...Object.fromEntries(counts) as Record<TaskStatus, number> };
}

function sums(of: (status: TaskStatus) => ReturnType<typeof sql>) {
  return joinSql(
    taskStatuses.map((status) => sql`coalesce(sum(${of(status)}), 0) as ${identifier(status)}`),
    ", ",
  );
}
