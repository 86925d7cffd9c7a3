import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { loadReader, parseQuestion, prefetchCompany } from "../reports/parameters.ts";
import { createExport } from "./create.ts";
import { getExport } from "./get.ts";
import { ExportBody, ExportQuery, ReportExport } from "./schema.ts";

const tag = "Reports";
const right = "reports.export";
const what =
  "The rows are those of `GET /v1/reports/metrics` at this moment, as the caller may see them. The columns " +
  "are the keys of the rows. Text that a spreadsheet would take for a formula gets an apostrophe in front. " +
  "A job writes the file; get the export again until its status is `done`.";

export const exportEndpoints: Endpoint[] = [
  endpoint({
    method: "get",
    path: "/v1/reports/export",
    operation: "exportReport",
    tag,
    summary: "Export figures",
    description: `${what} Each GET creates an export, HEAD none.`,
    right,
    query: ExportQuery,
    prefetch: prefetchCompany,
    creates: true,
    answers: { 200: { description: "The export, which is pending.", schema: ReportExport } },
  }, async (ctx, { query, prefetched }) => {
    const reader = await loadReader(ctx, prefetched);
    const question = parseQuestion(query, reader.company.timezone, ctx.now);
    const { format, compare = null } = query;
    return await createExport(ctx, { reader, question, compare, format, at: "query." });
  }),
  endpoint({
    method: "post",
    path: "/v1/reports/export",
    operation: "createReportExport",
    tag,
    summary: "Export figures, once for each idempotency key",
    description: what,
    right,
    body: ExportBody,
    prefetch: prefetchCompany,
    answers: { 200: { description: "The export, which is pending.", schema: ReportExport } },
  }, async (ctx, { body, prefetched }) => {
    const reader = await loadReader(ctx, prefetched);
    const question = parseQuestion(body, reader.company.timezone, ctx.now, "");
    const { format, compare = null } = body;
    return await createExport(ctx, { reader, question, compare, format, at: "" });
  }),
  endpoint({
    method: "get",
    path: "/v1/reports/export/:export_id",
    operation: "getReportExport",
    tag,
    summary: "Get an export",
    right,
    params: { export_id: "uuid" },
    answers: { 200: { description: "The export.", schema: ReportExport } },
  }, (ctx, { params }) => getExport(ctx, params.export_id)),
];
