/** Rows of reports → wire shapes. */
import { Json, writeRecords } from "../../core/json.ts";
import { formatTimestamp } from "../../core/time.ts";
import type { Grouping } from "../indicators/catalogue.ts";
import { presentRecords } from "../../http/large_pages.ts";
import type { AverageRow, MetricRow, TimeSeries } from "./answers.ts";
import { tooLarge } from "./groups.ts";
import type { GroupMembers } from "./schema.ts";
import type { Interval } from "./intervals.ts";
import type { Question, Reader } from "./question.ts";

/** The id and the name of each group, in the order of `groupBy`. */
export function presentGroup(
  groupBy: readonly Grouping[],
  { ids, names }: MetricRow["group"],
): GroupMembers {
  const members: Record<string, string | number | null> = {};
  groupBy.forEach((grouping, index) => {
    members[`${grouping}_id`] = ids[index]!;
    members[`${grouping}_name`] = names[index]!;
  });
  return members as GroupMembers;
}

/** Returns the members of a row. In exports their keys are the columns. */
export function metricMembers(groupBy: readonly Grouping[], row: MetricRow) {
  const { indicator, value, group, previous, change_pct } = row;
  const members = { indicator, value, ...presentGroup(groupBy, group) };
  return previous === undefined ? members : { ...members, previous, change_pct: change_pct ?? null };
}

export async function presentMetrics({ company }: Reader, question: Question, rows: readonly MetricRow[]) {
  const { groupBy } = question;
  const written = await presentAll(company.id, question, rows, (row) => metricMembers(groupBy, row));
  return writeRecords(written, { group_by: groupBy });
}

export async function presentSeries(
  { company }: Reader,
  question: Question,
  interval: Interval,
  { bounds, lines }: TimeSeries,
) {
  const { groupBy } = question;
  const times = bounds.map((bound) => formatTimestamp(bound * 1000));
  const spans = times.slice(1).map((end_at, index) => composeMembers({ start_at: times[index]!, end_at }));
  const written = await presentAll(company.id, question, lines, ({ indicator, group, values }) => {
    const key = group.ids.map((id) => id ?? "").join(":");
    const before = composeMembers({ indicator, key });
    const after = composeMembers(presentGroup(groupBy, group));
    return writeLine(before, values, spans, after === "" ? "" : `,${after}`);
  });
  return writeRecords(written.filter(({ length }) => length > 0), { group_by: groupBy, interval });
}

type Point = GroupMembers & Readonly<Record<"indicator" | "key" | "start_at" | "end_at", string>> & {
  readonly value: MetricRow["value"];
};

/** Writes the points of a line. They can be 100,000, so no object is built for each. */
function writeLine(
  before: string,
  values: readonly MetricRow["value"][],
  spans: readonly string[],
  after: string,
): Json<Point> {
  const points = values.map((value, index) =>
    `{${before},"value":${JSON.stringify(value)},${spans[index]}${after}}`
  );
  return new Json<Point>(points.join(","));
}

/** Returns the JSON of an object without its braces. */
function composeMembers(members: object): string {
  return JSON.stringify(members).slice(1, -1);
}

/**
 * Returns the rows as written records. Refuses an answer that is larger than a page, because it has no next
 * one.
 */
async function presentAll<R extends object, T>(
  company: number,
  question: Question,
  rows: readonly R[],
  present: (row: R) => T | Json<T>,
): Promise<Json<T>[]> {
  const written = await presentRecords(company, rows, present);
  if (written.length < rows.length) throw tooLarge(question);
  return written;
}

export function presentAverages(interval: Interval, rows: readonly AverageRow[]) {
  return { data: rows.map(({ indicator, user, value }) => ({ indicator, user, value })), interval };
}
