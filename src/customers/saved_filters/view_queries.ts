/** Reads views. */
import { factsOfOwner, makeSharedScope, seesShared } from "../../identity/owners.ts";
import { ok } from "../../core/answer.ts";
import { notFound } from "../../core/errors.ts";
import { chooseKindOfView, type ViewEntity } from "./kinds.ts";
import { type SavedFilterRow, savedFilters } from "./table.ts";
import type { Context } from "../../db/context.ts";
import { selectColumns, sql } from "../../db/statements.ts";
import { columnIn } from "../../lists/conditions.ts";
import { type List, type ListPage, readList } from "../../lists/list.ts";
import type { Paging } from "../../lists/paging.ts";
import type { Result, Row, Statement } from "../../platform/database/database.ts";
import { presentView, viewSorts } from "./view_schema.ts";

export const viewList: List = {
  table: "saved_filters",
  alias: "o",
  columns: selectColumns(savedFilters, "o"),
  sorts: viewSorts,
  order: "position",
};

/** A page of the views that the caller sees, and their number. */
export function listViews(ctx: Context, entity: ViewEntity | undefined, paging: Paging): Promise<ListPage> {
  const kinds = entity && [...new Set([chooseKindOfView(entity, true), chooseKindOfView(entity, false)])];
  const fixedConditions = kinds ? [columnIn("kind", kinds)] : [];
  return readList(ctx, viewList, { scope: makeSharedScope(ctx.caller), paging, fixedConditions });
}

/** Reads a view of the company for `requireView`, with the facts of its owner. */
export function selectViewById(companyId: number, id: string): Statement {
  return sql`select ${selectColumns(savedFilters, "o")}, ${factsOfOwner} from saved_filters o
    where o.id = ${id} and o.company_id = ${companyId}`;
}

/** Returns the view; 404 when the caller does not see it. */
export function requireView({ caller }: Context, found: Result): SavedFilterRow & Row {
  const view = found.rows[0] as (SavedFilterRow & Row) | undefined;
  if (!view || !seesShared(caller, { record: view, maker: view.created_by })) throw notFound();
  return view;
}

export async function getView(ctx: Context, id: string) {
  const [found] = await ctx.deps.db.read([selectViewById(ctx.caller.companyId, id)]);
  return ok(presentView(requireView(ctx, found!)));
}
