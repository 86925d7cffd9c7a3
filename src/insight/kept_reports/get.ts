/** Reads a kept report. */
import { isAdmin } from "../../core/access.ts";
import { ok } from "../../core/answer.ts";
import { notFound } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { selectColumns, sql } from "../../db/statements.ts";
import type { Row } from "../../platform/database/database.ts";
import { presentFailure } from "../failures.ts";
import { deliveryFailures } from "./failures.ts";
import { reportDeliveries, type ReportDeliveryRow } from "./table.ts";

/**
 * Returns a report to its readers, to the user whose figures it has, and to admins; 404 to others. No right
 * is needed.
 */
export async function getReportDelivery({ deps, caller }: Context, id: string) {
  const { companyId, userId } = caller;
  const [found] = await deps.db.read([
    sql`select ${selectColumns(reportDeliveries, "d")}, (select f.id from files f
      where f.id = d.file_id) as file,
      exists (select 1 from report_readers r where r.report_id = d.id and r.user_id = ${userId}) as is_reader
      from report_deliveries d where d.id = ${id} and d.company_id = ${companyId}`,
  ]);
  const row = found!.rows[0] as (Row & ReportDeliveryRow & { file: string | null }) | undefined;
  if (!row || !(row.is_reader === 1 || row.user_id === userId || isAdmin(caller))) throw notFound();
  const { scheduled_report_id, name } = row;
  return ok({
    id: row.id,
    scheduled_report: scheduled_report_id === null ? null : { id: scheduled_report_id, name: name ?? "" },
    start_at: row.start_at,
    end_at: row.end_at,
    data: JSON.parse(row.data),
    file_id: row.file,
    error: presentFailure(deliveryFailures, row.failure),
    created_at: row.created_at,
  });
}
