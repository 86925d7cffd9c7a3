/** Reads an export of the caller. */
import { notFound } from "../../core/errors.ts";
import { ok } from "../../core/answer.ts";
import type { Context } from "../../db/context.ts";
import { selectColumns, sql } from "../../db/statements.ts";
import type { Row } from "../../platform/database/database.ts";
import { presentExport } from "./present.ts";
import { type ReportExportRow, reportExports } from "./table.ts";

/**
 * Returns an export of the caller; 404 for any other. `file_id` is null until the file is written, and again
 * after it is deleted.
 */
export async function getExport({ deps, caller, now }: Context, id: string) {
  const [found] = await deps.db.read([
    sql`select ${selectColumns(reportExports, "e")}, (select f.id from files f where f.id = e.file_id) as file
      from report_exports e where e.id = ${id} and e.company_id = ${caller.companyId}
      and e.user_id = ${caller.userId} and e.expires_at > ${now}`,
  ]);
  const row = found!.rows[0] as (Row & ReportExportRow & { readonly file: string | null }) | undefined;
  if (!row) throw notFound();
  return ok(presentExport({ ...row, file_id: row.file }));
}
