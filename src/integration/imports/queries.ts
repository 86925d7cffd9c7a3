/** Reads of imports: by their maker and admins. */
import { isAdmin } from "../../core/access.ts";
import { ok } from "../../core/answer.ts";
import { notFound } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { makeOwnerScope, type Scope } from "../../db/scope.ts";
import { selectColumns, sql } from "../../db/statements.ts";
import { listIndexes } from "../../lists/indexes.ts";
import { type List, type ListPage, readList } from "../../lists/list.ts";
import type { Paging } from "../../lists/paging.ts";
import type { Result, Row, Statement } from "../../platform/database/database.ts";
import { type ImportFacts, presentImport } from "./present.ts";
import { importErrors, importKept, imports } from "./table.ts";

const columns = sql`${selectColumns(imports, "import")}, maker.first_name || ' ' || maker.last_name
  as maker_name`;
const joins = sql`left join users maker on maker.id = import.maker_id`;

export const importList: List = {
  table: "imports",
  alias: "import",
  columns,
  joins,
  sorts: { created_at: "created_at" },
  order: "-created_at",
  indexes: listIndexes(imports),
};

function makeScope({ caller }: Context): Scope {
  const { companyId, userId } = caller;
  return {
    companyId,
    streams: isAdmin(caller) ? null : [{ column: "maker_id", values: [userId] }],
  };
}

export function listImports(ctx: Context, paging: Paging): Promise<ListPage> {
  return readList(ctx, importList, { scope: makeScope(ctx), paging });
}

export const errorList: List = {
  table: "import_errors",
  alias: "error",
  columns: selectColumns(importErrors, "error"),
  id: "seq",
  sorts: { row: "row" },
  order: "row",
  indexes: listIndexes(importErrors),
};

export const keptList: List = {
  table: "import_kept",
  alias: "kept",
  columns: selectColumns(importKept, "kept"),
  id: "seq",
  sorts: { row: "row" },
  order: "row",
  indexes: listIndexes(importKept),
};

/** A page of what belongs to an import; 404 when the caller does not see it. */
export async function listImportPart(
  ctx: Context,
  list: List,
  id: string,
  paging: Paging,
): Promise<ListPage> {
  const page = await readList(ctx, list, {
    scope: makeOwnerScope(ctx.caller, "import_id", id),
    paging,
    extraReads: [selectImport(ctx.caller.companyId, id)],
  });
  requireImport(ctx, page.extraResults[0]!);
  return page;
}

/** The read of `requireImport`. */
export function selectImport(companyId: number, id: string): Statement {
  return sql`select ${columns} from imports import ${joins}
    where import.id = ${id} and import.company_id = ${companyId}`;
}

/** Throws 404 when the import does not exist or the caller does not see it. */
export function requireImport({ caller }: Context, result: Result): Row & ImportFacts {
  const row = result.rows[0] as (Row & ImportFacts) | undefined;
  if (!row || (row.maker_id !== caller.userId && !isAdmin(caller))) throw notFound();
  return row;
}

export async function getImport(ctx: Context, id: string) {
  const [found] = await ctx.deps.db.read([selectImport(ctx.caller.companyId, id)]);
  return ok(presentImport(requireImport(ctx, found!)));
}

export function presentError(row: Row) {
  const { row: number, column, path, code, message, value } = row as Row & typeof importErrors.$inferSelect;
  return { row: number, column, path, code, message, value };
}

export function presentKept(row: Row) {
  const { row: number, entity, record_id: id, reason } = row as Row & typeof importKept.$inferSelect;
  return { row: number, entity, id, reason };
}
