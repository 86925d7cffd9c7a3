/**
 * Chooses a path by how many rows a time really has. Their estimate assumes that rows are created evenly until
 * now, but a company may import all its rows in a day, or have none since a month.
 */
import type { Scope } from "../db/scope.ts";
import { type Sql, sql } from "../db/statements.ts";
import { type AccessPath, choosePath, costOf, isComplete } from "./access_path.ts";
import type { ListCondition } from "./conditions.ts";
import { rowsOf } from "./plan.ts";

interface Asked {
  readonly table: string;
  readonly scope: Scope;
  readonly conditions: readonly ListCondition[];
}

/**
 * Returns the cheapest path. Where it depends on the number of rows in a time, it is chosen as it runs: by the
 * time from the first to the last row of the range, and if that is short, by a count of its rows up to the number
 * at which the other path costs less.
 */
export function chooseByTime(paths: readonly AccessPath[], asked: Asked): AccessPath | null {
  const { conditions } = asked;
  const best = choosePath(paths, conditions);
  const timed = cheapest(paths.filter(({ timed }) => timed), conditions);
  if (!best || !timed) return best;
  const other = choosePath(paths.filter((path) => path.timed?.column !== timed.timed!.column), conditions);
  if (!other) return best;
  const [cost, least] = [costOf(timed, conditions), costOf(other, conditions)];
  // The number of entries, as a share of all rows, that cost as much as the other path.
  const share = least * timed.read / cost;
  if (costOf(best, conditions) < Math.min(cost, least) || share < tooFew || share >= 1) return best;
  const inOrder = paths.find((path) => path.timed?.column === timed.timed!.column && path.timed.span);
  if (!inOrder) return best;
  // A path by team or status reads only a part of a time.
  const longest = share * inOrder.read / timed.read;
  return eitherByTime(timed, other, sql`${inOrder.timed!.span!} <= ${longest}`, share, asked);
}

/** A path so cheap is taken without a count of another's entries. */
const tooFew = 0.0003;

function cheapest(paths: readonly AccessPath[], conditions: readonly ListCondition[]): AccessPath | null {
  return paths.reduce<AccessPath | null>(
    (least, path) => least && costOf(least, conditions) <= costOf(path, conditions) ? least : path,
    null,
  );
}

function eitherByTime(
  timed: AccessPath,
  other: AccessPath,
  isShort: Sql,
  share: number,
  { table, scope, conditions }: Asked,
): AccessPath {
  const isExact = isComplete(other, conditions);
  const short = isExact && !isComplete(timed, conditions)
    ? sql`select y.rowid as row from ${rowsOf(table, scope, conditions, timed, timed.rowIds)}`
    : timed.rowIds;
  const counts = sql`most(n) as materialized (select cast(coalesce(sum(t.n), 0) * ${share} as integer)
      from totals t where t.company_id = ${scope.companyId} and t.kind = ${table}),
    short(yes) as materialized (select case when ${isShort} then (select count(*) from (
      select 1 from (${
    timed.timed!.entries
  }) limit (select n + 1 from most))) <= (select n from most) else 0 end)`;
  const rows = (rowIds: Sql, isTaken: Sql) =>
    sql`select row from (select row from (${rowIds}) limit iif((select ${isTaken} from short), -1, 0))`;
  return {
    rowIds: sql`with ${counts} ${rows(short, sql`yes`)} union all ${rows(other.rowIds, sql`not yes`)}`,
    isDistinct: other.isDistinct && timed.isDistinct,
    covers: isExact ? conditions : other.covers.filter((each) => timed.covers.includes(each)),
    inScope: isExact || (timed.inScope && other.inScope),
    read: Math.min(timed.read, other.read),
    found: Math.min(timed.found, other.found),
  };
}
