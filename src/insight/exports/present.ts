/** Report export → wire shape. */
import { object } from "../../core/json.ts";
import { formatTimestamp } from "../../core/time.ts";
import type { ReportExportRow } from "./table.ts";

export function presentExport({ id, file_id, status, format, created_at, expires_at }: ReportExportRow) {
  return object({
    export_id: id,
    file_id,
    status,
    format,
    created_at,
    expires_at: formatTimestamp(expires_at),
  });
}
