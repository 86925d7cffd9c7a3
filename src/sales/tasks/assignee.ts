/** Who is to do a task: a user of the company who sees its case. */
import type { Context } from "../../db/context.ts";
import { visibleTeamIds } from "../../db/scope.ts";
import { type Sql, statement } from "../../db/statements.ts";
import { guardThat, type Result, type Statement } from "../../platform/database/database.ts";

export interface Assignee {
  readonly id: number;
  readonly name: string;
}

/** Reads the user of an id, where that one may do a task of the case (an expression for its id), and the caller's name. */
export function assigneeOf(ctx: Context, caseId: Sql, userId: number): Statement {
  const { companyId, userId: callerId } = ctx.caller;
  return statement(
    "select me.first_name || ' ' || me.last_name as author, u.id, u.first_name || ' ' || u.last_name as name " +
      `from users me left join users u on u.id = ? and ${mayDo(caseId, "?")} where me.id = ?`,
    userId,
    companyId,
    ...caseId.args,
    callerId,
  );
}

/** What `assigneeOf` found: the caller's name, and the user. */
export function readAssignee({ rows: [row] }: Result): { author: string; user: Assignee | null } {
  const { author, id, name } = row!;
  const user = id === null ? null : { id: id as number, name: name as string };
  return { author: author as string, user };
}

/** Refuses the batch when the user may not do a task of the case any more. */
export function guardAssignee(ctx: Context, caseId: Sql, user: Assignee): Statement {
  return guardThat(
    "assignee",
    statement(
      `exists (select 1 from users u where u.id = ? and ${mayDo(caseId, "?")})`,
      user.id,
      ctx.caller.companyId,
      ...caseId.args,
    ),
  );
}

/** SQL: whether the user `u` is of the company (an expression for its id) and sees the case. */
export function mayDo(caseId: Sql, companyId: string): string {
  return `u.company_id = ${companyId} and u.deleted_at is null and exists (select 1 from cases cs ` +
    `where cs.id = ${caseId.sql} and (cs.team_id is null or u.user_type = 1 ` +
    `or cs.team_id in (${visibleTeamIds("u.id")})))`;
}
