/** The rows that reports answer: metrics, time series and averages. */
import type { IndicatorDefinition } from "../indicators/catalogue.ts";
import { byIds, computeFigures, type Figures } from "./figures.ts";
import { tooMany } from "./groups.ts";
import { computeBounds, type Interval } from "./intervals.ts";
import { fieldError, invalid } from "../../core/errors.ts";
import { Turns } from "../../core/turns.ts";
import type { Question, Reader, Span } from "./question.ts";
import { rounding } from "./rounding.ts";
import { mostRows } from "./sums.ts";

export interface MetricRow {
  readonly indicator: string;
  readonly value: number | null;
  readonly group: Pick<Figures, "ids" | "names">;
  /** With `compare=previous`: the value of the same length of time before, and the change in percent. */
  readonly previous?: number | null;
  readonly change_pct?: number | null;
}

/**
 * Returns one row for each group, in the order of the indicators asked, then by value, greatest first. A
 * comparison also has the groups that only had a value before.
 */
export async function readMetricRows(
  reader: Reader,
  question: Question,
  compare: "previous" | null = null,
): Promise<MetricRow[]> {
  const { start, end } = question;
  const asked = { start, end };
  const spans = compare ? [{ start: start - (end - start), end: start }, asked] : [asked];
  const figures = await computeFigures(reader, question, spans, { names: "group_by", ofGroup: spans.length });
  const rows: MetricRow[][] = [];
  const turns = new Turns();
  for (const { indicator, isSplit, groups } of figures) {
    const round = rounding(indicator, reader.company.currency);
    const of = groups.map(({ ids, names, values }): MetricRow => {
      const row = { indicator: indicator.name, value: round(values.at(-1)!), group: { ids, names } };
      if (!compare) return row;
      const previous = round(values[0]!);
      return { ...row, previous, change_pct: computeChange(row.value, previous) };
    }).filter(({ value, previous = null }) =>
      !isSplit || isSomething(value, indicator) || isSomething(previous, indicator)
    );
    rows.push(of.sort(compareValues));
    await turns.next();
  }
  return rows.flat();
}

/** The figures of a group over time. */
export interface Line {
  readonly indicator: string;
  readonly group: Pick<Figures, "ids" | "names">;
  /** One value for each interval. */
  readonly values: readonly (number | null)[];
}

export interface TimeSeries {
  /** Where the intervals begin, and where the last one ends, epoch seconds. */
  readonly bounds: readonly number[];
  /** In the order of the indicators asked, then by the ids of the group. */
  readonly lines: readonly Line[];
}

export async function computeSeries(
  reader: Reader,
  question: Question,
  interval: Interval,
): Promise<TimeSeries> {
  const { bounds, spans } = computeSpans(reader, question, interval);
  const figures = await computeFigures(reader, question, spans, { names: "interval", ofGroup: spans.length });
  const groups = figures.reduce((sum, { groups }) => sum + groups.length, 0);
  if (groups * spans.length > mostRows) throw tooMany(question, "interval");
  const lines = figures.flatMap(({ indicator, groups }) => {
    const round = rounding(indicator, reader.company.currency);
    return groups.map(({ ids, names, values }): Line => ({
      indicator: indicator.name,
      group: { ids, names },
      values: values.map(round),
    }));
  });
  return { bounds, lines };
}

export interface AverageRow {
  readonly indicator: string;
  readonly user: { readonly id: number; readonly name: string } | null;
  readonly value: number | null;
}

/**
 * Returns the mean over the intervals that the time touches, by user. For counts and sums it is the whole
 * divided by the number of intervals, for other kinds the mean of the intervals that have a value.
 */
export async function readAverageRows(
  reader: Reader,
  question: Question,
  interval: Interval,
): Promise<AverageRow[]> {
  const byUser = { ...question, groupBy: ["user" as const] };
  const { spans } = computeSpans(reader, question, interval);
  const figures = await computeFigures(reader, byUser, spans, { names: "interval", ofGroup: 1 });
  return figures.flatMap(({ indicator, isSplit, groups }) => {
    const round = rounding(indicator, reader.company.currency);
    return groups.map(({ ids, names, values }) => {
      const known = values.filter((value) => value !== null);
      const sum = known.reduce((total, value) => total + value, 0);
      return { value: round(known.length === 0 ? null : sum / known.length), group: { ids, names } };
    }).filter(({ value }) => !isSplit || isSomething(value, indicator)).sort(compareValues)
      .map(({ value, group }) => ({
        indicator: indicator.name,
        value,
        user: group.ids[0] === null ? null : { id: Number(group.ids[0]), name: group.names[0] ?? "" },
      }));
  });
}

/** The most intervals of an answer. */
const mostIntervals = 1_000;

function computeSpans(
  { company }: Reader,
  { start, end, at }: Question,
  interval: Interval,
): { bounds: number[]; spans: Span[] } {
  const bounds = computeBounds(company.timezone, interval, start, end, mostIntervals);
  if (bounds === null) {
    throw invalid(fieldError(`${at}interval`, "max", `At most ${mostIntervals} intervals.`));
  }
  const spans = bounds.slice(1).map((bound, index) => ({
    start: Math.max(start, bounds[index]!),
    end: Math.min(end, bound),
  }));
  return { bounds, spans };
}

/**
 * Whether a group has a value to show; others are left out. A rate of 0 % and a mean of 0 seconds are values.
 */
function isSomething(value: number | null, { kind }: IndicatorDefinition): boolean {
  return value !== null && (value !== 0 || kind === "rate" || kind === "mean");
}

function computeChange(value: number | null, previous: number | null): number | null {
  if (value === null || previous === null || previous === 0) return null;
  return Math.round((value - previous) / Math.abs(previous) * 10_000) / 100;
}

/** Orders rows by value, greatest first and null last; ties by the ids of the group. */
function compareValues(
  a: { readonly value: number | null; readonly group: Pick<Figures, "ids"> },
  b: { readonly value: number | null; readonly group: Pick<Figures, "ids"> },
): number {
  if (a.value !== b.value) {
    if (a.value === null) return 1;
    if (b.value === null) return -1;
    return b.value - a.value;
  }
  return byIds(a.group.ids, b.group.ids);
}
