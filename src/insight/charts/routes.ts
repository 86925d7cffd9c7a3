import { document } from "../../core/answer.ts";
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { loadReader, parseQuestion, prefetchCompany } from "../reports/parameters.ts";
import { MetricsQuery, TimeSeriesQuery } from "../reports/schema.ts";
import { createChart } from "./create.ts";
import { drawMetrics, drawSeries, svgPolicy, svgType } from "./picture.ts";
import { ChartAddress, ChartBody, ChartImage } from "./schema.ts";

const tag = "Charts";
const right = "reports.view";
const drawn = { description: "The chart.", schema: ChartImage, media: "image/svg+xml" };
const headers = { "Content-Security-Policy": svgPolicy };

export const chartEndpoints: Endpoint[] = [
  endpoint({
    method: "get",
    path: "/v1/reports/charts/metrics.svg",
    operation: "getMetricsChart",
    tag,
    summary: "Draw figures",
    description: "The figures of `GET /v1/reports/metrics` as bars, greatest first; the first 60 are drawn.",
    right,
    query: MetricsQuery,
    prefetch: prefetchCompany,
    answers: { 200: drawn },
  }, async (ctx, { query, prefetched }) => {
    const reader = await loadReader(ctx, prefetched);
    const question = parseQuestion(query, reader.company.timezone, ctx.now);
    return document(svgType, await drawMetrics(reader, question, query.compare ?? null), headers);
  }),
  endpoint({
    method: "get",
    path: "/v1/reports/charts/time-series.svg",
    operation: "getTimeSeriesChart",
    tag,
    summary: "Draw figures over time",
    description:
      "The figures of `GET /v1/reports/time-series` as lines; the 12 greatest of each unit are drawn.",
    right,
    query: TimeSeriesQuery,
    prefetch: prefetchCompany,
    answers: { 200: drawn },
  }, async (ctx, { query, prefetched }) => {
    const reader = await loadReader(ctx, prefetched);
    const question = parseQuestion(query, reader.company.timezone, ctx.now);
    return document(svgType, await drawSeries(reader, question, query.interval), headers);
  }),
  endpoint({
    method: "post",
    path: "/v1/reports/charts",
    operation: "createChart",
    tag,
    summary: "Create an address for a chart",
    description:
      "The chart as it is now, at an address for mails and pages: it needs no token and works for 24 hours. " +
      "At most 120 a minute of a user, and 5,000 or 128 MiB of a company at the same time: 429.",
    right,
    body: ChartBody,
    prefetch: prefetchCompany,
    answers: { 200: { description: "The address.", schema: ChartAddress } },
  }, async (ctx, { body, prefetched }) => {
    const reader = await loadReader(ctx, prefetched);
    const question = parseQuestion(body, reader.company.timezone, ctx.now, "");
    return await createChart(
      ctx,
      reader,
      (reader) =>
        body.kind === "metrics"
          ? drawMetrics(reader, question, body.compare ?? null)
          : drawSeries(reader, question, body.interval),
    );
  }),
];
