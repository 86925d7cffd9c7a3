/** Reads of merges: those whose record the caller sees. */
import { seesTeam } from "../../core/access.ts";
import { ok } from "../../core/answer.ts";
import { notFound } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { makeTeamScope } from "../../db/scope.ts";
import { selectColumns, sql } from "../../db/statements.ts";
import { columnIn } from "../../lists/conditions.ts";
import { listIndexes } from "../../lists/indexes.ts";
import { type List, type ListPage, readList } from "../../lists/list.ts";
import type { Paging } from "../../lists/paging.ts";
import type { Result, Row, Statement } from "../../platform/database/database.ts";
import type { Moved } from "./schema.ts";
import { type MergeRow, merges } from "./table.ts";

const columns = sql`${selectColumns(merges, "merge", ["kept"])},
  maker.first_name || ' ' || maker.last_name as user_name`;
const joins = sql`left join users maker on maker.id = merge.user_id`;

export const mergeList: List = {
  table: "merges",
  alias: "merge",
  columns,
  joins,
  sorts: { created_at: "seq" },
  order: "-created_at",
  indexes: listIndexes(merges),
  isCounted: true,
};

/** A merge with the name of its user. */
export type MergeFacts = Omit<MergeRow, "kept"> & { readonly user_name: string | null };

export function presentMerge(row: Row) {
  const merge = row as Row & MergeFacts;
  return {
    id: merge.id,
    entity_type: merge.entity_type,
    entity_id: merge.entity_id,
    from_id: merge.from_id,
    moved: JSON.parse(merge.moved) as Moved,
    user: { id: merge.user_id, name: merge.user_name ?? "" },
    created_at: merge.created_at,
    undone_at: merge.undone_at,
  };
}

interface MergeConditions {
  readonly entity_type?: string | undefined;
  readonly entity_id?: string | undefined;
}

/** A page of the merges whose record the caller sees, the newest first. */
export function listMerges(ctx: Context, query: MergeConditions, paging: Paging): Promise<ListPage> {
  const conditions = [
    ...(query.entity_id === undefined ? [] : [columnIn("entity_id", [query.entity_id], 0.0005)]),
    ...(query.entity_type === undefined ? [] : [columnIn("entity_type", [query.entity_type], 0.5)]),
  ];
  return readList(ctx, mergeList, {
    scope: makeTeamScope(ctx.caller),
    paging,
    ...(conditions.length > 0 ? { selection: { conditions, paths: () => [] } } : {}),
  });
}

export async function getMerge(ctx: Context, id: string) {
  const [found] = await ctx.deps.db.read([selectMergeById(ctx.caller.companyId, id)]);
  return ok(presentMerge(requireMerge(ctx, found!)));
}

/** The read of `requireMerge`. */
export function selectMergeById(companyId: number, id: string): Statement {
  return sql`select ${columns}, merge.kept from merges merge ${joins}
    where merge.id = ${id} and merge.company_id = ${companyId}`;
}

/** Throws 404 when the merge does not exist or the caller does not see its record. */
export function requireMerge(ctx: Context, result: Result): MergeRow & Row {
  const row = result.rows[0] as (MergeRow & Row) | undefined;
  if (!row || !seesTeam(ctx.caller, row.team_id)) throw notFound();
  return row;
}
