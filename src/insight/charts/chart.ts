/** What a chart shows. */
import type { Place } from "../../messages/placeholders/format.ts";
import type { Unit } from "../indicators/indicator.ts";
import type { Interval } from "../reports/intervals.ts";

/** `auto`: dark where the reader prefers it. `light`: without style sheets, which PDF does not know. */
export type Theme = "auto" | "light";

export interface Chart {
  readonly title: string;
  /** The time that the figures cover, in epoch seconds. */
  readonly start: number;
  readonly end: number;
  readonly place: Place;
  readonly axis: TimeAxis | GroupAxis;
  /** One for each unit, because units share no scale. */
  readonly panels: readonly Panel[];
}

/** Draws lines. `bounds`: where each interval begins and where the last one ends, epoch seconds. */
export interface TimeAxis {
  readonly kind: "time";
  readonly interval: Interval;
  readonly bounds: readonly number[];
}

/** Draws bars, in the order of the names. */
export interface GroupAxis {
  readonly kind: "groups";
  readonly names: readonly string[];
}

export interface Panel {
  readonly unit: Unit;
  readonly series: readonly Series[];
}

/** A value for each interval or group; null: none. */
export interface Series {
  readonly name: string;
  readonly values: readonly (number | null)[];
}

/** The width of a chart in pixels. Its height depends on what it shows. */
export const width = 800;
export const margin = 16;

/** The most series that a panel draws. The legend gives the number of the others. */
export const mostLines = 12;
export const mostBarSeries = 6;
/** The most bars that a panel draws. */
export const mostBars = 60;

/** The greatest value that is drawn. Beyond it the arithmetic of scales overflows. */
const mostDrawn = 1e100;

/** Whether the value can be drawn. */
export function isNumber(value: number | null | undefined): value is number {
  return typeof value === "number" && Math.abs(value) <= mostDrawn;
}
