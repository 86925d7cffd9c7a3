import type { Contribution } from "../../customers/filter_catalogue.ts";
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { answerList } from "../../http/lists.ts";
import { createRecordExport } from "./create.ts";
import { exportListing, getRecordExport, listRecordExports } from "./queries.ts";
import { RecordExport, RecordExportBody, RecordExportPage, RecordExportQuery } from "./schema.ts";

const tag = "Exports";
const right = "reports.export";

/** `contributions` are filter fields of related records. */
export function declareRecordExportEndpoints(contributions: readonly Contribution[]): Endpoint[] {
  return [
    endpoint({
      method: "post",
      path: "/v1/exports",
      operation: "createExport",
      tag,
      summary: "Export records to a file",
      description:
        "The records that are there now and that the caller sees, each once, as it is when it is read; sight and " +
        "rights are judged again while the file is written. An import reads the file back: in `csv`, text that a " +
        "spreadsheet would take for a formula gets an apostrophe in front, which imports take off. Get the export " +
        "again until its status is `done`; the file goes after 30 days. Leads take a filter from admins only, " +
        "products none.",
      right,
      body: RecordExportBody,
      answers: { 201: { description: "The export, which is pending.", schema: RecordExport } },
    }, (ctx, { body }) => createRecordExport(ctx, body, contributions)),
    endpoint(
      {
        method: "get",
        path: "/v1/exports",
        operation: "listExports",
        tag,
        summary: "List own exports",
        description: "The newest first.",
        right,
        query: RecordExportQuery,
        answers: { 200: { description: "The exports of the caller.", schema: RecordExportPage } },
      },
      async (ctx, input) =>
        await answerList(ctx, exportListing, input, (paging) => listRecordExports(ctx, paging)),
    ),
    endpoint({
      method: "get",
      path: "/v1/exports/:export_id",
      operation: "getExport",
      tag,
      summary: "Get an export",
      right,
      params: { export_id: "uuid" },
      answers: { 200: { description: "The export.", schema: RecordExport } },
    }, (ctx, { params }) => getRecordExport(ctx, params.export_id)),
  ];
}
