/** Reads of ranks. */
import { factsOfOwner, ownerScope, requireSeen } from "../../identity/owners.ts";
import type { Caller } from "../../core/access.ts";
import { ok } from "../../core/answer.ts";
import type { Context } from "../../db/context.ts";
import { makeCompanyScope } from "../../db/scope.ts";
import { identifier, joinSql, selectColumns, sql } from "../../db/statements.ts";
import { type List, type ListPage, readList } from "../../lists/list.ts";
import type { Paging } from "../../lists/paging.ts";
import { selectTotal } from "../../lists/totals.ts";
import type { Result, Row, Statement } from "../../platform/database/database.ts";
import { presentFullRank, presentScores, type RankFacts } from "./present.ts";
import { rankSorts } from "./schema.ts";
import { readPlaces, selectScores } from "./scores.ts";
import { type RankRow, ranks } from "./record.ts";

const listed: readonly (keyof RankRow)[] = [
  "id",
  "team_id",
  "name",
  "icon",
  "rule",
  "created_at",
  "updated_at",
];

export const rankList: List = {
  table: "ranks",
  alias: "o",
  columns: joinSql(listed.map((name) => identifier("o", name)), ", "),
  sorts: rankSorts,
  order: "-created_at",
  isCounted: true,
};

/** A page of the ranks that the caller sees, and their number. */
export function listRanks(ctx: Context, paging: Paging): Promise<ListPage> {
  const scope = ownerScope(ctx.caller);
  const owners = scope.streams?.flatMap(({ values }) => values.map(String)) ?? null;
  // The counters have the owner in their column `status`.
  return readList(ctx, rankList, {
    scope,
    paging,
    totals: [selectTotal("ranks", makeCompanyScope(ctx.caller), owners)],
  });
}

/** Reads a rank of the company for `requireRank`, with the facts of its owner. */
export function selectRankById(companyId: number, id: string): Statement {
  return sql`select ${selectColumns(ranks, "o")}, ${factsOfOwner},
    (select json_object('name', p.name, 'team_id', p.team_id, 'group_id', p.group_id,
      'kept_for', p.kept_for) from relations_paths p
      where p.id = o.relations_path_id) as path
    from ranks o where o.id = ${id} and o.company_id = ${companyId}`;
}

/** Returns the rank; 404 when the caller does not see it. */
export function requireRank(caller: Caller, found: Result): RankFacts & Row {
  return requireSeen<RankFacts>(caller, found);
}

/** Returns the rank with its settings; 404 when the caller does not see it. */
export async function getRank(ctx: Context, id: string) {
  const [found] = await ctx.deps.db.read([selectRankById(ctx.caller.companyId, id)]);
  return ok(presentFullRank(ctx.caller, requireRank(ctx.caller, found!)));
}

/** The days that scores count, up to and including this second. */
const scoredDays = 30;

/** The places of all who compete, by what they did in the last 30 days. */
export async function getScores(ctx: Context, id: string) {
  const { caller, deps, now } = ctx;
  const end = Math.floor(now / 1000) + 1;
  const [found, scores] = await deps.db.read([
    selectRankById(caller.companyId, id),
    selectScores(caller.companyId, id, { start: end - scoredDays * 86_400, end }),
  ]);
  requireRank(caller, found!);
  return ok(presentScores(readPlaces(scores!), caller.userId));
}
