/** Reads of one task. A user who sees its case sees it. */
import { seesTeam } from "../../core/access.ts";
import { ok } from "../../core/answer.ts";
import { notFound } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { type Sql, sql } from "../../db/statements.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import { isNotRemoved, requireVisibleCase, selectCasesAmong } from "../cases/queries.ts";
import type { FullCase } from "../cases/parts.ts";
import { taskJson } from "../case_parts/tasks.ts";
import type { TaskRecord } from "./record.ts";
import { caseOfTaskJson, presentTaskRow } from "./of_case.ts";

export async function getTask(ctx: Context, id: string) {
  const [found] = await ctx.deps.db.read([
    sql`select ${taskJson} as record, ${caseOfTaskJson} as of, task.team_id from tasks task
      where task.id = ${id} and task.company_id = ${ctx.caller.companyId}`,
  ]);
  const row = found!.rows[0];
  if (!row || !seesTeam(ctx.caller, row.team_id as number | null)) throw notFound();
  return ok(presentTaskRow(row, ctx.at));
}

/** SQL: the id of the task's case, as a scalar subquery. */
export function selectCaseId(companyId: number, taskId: string): Sql {
  return sql`(select case_id from tasks where id = ${taskId} and company_id = ${companyId}
    and ${isNotRemoved(sql`case_id`)})`;
}

/** The three reads of `requireTask`: the case of the task in full. */
export function selectCaseOfTask(companyId: number, taskId: string): Statement[] {
  return selectCasesAmong(selectCaseId(companyId, taskId));
}

/** Returns the task and its case. Throws 404 when it does not exist or the caller does not see it. */
export function requireTask(ctx: Context, id: string, found: readonly Result[]): [TaskRecord, FullCase] {
  const of = requireVisibleCase(ctx, found);
  const task = of.tasks.find((each) => each.id === id);
  if (!task) throw notFound();
  return [task, of];
}
