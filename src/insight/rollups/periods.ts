/** The periods of rollups, and how they cover a time. By the calendar of UTC. Pure. Epoch seconds. */
import type { Span } from "../reports/question.ts";

export type Period = "year" | "month" | "week" | "day";
/** The property by which rollups add up facts besides the team: none, the user, or the other properties. */
export type By = "team" | "user" | "dims";

/**
 * The periods of each kind of rollup, longest first. `dims` has no weeks and days, because questions by
 * properties are about long times.
 */
const periodsOf: Readonly<Record<By, readonly Period[]>> = {
  team: ["year", "month", "week", "day"],
  user: ["year", "month", "week", "day"],
  dims: ["year", "month"],
};

/** All rollups. The database stores their position in this list. */
export const rollupKinds: readonly { readonly period: Period; readonly by: By }[] =
  (["team", "user", "dims"] as const)
    .flatMap((by) => periodsOf[by].map((period) => ({ period, by })));

const day = 86_400;
const week = 7 * day;
/** The first Monday of the epoch: 1970-01-05. */
const monday = 4 * day;

/**
 * The shortest time that uses a period. In a shorter time, weeks would count too much that is then
 * subtracted.
 */
const shortest: Partial<Record<Period, number>> = { week: 5 * day };

/** Before every fact. */
export const beginning = -100_000_000_000;

/**
 * Part of a time: its facts, or the rollups that begin in it. `sign` -1: subtracts what other pieces count
 * too much.
 */
export interface Piece extends Span {
  /** The position in `rollupKinds`; null: facts. */
  readonly rollup: number | null;
  readonly sign: 1 | -1;
}

/**
 * Covers [start, end) with the fewest periods, and with facts at its ends. Each bound moves to the nearest
 * beginning of a period, before or after it. What is then counted too much is subtracted.
 */
export function coverSpan({ start, end }: Span, by: By): Piece[] {
  return cutIntoPieces(start, end, by, periodsOf[by]);
}

function cutIntoPieces(from: number, to: number, by: By, periods: readonly Period[]): Piece[] {
  if (from > to) {
    return cutIntoPieces(to, from, by, periods).map((piece) => ({
      ...piece,
      sign: piece.sign === 1 ? -1 : 1,
    }));
  }
  if (from === to) return [];
  const [period, ...shorter] = periods;
  if (period === undefined) return [{ rollup: null, start: from, end: to, sign: 1 }];
  const [first, last] = [findNearest(period, from), findNearest(period, to)];
  if (first >= last || to - from < (shortest[period] ?? 0)) return cutIntoPieces(from, to, by, shorter);
  const rollup = rollupKinds.findIndex((each) => each.period === period && each.by === by);
  return [
    ...cutIntoPieces(from, first, by, shorter),
    { rollup, start: first, end: last, sign: 1 },
    ...cutIntoPieces(last, to, by, shorter),
  ];
}

/** Returns the nearest beginning of a period. */
function findNearest(period: Period, at: number): number {
  if (at === beginning) return at;
  if (period === "day") return Math.round(at / day) * day;
  if (period === "week") return Math.round((at - monday) / week) * week + monday;
  const date = new Date(at * 1000);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const [first, next] = period === "month"
    ? [utc(year, month), utc(year, month + 1)]
    : [utc(year, 0), utc(year + 1, 0)];
  return at - first <= next - at ? first : next;
}

/** The first of a month; `Date.UTC` would take the years 0 to 99 for 1900 to 1999. */
function utc(year: number, month: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month, 1);
  return date.getTime() / 1000;
}
