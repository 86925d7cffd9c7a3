/** The figures of a chart in words, for readers who do not see it. */
import { type Chart, isNumber, mostBarSeries, mostLines, type Panel, type Series } from "./chart.ts";
import { chooseDrawnGroups, chooseDrawnSeries } from "./legend.ts";
import { intervalName } from "./times.ts";
import { valueText } from "./values.ts";

export const noData = "No data for this time.";

/**
 * Describes each series that is drawn: a line by its range and its first, last and highest value, bars by
 * their values.
 */
export function describe(chart: Chart): string {
  if (!hasData(chart)) return noData;
  return chart.panels.map((panel) =>
    chart.axis.kind === "time" ? describeLines(chart, panel) : describeBars(chart, panel)
  )
    .filter((text) => text !== "").join(" ");
}

export function hasData({ panels }: Chart): boolean {
  return panels.some(({ series }) => series.some(({ values }) => values.some(isNumber)));
}

function describeLines({ axis, place }: Chart, { unit, series }: Panel): string {
  if (axis.kind !== "time") return "";
  const drawn = chooseDrawnSeries(series, mostLines);
  const [write, when] = [valueText(unit, place), intervalName(axis.interval, place)];
  const texts = drawn.map(({ name, values }) => {
    const known = findExtremes(values);
    if (known === null) return `${name}: no values.`;
    const { first, last, lowest, highest } = known;
    const at = (index: number) => `${write(values[index]!)} (${when(axis.bounds[index]!)})`;
    if (first === last) return `${name}: ${at(first)}.`;
    return `${name}: from ${write(values[lowest]!)} to ${write(values[highest]!)}; ` +
      `first ${at(first)}, last ${at(last)}, highest ${at(highest)}.`;
  });
  return joinTexts(texts, series.length - drawn.length, "series");
}

/**
 * Returns the positions of the first, last, lowest and highest value, the first position of equal ones. Null
 * without values.
 */
function findExtremes(values: Series["values"]) {
  let [first, last, lowest, highest] = [-1, -1, -1, -1];
  for (let index = 0; index < values.length; index++) {
    const value = values[index];
    if (!isNumber(value)) continue;
    if (first < 0) first = lowest = highest = index;
    if (value < values[lowest]!) lowest = index;
    if (value > values[highest]!) highest = index;
    last = index;
  }
  return first < 0 ? null : { first, last, lowest, highest };
}

function describeBars({ axis, place }: Chart, { unit, series }: Panel): string {
  if (axis.kind !== "groups") return "";
  const drawn = chooseDrawnSeries(series, mostBarSeries);
  const write = valueText(unit, place);
  const { drawn: groups, left } = chooseDrawnGroups(drawn);
  const texts = drawn.map(({ name, values }: Series) => {
    const known = groups.flatMap((index) => {
      const value = values[index];
      return isNumber(value) ? [`${axis.names[index]} ${write(value)}`] : [];
    });
    if (known.length === 0) return `${name}: no values.`;
    return `${name}: ${known.join(", ")}${left > 0 ? `, and ${left} more` : ""}.`;
  });
  return joinTexts(texts, series.length - drawn.length, "series");
}

function joinTexts(texts: readonly string[], left: number, what: string): string {
  return left > 0 ? `${texts.join(" ")} And ${left} more ${what}, not drawn.` : texts.join(" ");
}
