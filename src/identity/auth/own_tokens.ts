/** The tokens that the caller has out: seen, and ended before their time. */
import { type Answer, noContent } from "../../core/answer.ts";
import { notFound } from "../../core/errors.ts";
import { type Json, object } from "../../core/json.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { asideFor, type Paging, skippedBy } from "../../lists/pages.ts";
import { remove, sql, statement } from "../../db/statements.ts";
import { sha256 } from "../../platform/crypto.ts";
import { guardChanged, type Row } from "../../platform/database/database.ts";
import { endFamily } from "./revoke.ts";
import { accessTokens } from "./table.ts";

export const tokenSorts = { created_at: "created_at" };

/** A page of the caller's access tokens that have not expired, and how many there are. */
export async function listTokens(ctx: Context, paging: Paging): Promise<{ rows: Row[]; total: number }> {
  const { descending } = paging.sort;
  const [direction, beyond] = descending ? ["desc", "<"] : ["asc", ">"];
  const own = "from access_tokens t join applications a on a.client_id = t.client_id " +
    "where t.user_id = ? and t.expires_at > ?";
  const [rows, count] = await ctx.deps.db.read([
    {
      ...statement(
        `select t.id, t.created_at, a.name as client_name, t.created_at as page_key, t.id as page_id ${own}` +
          (paging.after ? ` and (t.created_at, t.id) ${beyond} (?, ?)` : "") +
          ` order by t.created_at ${direction}, t.id ${direction} limit ? + 0 offset ? + 0`,
        ctx.caller.userId,
        ctx.now,
        ...(paging.after ?? []),
        paging.per_page + 1,
        skippedBy(paging),
      ),
      ...asideFor(ctx.caller.companyId, skippedBy(paging)),
    },
    statement(`select count(*) as n ${own}`, ctx.caller.userId, ctx.now),
  ]);
  return { rows: rows!.rows, total: count!.rows[0]!.n as number };
}

/** A token never changes: it is as it was made. */
export function presentToken(row: Row): Json {
  return object({
    client_name: row.client_name as string,
    token: row.id as string,
    created_at: row.created_at as string,
    updated_at: row.created_at as string,
  });
}

/** 204. `token` is the identifier or the token itself; all that came of the same sign-in ends with it. */
export async function deleteToken(ctx: Context, token: string): Promise<Answer> {
  const [found] = await ctx.deps.db.read([
    sql`select hash, family_id from access_tokens where user_id = ${ctx.caller.userId} and expires_at > ${ctx.now} and (id = ${token} or hash = ${
      sha256(token)
    })`,
  ]);
  const row = found!.rows[0] as { hash: string; family_id: string | null } | undefined;
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
