import { ok } from "../../core/answer.ts";
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { computeSeries, readAverageRows, readMetricRows } from "./answers.ts";
import { loadReader, parseQuestion, prefetchCompany } from "./parameters.ts";
import { presentAverages, presentMetrics, presentSeries } from "./present.ts";
import {
  AveragesQuery,
  AveragesReport,
  MetricsQuery,
  MetricsReport,
  TimeSeriesQuery,
  TimeSeriesReport,
} from "./schema.ts";

const tag = "Reports";
const right = "reports.view";
const whose =
  "What has happened stays counted, as it was then, for those who see the team that it happened in.";

export const reportEndpoints: Endpoint[] = [
  endpoint({
    method: "get",
    path: "/v1/reports/metrics",
    operation: "getMetrics",
    tag,
    summary: "Get figures",
    description: `The figures of indicators for a time, by groups, greatest first. ${whose}`,
    right,
    query: MetricsQuery,
    prefetch: prefetchCompany,
    answers: { 200: { description: "The figures.", schema: MetricsReport } },
  }, async (ctx, { query, prefetched }) => {
    const reader = await loadReader(ctx, prefetched);
    const question = parseQuestion(query, reader.company.timezone, ctx.now);
    return ok(await presentMetrics(reader, question, await readMetricRows(reader, question, query.compare)));
  }),
  endpoint({
    method: "get",
    path: "/v1/reports/time-series",
    operation: "getTimeSeries",
    tag,
    summary: "Get figures over time",
    description:
      `The figures of indicators for each interval of a time. Intervals are whole, but only what happened within ` +
      `the time is counted. ${whose}`,
    right,
    query: TimeSeriesQuery,
    prefetch: prefetchCompany,
    answers: { 200: { description: "The figures by interval.", schema: TimeSeriesReport } },
  }, async (ctx, { query, prefetched }) => {
    const reader = await loadReader(ctx, prefetched);
    const question = parseQuestion(query, reader.company.timezone, ctx.now);
    const series = await computeSeries(reader, question, query.interval);
    return ok(await presentSeries(reader, question, query.interval, series));
  }),
  endpoint({
    method: "get",
    path: "/v1/reports/averages",
    operation: "getAverages",
    tag,
    summary: "Get averages",
    description:
      "The mean of each indicator over the intervals of a time, by user. Intervals without a value do not count. " +
      whose,
    right,
    query: AveragesQuery,
    prefetch: prefetchCompany,
    answers: { 200: { description: "The averages.", schema: AveragesReport } },
  }, async (ctx, { query, prefetched }) => {
    const reader = await loadReader(ctx, prefetched);
    const question = parseQuestion(query, reader.company.timezone, ctx.now);
    return ok(presentAverages(query.interval, await readAverageRows(reader, question, query.interval)));
  }),
];
