import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { page, parsePaging } from "../../http/lists.ts";
import { createScheduledReport } from "./create.ts";
import { deleteScheduledReport } from "./delete.ts";
import type { ScheduleFacts } from "./facts.ts";
import { presentScheduleSummary } from "./present.ts";
import { getScheduledReport, listScheduledReports, scheduledReportList } from "./queries.ts";
import {
  ScheduledReport,
  ScheduledReportBody,
  ScheduledReportChange,
  ScheduledReportListQuery,
  ScheduledReportPage,
} from "./record.ts";
import { sendScheduledReport } from "./send.ts";
import { updateScheduledReport } from "./update.ts";

const tag = "Scheduled reports";
const right = "reports.schedule" as const;
const one = { scheduled_report_id: "uuid" } as const;

export const scheduledReportEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "get",
    path: "/v1/reports/scheduled",
    operation: "listScheduledReports",
    tag,
    summary: "List scheduled reports",
    description:
      "The caller's own and those that the caller receives; admins see all. Recipients need no right.",
    query: ScheduledReportListQuery,
    answers: { 200: { description: "A page of scheduled reports.", schema: ScheduledReportPage } },
  }, async (ctx, { query, url }) => {
    const paging = parsePaging(query, scheduledReportList);
    const { rows, total } = await listScheduledReports(ctx, query, paging);
    const present = (row: typeof rows[number]) =>
      presentScheduleSummary(ctx.caller, row as ScheduleFacts & typeof row);
    return page({ url, ctx }, paging, rows, total, present);
  }),
  endpoint({
    method: "post",
    path: "/v1/reports/scheduled",
    operation: "createScheduledReport",
    tag,
    summary: "Schedule a report",
    description:
      "Delivered at 06:00 in the company's time zone on the first day after each period: totals, a table " +
      "by user, and a PDF. The figures are those that the maker may see at that moment. " +
      "Each recipient gets a notification, and a mail with the figures and the PDF.",
    right,
    body: ScheduledReportBody,
    answers: { 200: { description: "The new scheduled report.", schema: ScheduledReport } },
  }, (ctx, { body }) => createScheduledReport(ctx, body)),
  endpoint({
    method: "get",
    path: "/v1/reports/scheduled/:scheduled_report_id",
    operation: "getScheduledReport",
    tag,
    summary: "Get a scheduled report with its recipients and filters",
    params: one,
    answers: { 200: { description: "The scheduled report.", schema: ScheduledReport } },
  }, (ctx, { params }) => getScheduledReport(ctx, params.scheduled_report_id)),
  endpoint({
    method: "put",
    path: "/v1/reports/scheduled/:scheduled_report_id",
    operation: "updateScheduledReport",
    tag,
    summary: "Change a scheduled report",
    description: "For its maker and admins. A new frequency applies from now on.",
    right,
    params: one,
    body: ScheduledReportChange,
    answers: { 200: { description: "The changed scheduled report.", schema: ScheduledReport } },
  }, (ctx, { params, body }) => updateScheduledReport(ctx, params.scheduled_report_id, body)),
  endpoint({
    method: "delete",
    path: "/v1/reports/scheduled/:scheduled_report_id",
    operation: "deleteScheduledReport",
    tag,
    summary: "Delete a scheduled report",
    description: "For its maker and admins. Delivered reports stay.",
    right,
    params: one,
    answers: { 204: { description: "The scheduled report is deleted.", schema: null } },
  }, (ctx, { params }) => deleteScheduledReport(ctx, params.scheduled_report_id)),
  endpoint({
    method: "post",
    path: "/v1/reports/scheduled/:scheduled_report_id/send",
    operation: "sendScheduledReport",
    tag,
    summary: "Deliver a scheduled report now",
    description:
      "Covers the last complete period. The schedule does not change. Several calls before the delivery " +
      "cause one delivery.",
    right,
    params: one,
    conflicts: ["delivery_ended"],
    answers: { 202: { description: "The report will be delivered.", schema: null } },
  }, (ctx, { params }) => sendScheduledReport(ctx, params.scheduled_report_id)),
];
