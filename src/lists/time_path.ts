/**
 * Chooses a path by the actual number of rows in a range of time. The estimates of paths assume that rows are
 * created evenly until now, but a company may import all its rows in a day, or have created none for a month.
 */
import type { Scope } from "../db/scope.ts";
import { identifier, type Sql, sql } from "../db/statements.ts";
import {
  type AccessPath,
  choosePath,
  estimateCost,
  findCheapest,
  isComplete,
  selectPathColumns,
  type TimedEntries,
} from "./access_path.ts";
import type { ListCondition } from "./conditions.ts";
import { composePathRows } from "./plan.ts";

interface Asked {
  readonly table: string;
  readonly scope: Scope;
  readonly conditions: readonly ListCondition[];
}

/**
 * Returns the cheapest path. If that depends on the number of rows in a range of time, the statement itself
 * chooses. It compares the time from the first to the last row of the range; if that is short, it counts the
 * rows, up to the number at which the other path costs less. How many of these rows a team or a status has is
 * unknown, so a path that also searches by a team or a status is counted at once. This reads at most a ninth
 * of what the other path costs.
 */
export function chooseByTime(paths: readonly AccessPath[], asked: Asked): AccessPath | null {
  const { conditions } = asked;
  const best = choosePath(paths, conditions);
  const timed = findCheapest(paths.filter(({ timed }) => timed), conditions);
  if (!best || !timed) return best;
  const { name } = timed.timed!.column;
  const other = choosePath(paths.filter((path) => path.timed?.column.name !== name), conditions);
  if (!other) return best;
  const [cost, least] = [estimateCost(timed, conditions), estimateCost(other, conditions)];
  // The number of entries, as a share of all rows, that cost as much as the other path.
  const share = least * timed.read / cost;
  // `share` is not a number if neither path reads anything, such as rows of no team.
  if (!(share >= tooFew && share < 1)) return best;
  if (estimateCost(best, conditions) < Math.min(cost, least) && !other.isGuess) return best;
  const inOrder = paths.find((path) => path.timed?.column.name === name && path.timed.isOrder);
  if (!inOrder) return best;
  const isNarrowed = timed.read < inOrder.read &&
    timed.covers.some(({ column }) => column?.search === "equal");
  // A path by team or status reads only a part of the rows in a range of time.
  const longest = (other.isGuess ? broadTime : share) * inOrder.read / timed.read;
  const isShort = isNarrowed && !other.isGuess ? null : sql`${estimateSpan(inOrder.timed!)} <= ${longest}`;
  return eitherByTime(timed, other, isShort, share, asked);
}

/**
 * SQL: the time from the first to the last entry of the range, as a share of the time from the company's
 * first to its last entry. Takes four searches of the index.
 */
function estimateSpan({ column, select }: TimedEntries): Sql {
  const at = column.of("c");
  const [within, all] = [undefined, []].map((by) =>
    sql`(julianday((${select(sql`max(${at})`, by)})) - julianday((${select(sql`min(${at})`, by)})))`
  );
  return sql`coalesce(${within!} / ${all!}, 0)`;
}

/** Below this share the other path is so cheap that the entries in the range of time are not counted. */
const tooFew = 0.0003;
/**
 * The text index is not used for a text that many rows contain, such as the domain of a mail service, if the
 * range of time has at most the share `broadTime` of the rows, and the text index finds more than `broadText`
 * times as many.
 */
const broadTime = 0.05;
const broadText = 2;

function eitherByTime(
  timed: AccessPath,
  other: AccessPath,
  isShort: Sql | null,
  share: number,
  { table, scope }: Asked,
): AccessPath {
  // Tests the rows of the short time for all that the other path covers, so that no row of the other is tested
  // again.
  const readsRows = !isComplete({ ...timed, inScope: timed.inScope || !other.inScope }, other.covers);
  const key = other.carries;
  const carries = key !== undefined && (readsRows || timed.carries === key) ? { carries: key } : {};
  const row = key === undefined ? sql`y.rowid as row` : sql`y.rowid as row, ${identifier("y", key)}`;
  const short = readsRows
    ? sql`select ${row} from ${composePathRows(table, scope, other.covers, timed)}`
    : timed.rowIds;
  const most = other.isGuess ? Math.max(share, broadTime) : share;
  // Whole numbers are compared: as a share, a number that has reached its limit can be rounded down to the limit.
  const atMost = (part: number) => sql`(select cast(n * ${part} as integer) from company)`;
  const isAtMost = (part: number) => sql`(select n from timed) <= ${atMost(part)}`;
  const tables = sql`company(n) as materialized (select coalesce(sum(t.n), 0)
      from totals t where t.company_id = ${scope.companyId} and t.kind = ${table}),
    timed(n) as materialized (
      select count(*) from (select 1 from (${timed.timed!.select(sql`1`)}) limit ${atMost(most)} + 1)),
    short(yes) as materialized (select case ${isShort ? sql`when not (${isShort}) then 0` : sql``}
      when ${isAtMost(share)} then 1
      when ${isAtMost(most)} then ${other.isGuess ? isBroad(other) : sql`0`} else 0 end)`;
  const columns = selectPathColumns(carries);
  return {
    tables,
    ...carries,
    rowIds: sql`select ${columns} from (
        select ${columns} from (${short}) limit iif((select yes from short), -1, 0))
      union all select ${columns} from (
        select ${columns} from (${other.rowIds}) limit iif((select yes from short), 0, -1))`,
    isDistinct: other.isDistinct && timed.isDistinct,
    covers: other.covers,
    inScope: other.inScope,
    read: Math.min(timed.read, other.read),
    found: Math.min(timed.found, other.found),
  };
}

/** SQL: whether the path finds more than `broadText` times as many rows as the range of time has. */
function isBroad({ rowIds }: AccessPath): Sql {
  const most = sql`(select n * ${broadText} from timed)`;
  return sql`(select count(*) from (select 1 from (${rowIds}) limit ${most} + 1)) > ${most}`;
}
