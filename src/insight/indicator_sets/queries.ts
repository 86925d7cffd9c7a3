/** Reads of indicator sets. */
import { factsOfOwner, listOwnersSeen, makeSharedScope } from "../../identity/owners.ts";
import { type Caller, isAdmin } from "../../core/access.ts";
import { ok } from "../../core/answer.ts";
import { notFound } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { testScope } from "../../db/scope.ts";
import { selectColumns, sql } from "../../db/statements.ts";
import { type List, type ListPage, readList } from "../../lists/list.ts";
import type { Paging } from "../../lists/paging.ts";
import { selectOwnedTotal } from "../../lists/totals.ts";
import type { Result, Row, Statement } from "../../platform/database/database.ts";
import { type IndicatorSetListQuery, setSorts } from "./schema.ts";
import { type IndicatorSetRow, indicatorSets, presentSet, seesSet } from "./record.ts";

export const indicatorSetList: List = {
  table: "indicator_sets",
  alias: "o",
  columns: selectColumns(indicatorSets, "o"),
  sorts: setSorts,
  order: "-created_at",
  isCounted: true,
};

/** A page of the sets that the caller sees, or of those with one of the ids, and their number. */
export function listIndicatorSets(
  ctx: Context,
  { ids }: IndicatorSetListQuery,
  paging: Paging,
): Promise<ListPage> {
  const scope = makeSharedScope(ctx.caller);
  if (ids === undefined) {
    return readList(ctx, indicatorSetList, { scope, paging, totals: selectTotals(ctx.caller) });
  }
  const chosen = sql`select s.id from indicator_sets s where s.id in (select value
    from json_each(${JSON.stringify(ids)})) and ${testScope(scope, "s")}`;
  return readList(ctx, indicatorSetList, {
    scope,
    paging,
    ids: chosen,
    totals: [sql`select count(*) as n from (${chosen})`],
  });
}

/**
 * Returns reads of `n`, whose sum is the number of sets that the caller sees. The counters have the owner in
 * their column `status`.
 */
function selectTotals(caller: Caller): Statement[] {
  const { companyId, userId } = caller;
  if (!isAdmin(caller)) return [selectOwnedTotal("indicator_sets", companyId, listOwnersSeen(caller))];
  return [
    selectOwnedTotal("indicator_sets", companyId, [`u${userId}`]),
    // The owners of shared sets (empty, `g…`, `k…`, `t…`) sort before those of private sets (`u…`).
    sql`select coalesce(sum(n), 0) as n from totals where company_id = ${companyId}
      and kind = 'indicator_sets' and team_id = 0 and status < 'u'`,
  ];
}

/** Reads a set of the company for `requireSeenSet`, with the facts of its owner. */
export function selectIndicatorSetById(companyId: number, id: string): Statement {
  return sql`select ${selectColumns(indicatorSets, "o")}, ${factsOfOwner} from indicator_sets o
    where o.id = ${id} and o.company_id = ${companyId}`;
}

/** Returns the set; 404 when the caller does not see it. */
export function requireSeenSet(caller: Caller, found: Result): IndicatorSetRow & Row {
  const set = found.rows[0] as (IndicatorSetRow & Row) | undefined;
  if (!set || !seesSet(caller, set)) throw notFound();
  return set;
}

export async function getIndicatorSet(ctx: Context, id: string) {
  const [found] = await ctx.deps.db.read([selectIndicatorSetById(ctx.caller.companyId, id)]);
  return ok(presentSet(requireSeenSet(ctx.caller, found!)));
}
