/** What a record was merged into. */
import { notFound, Problem } from "../core/errors.ts";
import type { Context } from "../db/context.ts";
import { makeTeamScope, testScope } from "../db/scope.ts";
import { identifier, sql } from "../db/statements.ts";

/** Returns what `read` does. Its 404 says what the record was merged into, where the caller sees that. */
export async function orMergedInto<T>(
  ctx: Context,
  table: "accounts" | "contacts",
  id: string,
  read: () => Promise<T>,
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "not_found") throw error;
    const [found] = await ctx.deps.db.read([sql`with recursive went(id) as (
        select into_id from merged_records where from_id = ${id}
        union select r.into_id from went join merged_records r on r.from_id = went.id)
      select c.id from went cross join ${identifier(table)} c on c.id = went.id
      where ${testScope(makeTeamScope(ctx.caller), "c")}`]);
    const into = found!.rows[0]?.id as string | undefined;
    if (into === undefined) throw error;
    const { detail } = notFound("The record was merged into another one.");
    throw new Problem(404, "not_found", detail, { members: { merged_into: into } });
  }
}
