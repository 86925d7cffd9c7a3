/** The periods of rollups, and how they cover a time. By the calendar of UTC. Pure. Epoch seconds. */
import type { Span } from "../reports/question.ts";

export type Period = "week" | "month" | "year";
/** What facts are added up by besides their team. */
export type By = "user" | "dims";

/** Stored by their position. Questions by properties are few and about long times: they have no weeks. */
export const rollups: readonly { readonly period: Period; readonly by: By }[] = [
  { period: "week", by: "user" },
  { period: "month", by: "user" },
  { period: "year", by: "user" },
  { period: "month", by: "dims" },
  { period: "year", by: "dims" },
];

const day = 86_400;
const week = 7 * day;
/** The first Monday of the epoch: 1970-01-05. */
const monday = 4 * day;
/** A rest that is longer is covered by weeks. */
const longRest = 5 * day;

/** Before every fact. */
export const beginning = -100_000_000_000;

/** Part of a time: its facts, or the rollups that begin in it. `sign` -1: they count too much and are taken back. */
export interface Piece extends Span {
  /** The position in `rollups`; null: facts. */
  readonly rollup: number | null;
  readonly sign: 1 | -1;
}

/** A time covered by pieces. */
export interface Cover {
  readonly pieces: readonly Piece[];
  /** The time whose facts rollups have, apart from those they have not reached; null: pieces are of facts alone. */
  readonly rolled: readonly (Span & { readonly sign: 1 | -1 })[];
}

/**
 * Covers [start, end) by few periods and by facts for at most some days at its ends. A bound goes to the nearest
 * begin of a period, before or after it.
 */
export function coverOf({ start, end }: Span, by: By): Cover {
  const rest = by === "user" ? byWeeks : byFacts;
  const to = nearestMonth(end);
  if (start <= beginning) return joined([byMonths(beginning, to, by), rest(to, end)]);
  const from = nearestMonth(start);
  if (from < to) return joined([rest(start, from), byMonths(from, to, by), rest(to, end)]);
  return rest(start, end);
}

/** A time without whole months: by weeks, or by its facts where it is short. Backwards when `from` is after `to`. */
function byWeeks(from: number, to: number): Cover {
  if (from > to) return reversed(byWeeks(to, from));
  const [first, last] = [nearestMonday(from), nearestMonday(to)];
  if (to - from <= longRest || first >= last) return byFacts(from, to);
  return {
    pieces: [
      ...facts(from, first),
      rolled("week", "user", first, last),
      ...facts(last, to),
    ],
    rolled: [{ start: first, end: last, sign: 1 }],
  };
}

function byFacts(from: number, to: number): Cover {
  return { pieces: facts(from, to), rolled: [] };
}

function byMonths(from: number, to: number, by: By): Cover {
  const first = from <= beginning ? from : yearAfter(from);
  const last = yearOf(to);
  const pieces = first < last
    ? [rolled("month", by, from, first), rolled("year", by, first, last), rolled("month", by, last, to)]
    : [rolled("month", by, from, to)];
  return {
    pieces: pieces.filter(({ start, end }) => start < end),
    rolled: [{ start: from, end: to, sign: 1 }],
  };
}

function rolled(period: Period, by: By, start: number, end: number): Piece {
  const rollup = rollups.findIndex((each) => each.period === period && each.by === by);
  return { rollup, start, end, sign: 1 };
}

/** The facts from one moment to another, backwards when it is before. */
function facts(from: number, to: number): Piece[] {
  if (from === to) return [];
  const isForward = from < to;
  return [{
    rollup: null,
    start: isForward ? from : to,
    end: isForward ? to : from,
    sign: isForward ? 1 : -1,
  }];
}

function joined(covers: readonly Cover[]): Cover {
  return { pieces: covers.flatMap(({ pieces }) => pieces), rolled: covers.flatMap(({ rolled }) => rolled) };
}

function reversed({ pieces, rolled }: Cover): Cover {
  const back = <T extends { readonly sign: 1 | -1 }>(part: T): T => ({
    ...part,
    sign: part.sign === 1 ? -1 : 1,
  });
  return { pieces: pieces.map(back), rolled: rolled.map(back) };
}

function nearestMonth(at: number): number {
  const date = new Date(at * 1000);
  const first = utcMonth(date, 0);
  const next = utcMonth(date, 1);
  return at - first <= next - at ? first : next;
}

function nearestMonday(at: number): number {
  return Math.round((at - monday) / week) * week + monday;
}

function utcMonth(date: Date, later: number): number {
  return utc(date.getUTCFullYear(), date.getUTCMonth() + later);
}

function yearOf(at: number): number {
  return utc(new Date(at * 1000).getUTCFullYear(), 0);
}

function yearAfter(at: number): number {
  const year = yearOf(at);
  return year === at ? at : utc(new Date(at * 1000).getUTCFullYear() + 1, 0);
}

/** The first of a month; `Date.UTC` would take the years 0 to 99 for 1900 to 1999. */
function utc(year: number, month: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month, 1);
  return date.getTime() / 1000;
}
