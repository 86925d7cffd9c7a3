/** Statements that create or end an export. */
import { insert, remove, type Sql, sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import type { Statement } from "../../platform/database/database.ts";
import { type ReportExportRow, reportExportRows, reportExports } from "./table.ts";

/** Inserts an export with its rows. `slices`: one JSON text for each slice of rows. */
export function insertExport(row: ReportExportRow, slices: readonly string[]): Statement[] {
  return [
    insert(reportExports, row),
    ...slices.map((rows, position) => insert(reportExportRows, { export_id: row.id, position, rows })),
  ];
}

/** Deletes the rows of an export whose file is written, or will not be. */
export function removeExportRows(id: string): Statement {
  return remove(reportExportRows, { export_id: id });
}

/** Deletes exports (a select of ids) with their rows. */
export function deleteExports({ deleteNaming }: Pick<Deps, "deleteNaming">, ids: Sql): Statement[] {
  return [
    ...deleteNaming("export", ids),
    sql`delete from report_exports where id in (${ids})`,
  ];
}
