import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { getReportDelivery } from "./get.ts";
import { ReportDelivery } from "./schema.ts";

export const keptReportEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "get",
    path: "/v1/reports/deliveries/:report_id",
    operation: "getReportDelivery",
    tag: "Scheduled reports",
    summary: "Get a delivered report",
    description: "For its recipients, who need no right, the user whose figures they are, and admins.",
    params: { report_id: "uuid" },
    answers: { 200: { description: "The report.", schema: ReportDelivery } },
  }, (ctx, { params }) => getReportDelivery(ctx, params.report_id)),
];
