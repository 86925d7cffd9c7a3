/** Turns the rows of reports into charts. */
import type { Place } from "../../messages/placeholders/format.ts";
import { findIndicator, type Grouping } from "../indicators/catalogue.ts";
import type { MetricRow, TimeSeries } from "../reports/answers.ts";
import type { Interval } from "../reports/intervals.ts";
import type { Question } from "../reports/question.ts";
import type { Chart, Panel, Series } from "./chart.ts";

type Asked = Pick<Question, "indicators" | "groupBy" | "start" | "end">;

/**
 * Returns bars by group, in the order of the rows: one for each indicator, and one for the previous time if
 * the rows have it.
 */
export function makeChartOfMetrics(asked: Asked, place: Place, rows: readonly MetricRow[]): Chart {
  const places = new Map<string, number>();
  const names: string[] = [];
  const positions = rows.map(({ group }) => {
    const key = JSON.stringify(group.ids);
    let position = places.get(key);
    if (position === undefined) {
      places.set(key, position = names.length);
      names.push(groupName(group) || "All");
    }
    return position;
  });
  const isCompared = rows.some(({ previous }) => previous !== undefined);
  const bars = new Map(asked.indicators.map(({ name }) => [name, {
    now: names.map((): number | null => null),
    before: names.map((): number | null => null),
  }]));
  rows.forEach(({ indicator, value, previous = null }, index) => {
    const { now, before } = bars.get(indicator)!;
    now[positions[index]!] = value;
    before[positions[index]!] = previous;
  });
  const series = [...bars].flatMap(([indicator, { now, before }]) => {
    const name = labelIndicator(indicator);
    const current = { indicator, name, values: now };
    return isCompared ? [current, { indicator, name: `${name}, before`, values: before }] : [current];
  });
  return { ...makeHead(asked, place), axis: { kind: "groups", names }, panels: makePanels(series) };
}

/** Returns lines over time, one for each group and indicator. */
export function makeChartOfSeries(
  asked: Asked,
  place: Place,
  interval: Interval,
  { bounds, lines }: TimeSeries,
): Chart {
  const isOne = asked.indicators.length === 1;
  const series = lines.map(({ indicator, group, values }): Named => {
    const name = [isOne ? "" : labelIndicator(indicator), groupName(group)].filter((part) => part !== "");
    return { indicator, name: name.join(" · ") || labelIndicator(indicator), values };
  });
  return {
    ...makeHead(asked, place),
    axis: { kind: "time", interval, bounds: series.length > 0 ? bounds : [asked.start, asked.end] },
    panels: makePanels(series),
  };
}

interface Named extends Series {
  readonly indicator: string;
}

/** Returns a panel for each unit, in the order in which the units occur. */
function makePanels(series: readonly Named[]): Panel[] {
  const byUnit = Map.groupBy(series, ({ indicator }) => findIndicator(indicator)!.unit);
  return [...byUnit].map(([unit, list]) => ({
    unit,
    series: list.map(({ name, values }) => ({ name, values })),
  }));
}

function makeHead({ indicators, groupBy, start, end }: Asked, place: Place) {
  const what = indicators.map(({ name }) => labelIndicator(name)).join(", ");
  const by = groupBy.map((grouping) => groupingLabels[grouping]).join(" and ");
  return { title: by === "" ? what : `${what} by ${by}`, start, end, place };
}

const groupingLabels: Readonly<Record<Grouping, string>> = {
  activity_type: "activity type",
  company: "company",
  group: "group",
  lead_source: "lead source",
  lead_type: "lead type",
  product: "product",
  relations_path: "relations path",
  team: "team",
  user: "user",
};

/** Returns the name of an indicator in words: `Cases closed value` for `cases.closed.value`. */
export function labelIndicator(name: string): string {
  const words = name.replaceAll(/[._]/g, " ").replaceAll(/\bb2[bc]\b/g, (word) => word.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function groupName({ names }: MetricRow["group"]): string {
  return names.map((name) => name ?? "(none)").join(" · ");
}
