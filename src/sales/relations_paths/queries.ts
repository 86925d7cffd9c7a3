/** Reads of relations paths and of their activity types. */
import { type Caller, isAdmin, listOwnTeams, seesOwned } from "../../core/access.ts";
import { ok } from "../../core/answer.ts";
import { notFound } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { type List, readList } from "../../lists/list.ts";
import { selectTotal } from "../../lists/totals.ts";
import { makeCompanyScope, type Scope } from "../../db/scope.ts";
import { composeJsonMembers, selectColumns, type Sql, sql } from "../../db/statements.ts";
import { type ListQuery, page, parsePaging } from "../../http/lists.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import { checkMayWritePath } from "./ownership.ts";
import {
  type ActivityTypeRow,
  type PathRecord,
  presentPath,
  readPathRow,
  type RelationsPathRow,
} from "./present.ts";
import { pathSorts } from "./schema.ts";
import { activityTypes, relationsPaths } from "./table.ts";

const typeColumns: readonly (keyof ActivityTypeRow)[] = [
  "id",
  "company_id",
  "relations_path_id",
  "is_milestone",
  "name",
  "description",
  "type",
  "sort_order",
  "set_status",
  "suggest_task_after",
  "template_id",
  "content_suggestions",
  "extra_step_id",
  "extra_step_name",
  "additional_steps",
  "automated_communications",
  "chance_of_success",
  "retired_at",
];

/** SQL: the activity type of the alias `t` as JSON of an `ActivityTypeRow`. */
export const activityTypeJson = sql`json_object(${composeJsonMembers(typeColumns, "t")})`;

/** SQL: the JSON list of the activity types of the path `p` that are not retired, in their order. */
const activityTypesJson = sql`(select json_group_array(${activityTypeJson} order by t.sort_order, t.id)
  from activity_types t where t.relations_path_id = p.id and t.retired_at is null)`;

const pathColumns: readonly (keyof RelationsPathRow)[] = [
  "id",
  "company_id",
  "team_id",
  "group_id",
  "kept_for",
  "name",
  "is_sales_type",
  "bytes",
  "created_by",
  "created_at",
  "updated_at",
  "version",
];

/** SQL: the path of the alias `p` as JSON of a `PathRecord`. */
export const pathJson = sql`json_object(${composeJsonMembers(pathColumns, "p")},
  'activity_types', json(${activityTypesJson}))`;

const rowColumns = sql`${selectColumns(relationsPaths, "p")}, ${activityTypesJson} as activity_types`;

export const pathList: List = {
  table: "relations_paths",
  alias: "p",
  columns: rowColumns,
  sorts: pathSorts,
  order: "-created_at",
};

/** Reads a path of the company for `readPathRow`, without a check of visibility. */
export function selectPathById(id: string | Sql, companyId: number): Statement {
  return sql`select ${rowColumns} from relations_paths p where p.id = ${id} and p.company_id = ${companyId}`;
}

/**
 * Reads the results of `selectPathById` and `selectPathWriteFacts`. Throws 404 when the caller does not see the path, 403
 * when the caller may not change it.
 */
export function requirePathToWrite(caller: Caller, found: Result, facts: Result): PathRecord {
  const row = found.rows[0];
  const path = row ? readPathRow(row) : null;
  if (!path || !seesOwned(caller, path)) throw notFound();
  checkMayWritePath(caller, path, facts.rows[0]!);
  return path;
}

/**
 * Reads the activity types of a path (SQL) that have one of the ids and are not retired: milestones before
 * supportive ones, the highest first.
 */
export function selectActivityTypesAmong(path: Sql, ids: readonly string[]): Statement {
  return sql`select ${selectColumns(activityTypes, "t")} from activity_types t
    where t.relations_path_id = ${path} and t.retired_at is null
    and t.id in (select value from json_each(${JSON.stringify(ids)})) order by t.is_milestone desc,
    t.sort_order desc, t.id desc`;
}

/** The scope of `seesOwned` for a list of paths. */
function pathScope(caller: Caller): Scope {
  if (isAdmin(caller)) return makeCompanyScope(caller);
  const teams = listOwnTeams(caller).map((id) => `t${id}`);
  const values = ["", `k${caller.userId}`, ...teams, ...caller.groupIds.map((id) => `g${id}`)];
  return { companyId: caller.companyId, streams: [{ column: "reader", values }] };
}

export async function getPath(ctx: Context, id: string) {
  const [found] = await ctx.deps.db.read([selectPathById(id, ctx.caller.companyId)]);
  const row = found!.rows[0];
  if (!row) throw notFound();
  const path = readPathRow(row);
  if (!seesOwned(ctx.caller, path)) throw notFound();
  return ok(presentPath(path));
}

export async function listPaths(ctx: Context, query: ListQuery, url: string) {
  const paging = parsePaging(query, pathList);
  const scope = pathScope(ctx.caller);
  const owners = scope.streams?.flatMap(({ values }) => values.map(String)) ?? null;
  const { rows, total } = await readList(ctx, pathList, {
    scope,
    paging,
    // The counters have the reader in their column `status`.
    totals: [selectTotal("relations_paths", makeCompanyScope(ctx.caller), owners)],
  });
  return page(
    { url, ctx },
    paging,
    rows,
    total,
    (row) => presentPath(readPathRow(row)),
  );
}
