/** The caller's own tokens: lists them, and ends one. */
import { and, eq, gt, or } from "drizzle-orm";
import { noContent } from "../../core/answer.ts";
import { notFound } from "../../core/errors.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { type Paging, threadDeepPages } from "../../lists/paging.ts";
import { drizzle, type Param, prepareQuery } from "../../db/prepared_statements.ts";
import { bindRows, remove, sql } from "../../db/statements.ts";
import { sha256 } from "../../platform/crypto.ts";
import { guardChanged, type Row } from "../../platform/database/database.ts";
import { endFamily } from "../tokens/revoke.ts";
import { accessTokens } from "./table.ts";

export const tokenOrder = { sorts: { created_at: "created_at" }, order: "-created_at" };

/** Returns a page of the caller's unexpired access tokens, and their total. */
export async function listTokens(ctx: Context, paging: Paging): Promise<{ rows: Row[]; total: number }> {
  const { descending } = paging.sort;
  const [direction, beyond] = descending ? [sql`desc`, sql`<`] : [sql`asc`, sql`>`];
  const own = sql`from access_tokens t join applications a on a.client_id = t.client_id
    where t.user_id = ${ctx.caller.userId} and t.expires_at > ${ctx.now}`;
  const after = paging.after
    ? sql` and (t.created_at, t.id) ${beyond} (${paging.after[0]}, ${paging.after[1]})`
    : sql``;
  const [rows, count] = await ctx.deps.db.read([
    {
      ...sql`select t.id, t.created_at, a.name as client_name, t.created_at as page_key, t.id as page_id
        ${own}${after} order by t.created_at ${direction}, t.id ${direction}
        limit ${bindRows(paging.per_page + 1)} offset ${bindRows(paging.offset)}`,
      ...threadDeepPages(ctx.caller.companyId, paging.offset),
    },
    sql`select count(*) as n ${own}`,
  ]);
  return { rows: rows!.rows, total: count!.rows[0]!.n as number };
}

/** Tokens never change, so both timestamps are equal. */
export function presentToken(row: Row) {
  return {
    client_name: row.client_name as string,
    token: row.id as string,
    created_at: row.created_at as string,
    updated_at: row.created_at as string,
  };
}

/** Returns 204. `token` is the identifier or the token itself. Ends all tokens of the same sign-in. */
export async function deleteToken(ctx: Context, token: string) {
  const [found] = await ctx.deps.db.read([ownToken(ctx.caller.userId, ctx.now, token, sha256(token))]);
  const row = ownToken.row(found);
  if (!row) throw notFound();
  return await commit(ctx, {
    statements: [
      remove(accessTokens, { hash: row.hash }),
      guardChanged("stale"),
      ...(row.family_id === null ? [] : endFamily(row.family_id)),
    ],
    answer: noContent,
  });
}

const ownToken = prepareQuery((
  userId: Param<number>,
  now: Param<number>,
  id: Param<string>,
  hash: Param<string>,
) =>
  drizzle.select({ hash: accessTokens.hash, family_id: accessTokens.family_id }).from(accessTokens).where(and(
    eq(accessTokens.user_id, userId),
    gt(accessTokens.expires_at, now),
    or(eq(accessTokens.id, id), eq(accessTokens.hash, hash)),
  ))
);
