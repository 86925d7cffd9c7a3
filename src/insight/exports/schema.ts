/** Wire shapes of exports. */
import { z } from "zod";
import { MetricsQuery } from "../reports/schema.ts";
import { failureSchema } from "../failures.ts";
import { compareMember, filterMembers, groupMembers } from "../reports/body_schema.ts";
import { exportFailures } from "./failures.ts";
import { exportFormats, exportStatuses } from "./table.ts";

const format = z.enum(exportFormats).default("csv").meta({
  description: "`csv`: UTF-8 with a byte order mark, commas, CRLF. `xlsx`: a workbook of one sheet.",
  example: "csv",
});

export const ExportQuery = MetricsQuery.extend({ format });

export const ExportBody = z.object({ ...filterMembers, ...groupMembers, ...compareMember, format }).meta({
  id: "ExportBody",
  example: { indicators: ["cases.closed", "cases.closed.value"], group_by: ["team"], format: "xlsx" },
});

export const ReportExport = z.object({
  export_id: z.string().meta({ example: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a001" }),
  file_id: z.string().nullable().meta({
    description: "A file of the caller, once the status is `done`; null again when it was deleted.",
    example: null,
  }),
  status: z.enum(exportStatuses).meta({
    description: "`failed`: the file could not be written, or the files of the company may take no more.",
    example: "pending",
  }),
  error: failureSchema(exportFailures, "file_quota").meta({
    description: "Why the export has failed; null otherwise.",
    example: null,
  }),
  format: z.enum(exportFormats).meta({ example: "csv" }),
  created_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
  expires_at: z.string().meta({
    description: "When the export and its file are removed: after 30 days.",
    example: "2026-03-02 10:00:00",
  }),
}).meta({ id: "ReportExport" });
