/** Reads and presents saved filters: the views of accounts and contacts that have a filter. */
import { notFound } from "../../core/errors.ts";
import { isUuid } from "../../core/ids.ts";
import type { Context } from "../../db/context.ts";
import { columnIs } from "../../lists/conditions.ts";
import { type List, type ListPage, readList } from "../../lists/list.ts";
import type { Paging } from "../../lists/paging.ts";
import { selectColumns, sql } from "../../db/statements.ts";
import type { Endpoint } from "../../http/endpoint.ts";
import { checkMayWrite, makeSharedScope, seesShared } from "../../identity/owners.ts";
import type { Row, Statement } from "../../platform/database/database.ts";
import type { Filtered } from "../filter_values.ts";
import { type SavedFilterRow, savedFilters } from "./table.ts";

export const savedFilterList: List = {
  table: "saved_filters",
  alias: "sf",
  columns: selectColumns(savedFilters, "sf"),
  sorts: { created_at: "created_at" },
  order: "-created_at",
};

export function listSavedFilters(ctx: Context, kind: Filtered, paging: Paging): Promise<ListPage> {
  const fixedConditions = [columnIs("kind", kind)];
  return readList(ctx, savedFilterList, { scope: makeSharedScope(ctx.caller), paging, fixedConditions });
}

export function selectSavedFilter(companyId: number, kind: Filtered, id: string): Statement {
  return sql`select ${selectColumns(savedFilters, "sf")} from saved_filters sf
    where sf.id = ${id} and sf.company_id = ${companyId} and sf.kind = ${kind}`;
}

/** Selects the saved filter that a list's query names (`filter_id`), in the company of the caller. */
export function prefetchSavedFilter(kind: Filtered): NonNullable<Endpoint["declared"]["prefetch"]> {
  return ({ filter_id: id }) => {
    if (typeof id !== "string" || !isUuid(id)) return null;
    return (userId) =>
      sql`select ${selectColumns(savedFilters, "sf")} from users u
        join saved_filters sf on sf.company_id = u.company_id
        where u.id = ${userId} and sf.id = ${id.toLowerCase()} and sf.kind = ${kind}`;
  };
}

/** Returns the filter; null when it does not exist or the caller does not see it. */
export function readVisibleFilter(ctx: Context, row: Row | null | undefined): SavedFilterRow | null {
  const filter = row as SavedFilterRow | null | undefined;
  const isSeen = filter && seesShared(ctx.caller, { record: filter, maker: filter.created_by });
  return isSeen ? filter : null;
}

/** Reads the filter; 404 when it does not exist or the caller does not see it. */
export async function readSavedFilter(ctx: Context, kind: Filtered, id: string): Promise<SavedFilterRow> {
  const [found] = await ctx.deps.db.read([selectSavedFilter(ctx.caller.companyId, kind, id)]);
  const row = readVisibleFilter(ctx, found!.rows[0]);
  if (!row) throw notFound();
  return row;
}

/**
 * Throws 403 unless the caller, who sees the filter, may change it: those who see a filter of a team may, for a group
 * and the company the rules of views count.
 */
export function checkMayChange({ caller }: Context, filter: SavedFilterRow): void {
  if (filter.team_id !== null || filter.created_by === caller.userId) return;
  checkMayWrite(caller, filter, { team_group_id: null });
}

export function presentSavedFilter(
  { id, name, filter, stopped_reason = null, created_at, updated_at }: SavedFilterRow,
) {
  return {
    id,
    name,
    filter: JSON.parse(filter) as readonly unknown[],
    stopped_reason,
    created_at,
    updated_at,
  };
}

/** Lists leave out the filter itself. */
export function presentFilterEntry(
  { id, name, stopped_reason = null, created_at, updated_at }: SavedFilterRow,
) {
  return { id, name, stopped_reason, created_at, updated_at };
}
