/** The board: open cases of a relations path in columns, by the highest milestone done. */
import { seesOwned } from "../../core/access.ts";
import { ok } from "../../core/answer.ts";
import { pageBudget } from "../../core/budgets.ts";
import { roundAmount } from "../../core/decimals.ts";
import { invalid, missingReference } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { testScope } from "../../db/scope.ts";
import { joinSql, type Sql, sql } from "../../db/statements.ts";
import { extractQuery } from "../../http/request.ts";
import type { Row } from "../../platform/database/database.ts";
import { type PathRecord, readPathRow } from "../relations_paths/present.ts";
import { selectPathById } from "../relations_paths/queries.ts";
import { chooseScope } from "./list.ts";
import { limitToSeenCases, makeCaseSelection } from "./list_conditions.ts";
import type { BoardQuery } from "./list_schema.ts";
import type { CaseStatus } from "./lifecycle.ts";
import { presentCaseEntry } from "./present.ts";
import { caseColumns, caseJoins, readCaseRow } from "./parts.ts";

/** Cards of a column without `per_column`. */
const cards = 20;

/** A milestone with the numbers of its column; the column of cases without a milestone has no id. */
interface Column {
  readonly id: string | null;
  readonly name: string;
  readonly sort_order: number;
  readonly set_status: CaseStatus | null;
  readonly chance_of_success: number | null;
  readonly n: number;
  readonly sum: number;
  readonly weighted: number;
}

/** Returns the columns of a path, each with its numbers and its first cases in the order of the list. */
export async function readBoard(ctx: Context, query: BoardQuery, url: string) {
  const { caller: { companyId }, deps } = ctx;
  const { relations_path_id: pathId, per_column = cards } = query;
  const found = selectFoundCases(ctx, query);
  const [path, company, columns, entries] = await deps.db.readOnThread([
    selectPathById(pathId, companyId),
    sql`select currency, product_mode from companies where id = ${companyId}`,
    selectColumns(pathId, found),
    sql`select ${caseColumns} from cases cs ${caseJoins}
      where cs.id in (select id from (${found}) where place <= ${per_column}) order by cs.important_key, cs.id`,
  ], { effort: "scan", company: companyId });
  const { id, name } = requireVisiblePath(ctx, path!.rows[0]);
  const { currency, product_mode } = company!.rows[0]! as { currency: string; product_mode: string };
  const amount = (value: number) => product_mode === "simple" ? 0 : roundAmount(value, currency);
  const shown = Map.groupBy(takeFitting(entries!.rows), (row) => row.highest_milestone_id as string | null);
  return ok({
    relations_path: { id, name },
    currency,
    columns: columns!.rows.map((row) => {
      const column = row as Row & Column;
      const rows = shown.get(column.id) ?? [];
      return {
        milestone: pickMilestone(column),
        count: column.n,
        sum: amount(column.sum),
        weighted_sum: amount(column.weighted),
        data: rows.map((row) => presentCaseEntry(readCaseRow(row), ctx)),
        next: column.n > rows.length ? listAddress(ctx.origin, url, column.id) : null,
      };
    }),
  });
}

/** Returns the first rows, as many as a page of a list may have characters. `next` of the columns has the others. */
function takeFitting(rows: readonly Row[]): readonly Row[] {
  let left = pageBudget;
  const end = rows.findIndex((row) => {
    for (const value of Object.values(row)) if (typeof value === "string") left -= value.length;
    return left < 0;
  });
  return end < 0 ? rows : rows.slice(0, end);
}

/** SQL: the open cases of the path that the caller sees and the query selects, each with its place in its column. */
function selectFoundCases(ctx: Context, query: BoardQuery): Sql {
  const { conditions } = makeCaseSelection(ctx, query);
  const scope = chooseScope(ctx.caller, query);
  const tests = [...conditions, ...limitToSeenCases(ctx.caller)].map(({ test }) => test("y"));
  return sql`select y.id, y.highest_milestone_id as milestone, y.offer_value as value,
      round(y.offer_value * y.chance_of_success / 100.0, 8) as weighted,
      row_number() over (partition by y.highest_milestone_id order by y.important_key, y.id) as place
    from cases y indexed by cases_on_board where y.company_id = ${scope.companyId}
      and y.relations_path_id = ${query.relations_path_id} and y.status = 'open'
      and ${joinSql([testScope(scope, "y"), ...tests], " and ")}`;
}

/** SQL: the columns in order: cases without a milestone, then the milestones, retired ones while they have cases. */
function selectColumns(pathId: string, found: Sql): Sql {
  return sql`with counted as materialized (select milestone, count(*) as n, round(sum(value), 8) as sum,
      round(sum(weighted), 8) as weighted from (${found}) group by milestone)
    select null as id, null as name, -1 as sort_order, null as set_status, null as chance_of_success,
      ifnull(max(c.n), 0) as n, ifnull(max(c.sum), 0) as sum, ifnull(max(c.weighted), 0) as weighted
      from (select 1) left join counted c on c.milestone is null
    union all select id, name, sort_order, set_status, chance_of_success, n, sum, weighted from (
      select t.id, t.name, t.sort_order, t.set_status, t.chance_of_success, ifnull(c.n, 0) as n,
      ifnull(c.sum, 0) as sum, ifnull(c.weighted, 0) as weighted
      from activity_types t left join counted c on c.milestone = t.id
      where t.relations_path_id = ${pathId} and t.is_milestone = 1 and (t.retired_at is null or c.milestone is not null)
      order by t.sort_order, t.id)`;
}

/** Throws 422 for a path that does not exist or that the caller does not see. */
function requireVisiblePath({ caller }: Context, row: Row | undefined): PathRecord {
  const path = row ? readPathRow(row) : null;
  if (path === null || !seesOwned(caller, path)) {
    throw invalid(missingReference("query.relations_path_id", "relations path"));
  }
  return path;
}

function pickMilestone({ id, name, sort_order, set_status, chance_of_success }: Column) {
  return id === null ? null : { id, name, sort_order, set_status, chance_of_success };
}

/** The address of the list of all cases of a column. */
function listAddress(origin: string, url: string, milestone: string | null): string {
  const parameters = extractQuery(url);
  parameters.set("relations_paths", parameters.get("relations_path_id")!);
  parameters.set("milestone_ids", milestone ?? "none");
  parameters.set("status", "open");
  parameters.delete("relations_path_id");
  parameters.delete("per_column");
  return `${origin}/v1/cases?${parameters}`;
}
