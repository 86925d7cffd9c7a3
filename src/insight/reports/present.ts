/** Rows of reports → wire shapes. */
import { list, object } from "../../core/json.ts";
import { formatTimestamp } from "../../core/time.ts";
import type { Grouping } from "../indicators/catalogue.ts";
import type { AverageRow, MetricRow, SeriesRow } from "./answers.ts";
import type { GroupMembers } from "./schema.ts";
import type { Interval } from "./intervals.ts";

/** The id and the name of each group, in the order of `groupBy`. */
export function groupMembers(
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

/** A row as it is shown, also in exports: its keys are their columns. */
export function metricMembers(groupBy: readonly Grouping[], row: MetricRow) {
  const { indicator, value, group, previous, change_pct } = row;
  const members = { indicator, value, ...groupMembers(groupBy, group) };
  return previous === undefined ? members : { ...members, previous, change_pct: change_pct ?? null };
}

export function presentMetrics(groupBy: readonly Grouping[], rows: readonly MetricRow[]) {
  return object({
    data: list(rows.map((row) => object(metricMembers(groupBy, row)))),
    group_by: groupBy,
  });
}

export function presentSeries(groupBy: readonly Grouping[], interval: Interval, rows: readonly SeriesRow[]) {
  return object({
    data: list(rows.map(({ indicator, key, value, group, start, end }) =>
      object({
        indicator,
        key,
        value,
        start_at: formatTimestamp(start * 1000),
        end_at: formatTimestamp(end * 1000),
        ...groupMembers(groupBy, group),
      })
    )),
    group_by: groupBy,
    interval,
  });
}

export function presentAverages(interval: Interval, rows: readonly AverageRow[]) {
  return object({ data: rows.map(({ indicator, user, value }) => ({ indicator, user, value })), interval });
}
