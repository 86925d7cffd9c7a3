/** Reads of exports: those of the caller. */
import { ok } from "../../core/answer.ts";
import { notFound } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { identifier, selectColumns, sql } from "../../db/statements.ts";
import { makeTestCondition } from "../../lists/conditions.ts";
import { listIndexes } from "../../lists/indexes.ts";
import { type List, type ListPage, readList } from "../../lists/list.ts";
import type { Paging } from "../../lists/paging.ts";
import type { Row } from "../../platform/database/database.ts";
import { type ExportRow, exports } from "./table.ts";

const columns = sql`${selectColumns(exports, "export", ["columns", "filter"])},
  (select f.id from files f where f.id = export.file_id) as file,
  (select u.first_name || ' ' || u.last_name from users u where u.id = export.user_id) as user_name`;

export const exportList: List = {
  table: "exports",
  alias: "export",
  columns,
  sorts: { created_at: "created_at" },
  order: "-created_at",
  indexes: listIndexes(exports),
};

/** An export with the name of its user; `file`: its file while that exists. */
export type ExportFacts = Omit<ExportRow, "columns" | "filter"> & {
  readonly file: string | null;
  readonly user_name: string | null;
};

export function presentRecordExport(row: ExportFacts) {
  return {
    id: row.id,
    entity: row.entity,
    format: row.format,
    status: row.status,
    rows: row.rows,
    file_id: row.file,
    created_at: row.created_at,
    finished_at: row.finished_at,
    user: { id: row.user_id, name: row.user_name ?? "" },
  };
}

export const exportListing = {
  list: exportList,
  present: (row: Row) => presentRecordExport(row as Row & ExportFacts),
};

/** A page of the caller's exports, the newest first. */
export function listRecordExports(ctx: Context, paging: Paging): Promise<ListPage> {
  const { companyId, userId } = ctx.caller;
  return readList(ctx, exportList, {
    scope: { companyId, streams: [{ column: "user_id", values: [userId] }] },
    paging,
    fixedConditions: [makeTestCondition((own) => sql`+${identifier(own, "expires_at")} > ${ctx.now}`, 1)],
  });
}

/** Returns an export of the caller; 404 for any other. */
export async function getRecordExport({ deps, caller, now }: Context, id: string) {
  const [found] = await deps.db.read([
    sql`select ${columns} from exports export where export.id = ${id} and export.company_id = ${caller.companyId}
      and export.user_id = ${caller.userId} and export.expires_at > ${now}`,
  ]);
  const row = found!.rows[0] as (Row & ExportFacts) | undefined;
  if (!row) throw notFound();
  return ok(presentRecordExport(row));
}
