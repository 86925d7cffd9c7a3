/** Report export → wire shape. */
import { formatTimestamp } from "../../core/time.ts";
import { presentFailure } from "../failures.ts";
import { exportFailures } from "./failures.ts";
import type { ReportExportRow } from "./table.ts";

export function presentExport(row: ReportExportRow) {
  const { id, file_id, status, failure, format, created_at, expires_at } = row;
  return {
    export_id: id,
    file_id,
    status,
    error: presentFailure(exportFailures, failure),
    format,
    created_at,
    expires_at: formatTimestamp(expires_at),
  };
}
