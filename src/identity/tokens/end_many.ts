/** Ends the tokens of an application or a user with very many, before the commit that deletes their owner. */
import { type Author, writeBefore } from "../../db/commit.ts";
import { literal, type Sql, sql } from "../../db/statements.ts";
import type { Result, Statement } from "../../platform/database/database.ts";

/**
 * Tokens of each kind in a commit, so that it holds the write lock for less than 100 ms. Hashes are spread over their
 * indexes: among 200,000 tokens each deleted one changes pages of its own.
 */
export const mostTokens = 2_000;

/** The application or the user that is deleted. */
export type TokenOwner = { readonly client_id: string } | { readonly user_id: number };

const tables = [sql`access_tokens`, sql`refresh_tokens`] as const;

/** Reads for `endManyTokens` of which kinds the owner has more tokens than one commit deletes. */
export function readManyTokens(owner: TokenOwner): Statement[] {
  return tables.map((table) =>
    sql`select 1 from ${table} where ${compareOwner(owner)} limit 1 offset ${literal(mostTokens)}`
  );
}

/**
 * Deletes tokens of the owner in commits of their own, until one commit can delete the others with it. `tokenId`: the
 * caller's own token, which is needed until then; null: the caller has none. `first`: the results of `readManyTokens`.
 */
export async function endManyTokens(
  author: Author,
  owner: TokenOwner,
  tokenId: string | null,
  first: readonly Result[],
): Promise<void> {
  const own = sql`(select hash from access_tokens where id = ${tokenId})`;
  let found = first;
  for (;;) {
    const crowded = tables.filter((_, place) => found[place]!.rows.length > 0);
    if (crowded.length === 0) return;
    await writeBefore(
      author,
      crowded.map((table) =>
        sql`delete from ${table} where hash in (select hash from ${table} where ${compareOwner(owner)}
          and hash is not ${own} limit ${literal(mostTokens)})`
      ),
    );
    found = await author.deps.db.read(readManyTokens(owner));
  }
}

function compareOwner(owner: TokenOwner): Sql {
  return "user_id" in owner ? sql`user_id = ${owner.user_id}` : sql`client_id = ${owner.client_id}`;
}
