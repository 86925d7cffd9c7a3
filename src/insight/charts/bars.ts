/** Draws a panel of metrics: horizontal bars by group, in the order of the figures. */
import { scaleBand } from "d3-scale";
import { type GroupAxis, isNumber, margin, mostBarSeries, type Panel, type Series, width } from "./chart.ts";
import { chooseColor, light } from "./colors.ts";
import { chooseDrawnGroups, chooseDrawnSeries, drawLegend, type Drawn } from "./legend.ts";
import { coordinate, cut, escapeXml, estimateWidth, textAt } from "./text.ts";
import { makeValueScale, valueText } from "./values.ts";
import type { Place } from "../../messages/placeholders/format.ts";

const barHeight = 16;
const groupGap = 8;
const size = 12;
const small = 11;
const mostNameWidth = 220;
const mostValueWidth = 130;

export function drawBars(panel: Panel, axis: GroupAxis, place: Place, top: number): Drawn {
  const series = chooseDrawnSeries(panel.series, mostBarSeries);
  const { drawn: shown, left: leftOut } = chooseDrawnGroups(series);
  const legend = drawLegend(
    series,
    panel.series.length - series.length,
    top,
    (index, x, y) => drawBar(index, x, y - 6, 26, 12),
  );
  const write = valueText(panel.unit, place);
  const numbers = series.flatMap(({ values }) => shown.map((index) => values[index]).filter(isNumber));
  const side =
    Math.min(mostValueWidth, Math.max(0, ...numbers.map((value) => estimateWidth(write(value), small)))) + 8;
  const names = Math.max(
    0,
    ...shown.map((index) => estimateWidth(cut(axis.names[index]!, mostNameWidth, size), size)),
  );
  const left = margin + names + 12;
  const hasNegative = numbers.some((value) => value < 0);
  const values = makeValueScale(numbers, panel.unit, place, [
    left + (hasNegative ? side : 0),
    width - margin - side,
  ]);
  const from = top + legend.height + 8;
  const height = shown.length * (series.length * barHeight + groupGap) + groupGap;
  const down = scaleBand<number>(shown, [from, from + height]).paddingOuter(0).paddingInner(0);
  const svg = legend.svg + drawValueAxis(values, from, from + height) +
    shown.map((index) => {
      const y = down(index)! + groupGap / 2;
      return drawGroupName(axis.names[index]!, left - 10, y + series.length * barHeight / 2 + 4) +
        series.map((one, nth) => drawValueBar(one, index, nth, y + nth * barHeight, values.scale, write))
          .join(
            "",
          );
    }).join("") +
    (leftOut > 0
      ? textAt(margin, from + height + 34, `and ${leftOut} more, not drawn`, width, {
        size,
        color: light.muted,
        tone: "muted",
      })
      : "");
  return { svg, height: from + height - top + (leftOut > 0 ? 48 : 28) };
}

function drawValueAxis(
  { scale, ticks }: ReturnType<typeof makeValueScale>,
  from: number,
  to: number,
): string {
  const distance = ticks.length > 1 ? Math.abs(scale(ticks[1]!.at) - scale(ticks[0]!.at)) : Infinity;
  const widest = Math.max(...ticks.map(({ text }) => estimateWidth(text, small))) + 8;
  // Leaves some ticks without a label where labels would touch.
  const every = Math.max(1, Math.ceil(widest / distance));
  const zero = ticks.findIndex(({ at }) => at === 0);
  return ticks.map(({ at, text }, index) => {
    const x = coordinate(scale(at));
    const kind = at === 0 ? `class="axis" stroke="${light.axis}"` : `class="grid" stroke="${light.grid}"`;
    const line = `<line x1="${x}" y1="${coordinate(from)}" x2="${x}" y2="${coordinate(to)}" ${kind}/>`;
    return (index - zero) % every !== 0 ? line : line +
      textAt(scale(at), to + 15, text, width, {
        size: small,
        anchor: "middle",
        color: light.muted,
        tone: "muted",
      });
  }).join("");
}

function drawGroupName(name: string, x: number, y: number): string {
  return textAt(x, y, name, mostNameWidth, { size, anchor: "end", color: light.text, tone: "text" });
}

function drawValueBar(
  { name, values }: Series,
  index: number,
  nth: number,
  y: number,
  scale: (value: number) => number,
  write: (value: number) => string,
): string {
  const value = values[index];
  if (!isNumber(value)) return "";
  const [zero, end] = [scale(0), scale(value)];
  const text = textAt(end + (value < 0 ? -5 : 5), y + barHeight / 2 + 3, write(value), mostValueWidth, {
    size: small,
    anchor: value < 0 ? "end" : "start",
    color: light.text,
    tone: "text",
  });
  const length = Math.max(Math.abs(end - zero), value === 0 ? 0 : 1);
  const rectangle = drawBar(nth, value < 0 ? zero - length : zero, y + 1, length, barHeight - 2);
  return `<g><title>${escapeXml(name)}: ${escapeXml(write(value))}</title>${rectangle}${text}</g>`;
}

/** A bar with the hatch of its series. */
function drawBar(series: number, x: number, y: number, length: number, height: number): string {
  const box = `x="${coordinate(x)}" y="${coordinate(y)}" width="${coordinate(length)}" height="${height}"`;
  const color = chooseColor(series);
  const filled = `<rect ${box} class="f${color}" fill="${light.marks[color]}"/>`;
  const hatch = hatches[series];
  if (!hatch || length < 2) return filled;
  return filled +
    `<path d="${hatch(x, y, length, height)}" class="hatch" stroke="${light.ground}" fill="none"/>`;
}

type Hatch = (x: number, y: number, length: number, height: number) => string;

const spacing = 7;

/** Hatches are lines, not patterns: an SVG inside a page shares the ids of patterns with other SVGs. */
const hatches: readonly (Hatch | null)[] = [
  null,
  makeSlantedHatch(1),
  makeSlantedHatch(-1),
  (x, y, length, height) => `M${coordinate(x)},${coordinate(y + height / 2)}h${coordinate(length)}`,
  (x, y, length, height) =>
    listStops(x, length).map((at) => `M${coordinate(at)},${coordinate(y)}v${height}`).join(""),
  (x, y, length, height) =>
    [1 / 3, 2 / 3].map((part) => `M${coordinate(x)},${coordinate(y + height * part)}h${coordinate(length)}`)
      .join(""),
];

function makeSlantedHatch(direction: 1 | -1): Hatch {
  return (x, y, length, height) =>
    listStops(x, length - 5).map((at) =>
      direction > 0
        ? `M${coordinate(at)},${coordinate(y + height)}l5,${-height}`
        : `M${coordinate(at)},${coordinate(y)}l5,${height}`
    ).join("");
}

function listStops(x: number, length: number): number[] {
  return Array.from(
    { length: Math.max(0, Math.floor((length - 1) / spacing)) },
    (_, n) => x + (n + 0.6) * spacing,
  );
}
