/** Draws charts as SVG: no script, nothing from outside, legible without colours. Pure. */
import { drawBars } from "./bars.ts";
import { type Chart, isNumber, margin, type Panel, type Theme, width } from "./chart.ts";
import { composeDarkStyle, light } from "./colors.ts";
import { describe, hasData, noData } from "./description.ts";
import type { Drawn } from "./legend.ts";
import { drawLines } from "./lines.ts";
import { escapeXml, textAt } from "./text.ts";

const heading = { color: light.text, tone: "text", bold: true } as const;
const note = { size: 12, color: light.muted, tone: "muted" } as const;

/** Returns an SVG image, 800 pixels wide, with the figures in words as its description. */
export function drawChart(chart: Chart, theme: Theme = "auto"): string {
  const available = width - 2 * margin;
  const parts = [
    textAt(margin, 28, chart.title, available, { ...heading, size: 16 }),
    textAt(margin, 48, formatTimes(chart), available, note),
  ];
  let y = 60;
  for (const panel of hasData(chart) ? chart.panels.filter(hasValues) : []) {
    parts.push(textAt(margin, y + 16, nameUnit(panel, chart), available, { ...heading, size: 12 }));
    const { svg, height } = drawPanel(chart, panel, y + 24);
    parts.push(svg);
    y += 24 + height + 12;
  }
  if (!hasData(chart)) {
    parts.push(textAt(width / 2, y + 60, noData, available, { ...note, size: 14, anchor: "middle" }));
    y += 120;
  }
  const height = Math.ceil(y);
  const body = parts.join("");
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" ` +
    `role="img" font-family="system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif">` +
    `<title>${escapeXml(chart.title)}</title>` +
    `<desc>${escapeXml(`${formatTimes(chart)}. ${describe(chart)}`)}</desc>` +
    (theme === "auto" ? `<style>${composeDarkStyle()}</style>` : "") +
    `<rect width="${width}" height="${height}" class="ground" fill="${light.ground}"/>${body}</svg>`;
}

function hasValues({ series }: Panel): boolean {
  return series.some(({ values }) => values.some(isNumber));
}

function drawPanel(chart: Chart, panel: Panel, top: number): Drawn {
  return chart.axis.kind === "time"
    ? drawLines(panel, chart.axis, chart.place, top)
    : drawBars(panel, chart.axis, chart.place, top);
}

function nameUnit({ unit }: Panel, { place }: Chart): string {
  return {
    number: "Number",
    money: `Amount (${place.currency})`,
    percent: "Percent",
    seconds: "Duration",
  }[unit];
}

/** Returns the time of the figures as text, in the company's time zone. */
function formatTimes({ start, end, place: { locale, timezone } }: Chart): string {
  const format = new Intl.DateTimeFormat(locale, {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: timezone,
  });
  return `${format.format(start * 1000)} – ${format.format(end * 1000)} (${timezone})`;
}
