/** The caller's own sessions on the pages: the list, and ending one or all others. */
import { noContent, ok } from "../../core/answer.ts";
import { notFound } from "../../core/errors.ts";
import { formatTimestamp } from "../../core/time.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { bindRows, sql } from "../../db/statements.ts";
import { guardChanged } from "../../platform/database/database.ts";

/** The most sessions of the list, those that were used last. */
const most = 200;

export async function listSessions(ctx: Context) {
  const { userId, tokenId } = ctx.caller;
  const [found] = await ctx.deps.db.read([
    sql`select id, created_at, last_used_at, user_agent, address from sessions where user_id = ${userId}
      and expires_at > ${ctx.now} and id is not null
      order by coalesce(last_used_at, unixepoch(created_at) * 1000) desc, created_at desc, id
      limit ${bindRows(most)}`,
  ]);
  return ok({
    data: found!.rows.map((row) => ({
      id: row.id as string,
      created_at: row.created_at as string,
      last_used_at: row.last_used_at === null
        ? row.created_at as string
        : formatTimestamp(row.last_used_at as number),
      user_agent: row.user_agent as string | null,
      address: row.address as string | null,
      current: row.id === tokenId,
    })),
  });
}

/** Returns 204. The session may be the present one, which signs out. */
export async function endOwnSession(ctx: Context, id: string) {
  const { userId } = ctx.caller;
  const [found] = await ctx.deps.db.read([
    sql`select 1 from sessions where user_id = ${userId} and id = ${id} and expires_at > ${ctx.now}`,
  ]);
  if (found!.rows.length === 0) throw notFound();
  return await commit(ctx, {
    statements: [
      sql`delete from sessions where user_id = ${userId} and id = ${id}`,
      guardChanged("stale"),
    ],
    answer: noContent,
  });
}

/** Returns 204. Ends all sessions but the present one. */
export async function endOtherSessions(ctx: Context) {
  const { userId, tokenId } = ctx.caller;
  return await commit(ctx, {
    statements: [sql`delete from sessions where user_id = ${userId} and id is not ${tokenId}`],
    answer: noContent,
  });
}
