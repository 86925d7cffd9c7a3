import { z } from "zod";
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { answerList } from "../../http/lists.ts";
import type { Paging } from "../../lists/paging.ts";
import type { StagedKind } from "../../staged/kind.ts";
import { importFile, importForm } from "./create.ts";
import { getErrorRows } from "./errors_csv.ts";
import { cancelImport, revertImport, startImport } from "./move.ts";
import { type ImportFacts, presentImport } from "./present.ts";
import {
  errorList,
  getImport,
  importList,
  keptList,
  listImportPart,
  listImports,
  presentError,
  presentKept,
} from "./queries.ts";
import {
  Import,
  ImportBody,
  ImportErrorPage,
  ImportErrorRows,
  ImportFields,
  ImportKeptPage,
  ImportPage,
  ImportQuery,
  mostBytes,
  uploadMs,
} from "./schema.ts";

const tag = "Imports";
const right = "imports.manage";
const one = { import_id: "uuid" } as const;

export function declareImportEndpoints(work: StagedKind): Endpoint[] {
  return [
    endpoint({
      method: "get",
      path: "/v1/imports",
      operation: "listImports",
      tag,
      summary: "List the caller's imports, of an admin all of the company",
      right,
      query: ImportQuery,
      answers: { 200: { description: "A page of imports, the newest first.", schema: ImportPage } },
    }, async (ctx, input) => {
      const read = (paging: Paging) => listImports(ctx, paging);
      const present = (row: object) => presentImport(row as ImportFacts);
      return await answerList(ctx, { list: importList, present }, input, read);
    }),
    endpoint(
      {
        method: "post",
        path: "/v1/imports",
        operation: "createImport",
        tag,
        summary: "Import records from a file",
        description:
          "A form whose fields come before its `file`, or JSON with `file_id`. Needs the rights of the " +
          "single calls too: `customers.create`, and `customers.update` where rows change records; `leads.create` " +
          "for leads, `products.manage` for products. Rows run as single calls of the caller, with their events. One import of a company runs at a time.",
        right,
        body: ImportFields,
        orJson: ImportBody,
        multipart: {
          file: {
            most: mostBytes,
            isBody: true,
            withinMs: uploadMs,
            description: "CSV with names in its first line, or a JSON object on each line. At most 100 MiB.",
          },
        },
        streamed: true,
        answers: { 201: { description: "The import.", schema: Import } },
      },
      async (ctx, { incoming, body }) =>
        incoming
          ? await importForm(ctx, incoming, work)
          : await importFile(ctx, body as z.output<typeof ImportBody>, work),
    ),
    endpoint({
      method: "get",
      path: "/v1/imports/:import_id",
      operation: "getImport",
      tag,
      summary: "Get an import",
      right,
      params: one,
      answers: { 200: { description: "The import.", schema: Import } },
    }, async (ctx, { params }) => await getImport(ctx, params.import_id)),
    endpoint({
      method: "get",
      path: "/v1/imports/:import_id/errors",
      operation: "listImportErrors",
      tag,
      summary: "List the faults of rows",
      right,
      params: one,
      query: ImportQuery,
      answers: { 200: { description: "A page of faults, by row.", schema: ImportErrorPage } },
    }, async (ctx, { params, ...input }) => {
      const read = (paging: Paging) => listImportPart(ctx, errorList, params.import_id, paging);
      return await answerList(ctx, { list: errorList, present: presentError }, input, read);
    }),
    endpoint({
      method: "get",
      path: "/v1/imports/:import_id/errors.csv",
      operation: "downloadImportErrors",
      tag,
      summary: "Download the rows that failed",
      description:
        "The file's own columns and `error` behind them, to mend and to import again. 409 once the " +
        "file is removed.",
      right,
      params: one,
      answers: {
        200: { description: "The rows.", schema: ImportErrorRows, media: "text/csv", attachment: true },
      },
      conflicts: ["import_state"],
    }, async (ctx, { params, outer }) => await getErrorRows(ctx, params.import_id, outer)),
    endpoint({
      method: "get",
      path: "/v1/imports/:import_id/kept",
      operation: "listImportKept",
      tag,
      summary: "List the records that a revert has left as they are",
      description:
        "`changed`: somebody has changed the record since. `in_use`: something hangs on it that the " +
        "import did not make. `deleted`: it is gone already.",
      right,
      params: one,
      query: ImportQuery,
      answers: { 200: { description: "A page of records, by row.", schema: ImportKeptPage } },
    }, async (ctx, { params, ...input }) => {
      const read = (paging: Paging) => listImportPart(ctx, keptList, params.import_id, paging);
      return await answerList(ctx, { list: keptList, present: presentKept }, input, read);
    }),
    endpoint({
      method: "post",
      path: "/v1/imports/:import_id/start",
      operation: "startImport",
      tag,
      summary: "Run what a dry run has checked",
      right,
      params: one,
      answers: { 202: { description: "The import, which runs or waits.", schema: Import } },
      conflicts: ["import_state"],
    }, async (ctx, { params }) => await startImport(ctx, params.import_id, work)),
    endpoint({
      method: "post",
      path: "/v1/imports/:import_id/cancel",
      operation: "cancelImport",
      tag,
      summary: "Cancel an import",
      description: "What is in stays. Nothing more is written than the rows in hand.",
      right,
      params: one,
      answers: { 200: { description: "The import, which has ended.", schema: Import } },
      conflicts: ["import_state"],
    }, async (ctx, { params }) => await cancelImport(ctx, params.import_id, work)),
    endpoint({
      method: "post",
      path: "/v1/imports/:import_id/revert",
      operation: "revertImport",
      tag,
      summary: "Revert an import",
      description:
        "Deletes what it made and puts back what it changed, within 30 days of its end. Records that " +
        "somebody has changed since, or on which something hangs, stay and are listed.",
      right,
      params: one,
      answers: { 202: { description: "The import, which is being reverted.", schema: Import } },
      conflicts: ["import_state"],
    }, async (ctx, { params }) => await revertImport(ctx, params.import_id, work)),
  ];
}
