/** Draws a panel of a time series: a line for each series, and a dot for a value without neighbours. */
import { scaleLinear } from "d3-scale";
import { line } from "d3-shape";
import { isNumber, margin, mostLines, type Panel, type Series, type TimeAxis, width } from "./chart.ts";
import { chooseColor, chooseDash, light } from "./colors.ts";
import { chooseDrawnSeries, drawLegend, type Drawn } from "./legend.ts";
import { coordinate, escapeXml, estimateWidth, textAt } from "./text.ts";
import { makeTimeLabels, type TimeLabel } from "./times.ts";
import { makeValueScale, type ValueScale } from "./values.ts";
import type { Place } from "../../messages/placeholders/format.ts";

const plotHeight = 240;
const small = 11;
/** Intervals from which lines are thin, so that steep ones stay apart. */
const thinFrom = 200;
/** Values of a panel up to which each has a dot. */
const mostDots = 120;

export function drawLines(panel: Panel, axis: TimeAxis, place: Place, top: number): Drawn {
  const series = chooseDrawnSeries(panel.series, mostLines);
  const legend = drawLegend(
    series,
    panel.series.length - series.length,
    top,
    (index, x, y) =>
      `<line x1="${coordinate(x)}" y1="${coordinate(y)}" x2="${coordinate(x + 26)}" ` +
      `y2="${coordinate(y)}"${drawStroke(index)}/>`,
  );
  const from = top + legend.height + 8;
  const to = from + plotHeight;
  const values = makeValueScale(yieldNumbers(series), panel.unit, place, [to, from]);
  const left = margin + 10 + Math.max(...values.ticks.map(({ text }) => estimateWidth(text, small)));
  const right = width - margin;
  const count = axis.bounds.length - 1;
  const across = scaleLinear([-0.5, count - 0.5], [left, right]);
  const xs = Array.from({ length: count }, (_, index) => across(index));
  const withDots = series.length * count <= mostDots;
  const svg = legend.svg + drawValueAxis(values, left, right) +
    drawTimeAxis(axis, place, across, left, right, to) +
    series.map((one, index) => drawLine(one, index, { xs, y: values.scale, withDots })).join("");
  return { svg, height: to - top + 34 };
}

function* yieldNumbers(series: readonly Series[]): Generator<number> {
  for (const { values } of series) for (const value of values) if (isNumber(value)) yield value;
}

function drawValueAxis({ scale, ticks }: ValueScale, left: number, right: number): string {
  return ticks.map(({ at, text }) => {
    const y = coordinate(scale(at));
    const kind = at === 0 ? `class="axis" stroke="${light.axis}"` : `class="grid" stroke="${light.grid}"`;
    return `<line x1="${coordinate(left)}" y1="${y}" x2="${coordinate(right)}" y2="${y}" ${kind}/>` +
      textAt(left - 6, scale(at) + 4, text, left, {
        size: small,
        anchor: "end",
        color: light.muted,
        tone: "muted",
      });
  }).join("");
}

/** Pixels that a label of a time needs. */
const labelWidth = 56;

function drawTimeAxis(
  axis: TimeAxis,
  place: Place,
  across: (index: number) => number,
  left: number,
  right: number,
  y: number,
): string {
  const placeLabel = ({ index, text }: TimeLabel) => {
    const x = across(index);
    const half = estimateWidth(text, small) / 2;
    return { text, x, half, at: Math.min(Math.max(x, left + half - 8), width - 4 - half) };
  };
  const fit = (labels: readonly TimeLabel[]) => {
    const places = labels.map(placeLabel);
    return places.every(({ at, half }, nth) =>
      nth === 0 || at - half >= places[nth - 1]!.at + places[nth - 1]!.half
    );
  };
  const labels = makeTimeLabels(axis, place, Math.floor((right - left) / labelWidth), fit);
  return labels.map(placeLabel).map(({ text, x, at }) => {
    const bottom = coordinate(y + 5);
    return `<line x1="${coordinate(x)}" y1="${coordinate(y)}" x2="${coordinate(x)}" y2="${bottom}" ` +
      `class="axis" stroke="${light.axis}"/>` +
      textAt(at, y + 18, text, right - left, {
        size: small,
        anchor: "middle",
        color: light.muted,
        tone: "muted",
      });
  }).join("");
}

interface Plot {
  /** Where each interval is. */
  readonly xs: readonly number[];
  readonly y: (value: number) => number;
  readonly withDots: boolean;
}

function drawLine({ name, values }: Series, index: number, { xs, y, withDots }: Plot): string {
  const path = line<number | null>()
    .digits(1)
    .defined(isNumber)
    .x((_, at) => xs[at]!)
    .y((value) => y(value!))(values) ?? "";
  const color = chooseColor(index);
  const dots = values.flatMap((value, at) =>
    isNumber(value) && (withDots || !(isNumber(values[at - 1]) || isNumber(values[at + 1])))
      ? `<circle cx="${coordinate(xs[at]!)}" cy="${coordinate(y(value))}" r="3" class="f${color}" ` +
        `fill="${light.marks[color]}"/>`
      : []
  );
  const style = drawStroke(index, values.length < thinFrom ? 2 : 1);
  return `<g><title>${escapeXml(name)}</title><path d="${path}" fill="none"${style}/>${dots.join("")}</g>`;
}

function drawStroke(index: number, thickness = 2): string {
  const dash = chooseDash(index);
  const mark = light.marks[chooseColor(index)];
  return ` class="s${chooseColor(index)}" stroke="${mark}" stroke-width="${thickness}" ` +
    `stroke-linejoin="round"${dash === "" ? "" : ` stroke-dasharray="${dash}"`}`;
}
