/** Draws the figures of a report, and defines the headers of the picture. */
import { decodeHex, encodeBase64 } from "@oslojs/encoding";
import { sha256 } from "../../platform/crypto.ts";
import { computeSeries, readMetricRows } from "../reports/answers.ts";
import type { Interval } from "../reports/intervals.ts";
import type { Question, Reader } from "../reports/question.ts";
import { composeDarkStyle } from "./colors.ts";
import type { Chart } from "./chart.ts";
import { makeChartOfMetrics, makeChartOfSeries } from "./figures.ts";

export const svgType = "image/svg+xml; charset=utf-8";

/** Lets an SVG that is opened by itself apply its own style sheet, and nothing else. */
export const svgPolicy = "default-src 'none'; frame-ancestors 'none'; sandbox; " +
  `style-src 'sha256-${encodeBase64(decodeHex(sha256(composeDarkStyle())))}'`;

/** Bars by group, as `GET /v1/reports/metrics` lists them. */
export async function drawMetrics(
  reader: Reader,
  question: Question,
  compare: "previous" | null,
): Promise<string> {
  return await loadAndDraw(
    makeChartOfMetrics(question, reader.company, await readMetricRows(reader, question, compare)),
  );
}

/** Lines over time. */
export async function drawSeries(
  reader: Reader,
  question: Question,
  interval: Interval,
): Promise<string> {
  const series = await computeSeries(reader, question, interval);
  return await loadAndDraw(makeChartOfSeries(question, reader.company, interval, series));
}

/** Draws a chart. Loads the code for that with the first chart. */
async function loadAndDraw(chart: Chart): Promise<string> {
  const { drawChart } = await import("./draw.ts");
  return drawChart(chart);
}
