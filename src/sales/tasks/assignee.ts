/** The assignee of a task: a user of the company who sees its case. */
import type { Context } from "../../db/context.ts";
import { selectVisibleTeamIds } from "../../db/scope.ts";
import { type Sql, sql } from "../../db/statements.ts";
import { guardThat, type Result, type Statement } from "../../platform/database/database.ts";

export interface Assignee {
  readonly id: number;
  readonly name: string;
}

/** Reads the name of the caller, and the user if that user may do a task of the case. `caseId` is SQL. */
export function selectAssignee(ctx: Context, caseId: Sql, userId: number): Statement {
  const { companyId, userId: callerId } = ctx.caller;
  return sql`select me.first_name || ' ' || me.last_name as author,
    u.id, u.first_name || ' ' || u.last_name as name
    from users me left join users u on u.id = ${userId} and ${mayDo(caseId, companyId)}
    where me.id = ${callerId}`;
}

/** Reads the result of `selectAssignee`. */
export function readAssignee({ rows: [row] }: Result): { author: string; user: Assignee | null } {
  const { author, id, name } = row!;
  const user = id === null ? null : { id: id as number, name: name as string };
  return { author: author as string, user };
}

/** Rejects the batch when the user may no longer do a task of the case. */
export function guardAssignee(ctx: Context, caseId: Sql, user: Assignee): Statement {
  return guardThat(
    "assignee",
    sql`exists (select 1 from users u where u.id = ${user.id} and ${mayDo(caseId, ctx.caller.companyId)})`,
  );
}

/** SQL: whether the user `u` belongs to the company and sees the case. */
export function mayDo(caseId: Sql, companyId: Sql | number): Sql {
  return sql`u.company_id = ${companyId} and u.deleted_at is null and exists (select 1 from cases cs
    where cs.id = ${caseId} and (cs.team_id is null or u.user_type = 1
    or cs.team_id in (${selectVisibleTeamIds(sql`u.id`)})))`;
}
