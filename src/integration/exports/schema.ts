/** Wire shapes of exports of records. */
import { z } from "zod";
import { Nodes } from "../../filters/schema.ts";
import { describePage, paging } from "../../http/lists.ts";
import { importEntities } from "../columns/entities.ts";
import { exportFormats, exportStatuses } from "./table.ts";

/** The most columns of a file. */
export const mostColumns = 500;

export const RecordExportBody = z.object({
  entity: z.enum(importEntities),
  format: z.enum(exportFormats).default("csv").meta({
    description:
      "`csv`: UTF-8 with a byte order mark, commas, CRLF. `ndjson`: an object a line. `xlsx`: a workbook " +
      "of one sheet.",
  }),
  columns: z.array(z.string()).min(1, "At least 1 column.").max(
    mostColumns,
    `At most ${mostColumns} columns.`,
  )
    .optional().meta({
      description:
        "Names of `GET /v1/imports/fields/:entity`, and `id`, `status`, `updated_at`, `user`, `team`. " +
        "Without it: all that an import can set, without `full_name` and, for contacts, with the account's " +
        "`external_id` and `name` alone; of custom fields those of the company.",
    }),
  filter: Nodes.optional(),
  filter_id: z.uuid().optional().meta({ description: "A saved filter of accounts or contacts." }),
}).meta({
  id: "RecordExportBody",
  required: ["entity"],
  example: { entity: "contacts", format: "csv", columns: ["last_name", "email", "account.name"] },
});

export const RecordExport = z.object({
  id: z.uuid(),
  entity: z.enum(importEntities),
  format: z.enum(exportFormats),
  status: z.enum(exportStatuses).meta({
    description:
      "`failed`: the file could not be written (for two days, while the place of the files is away), the files of " +
      "the company may take no more, or its user may not export any more.",
  }),
  rows: z.int().meta({ description: "The rows that are written so far.", example: 1200 }),
  file_id: z.string().nullable().meta({
    description: "A file of the caller, once the status is `done`; null again when it was deleted.",
  }),
  created_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
  finished_at: z.string().nullable().meta({ example: "2026-01-31 10:00:09" }),
  user: z.object({ id: z.int(), name: z.string() }),
}).meta({ id: "RecordExport", description: "Records in a file, which goes after 30 days." });

export const RecordExportPage = describePage(RecordExport, "RecordExportPage");
export const RecordExportQuery = z.object(paging);
