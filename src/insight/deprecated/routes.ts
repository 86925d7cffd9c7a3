import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { ok } from "../../core/answer.ts";
import { CasePage } from "../../sales/cases/schema.ts";
import { loadReader, prefetchCompany } from "../reports/parameters.ts";
import { signPerformanceAddress } from "./address.ts";
import { readDays } from "./days.ts";
import { notifyPerformance } from "./notify.ts";
import { computePerformance } from "./performance.ts";
import { milestoneCases, milestonePipeline, pipeline } from "./pipeline.ts";
import { makeDeprecation } from "./deprecation.ts";
import {
  MilestoneCasesQuery,
  MilestonePipeline,
  NotifyBody,
  PdfAddress,
  Performance,
  PerformanceQuery,
  Pipeline,
  PipelineQuery,
} from "./schema.ts";

const tag = "Deprecated reports";
const right = "reports.view" as const;
export const deprecatedReportEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "get",
    path: "/v1/reports/pipeline",
    operation: "getPipeline",
    tag,
    summary: "Get the open cases of each relations path",
    right,
    prefetch: prefetchCompany,
    answers: { 200: { description: "The paths with open cases.", schema: Pipeline } },
    deprecated: makeDeprecation("/v1/reports/metrics"),
  }, async (ctx, { prefetched }) => pipeline(await loadReader(ctx, prefetched), ctx.now)),
  endpoint(
    {
      method: "get",
      path: "/v1/reports/pipeline/:relations_path_id",
      operation: "getMilestonePipeline",
      tag,
      summary: "Get the open cases of a path by milestone",
      description: "By the highest milestone done; the last row is of cases without one.",
      right,
      params: { relations_path_id: "uuid" },
      query: PipelineQuery,
      prefetch: prefetchCompany,
      answers: { 200: { description: "The milestones.", schema: MilestonePipeline } },
      deprecated: makeDeprecation("/v1/reports/metrics"),
    },
    async (ctx, { params, query, prefetched }) =>
      milestonePipeline(ctx, await loadReader(ctx, prefetched), params.relations_path_id, query),
  ),
  endpoint({
    method: "get",
    path: "/v1/reports/pipeline/:relations_path_id/:milestone_id",
    operation: "listMilestoneCases",
    tag,
    summary: "List the open cases whose highest milestone is this one",
    right,
    params: { relations_path_id: "uuid", milestone_id: "uuid" },
    query: MilestoneCasesQuery,
    answers: { 200: { description: "A page of cases.", schema: CasePage } },
    deprecated: makeDeprecation("/v1/cases"),
  }, (ctx, { params, query, url }) => milestoneCases(ctx, params, query, url)),
  endpoint({
    method: "get",
    path: "/v1/reports/performance",
    operation: "getPerformance",
    tag,
    summary: "Get the cases closed on each day, and those expected to close",
    right,
    query: PerformanceQuery,
    prefetch: prefetchCompany,
    answers: { 200: { description: "One entry for each day; both lists have today.", schema: Performance } },
    deprecated: makeDeprecation("/v1/reports/time-series"),
  }, async (ctx, { query, prefetched }) => {
    const { past, future } = await computePerformance(await loadReader(ctx, prefetched), ctx.now, query);
    const days = (values: typeof past) => values.map(({ date, value }) => ({ date, value }));
    return ok({ past: days(past), future: days(future) });
  }),
  endpoint({
    method: "post",
    path: "/v1/reports/performance/notify",
    operation: "notifyPerformance",
    tag,
    summary: "Share the report with colleagues",
    description: "They get a `notified_report`, whose id is a kept report: the figures as they are now.",
    right,
    body: NotifyBody,
    prefetch: prefetchCompany,
    answers: { 204: { description: "They are notified.", schema: null } },
    deprecated: makeDeprecation("/v1/reports/scheduled"),
  }, async (ctx, { body, prefetched }) => notifyPerformance(ctx, await loadReader(ctx, prefetched), body)),
  endpoint({
    method: "get",
    path: "/v1/reports/performance/export/pdf",
    operation: "exportPerformance",
    tag,
    summary: "Get the report as a PDF",
    right,
    query: PerformanceQuery,
    prefetch: prefetchCompany,
    answers: { 200: { description: "The address, for five minutes.", schema: PdfAddress } },
    deprecated: makeDeprecation("/v1/reports/export"),
  }, async (ctx, { query, prefetched }) => {
    const { company } = await loadReader(ctx, prefetched);
    readDays(query, company.timezone, ctx.now);
    return ok({ url: signPerformanceAddress(ctx, query) });
  }),
];
