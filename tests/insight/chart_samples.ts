/** Charts of every kind of data. */
import type { Chart, Series, TimeAxis } from "../../src/insight/charts/chart.ts";
import { computeBounds, type Interval } from "../../src/insight/reports/intervals.ts";

export const place = {
  locale: "en-GB",
  timezone: "Europe/Vienna",
  currency: "EUR",
};

const at = (day: string) => Date.parse(`${day}T00:00:00+01:00`) / 1000;
const time = { start: at("2025-01-01"), end: at("2026-01-01") };

function over(
  interval: Interval,
  start = time.start,
  end = time.end,
): TimeAxis {
  return {
    kind: "time",
    interval,
    bounds: computeBounds(place.timezone, interval, start, end, 1_000)!,
  };
}

/** A wave without random values. */
function wave(name: string, count: number, phase: number, height = 40): Series {
  const values = Array.from(
    { length: count },
    (_, index) =>
      Math.round(
        height *
          (1.4 + Math.sin(index / count * 9 + phase) +
            Math.cos(index * 1.7 + phase * 3) / 5),
      ),
  );
  return { name, values };
}

const months = over("month");
const wide = over("day", time.start, time.start + 999.5 * 86_400);
const base = { ...time, place };

export const samples: Readonly<Record<string, Chart>> = {
  "empty": {
    ...base,
    title: "Cases closed by team",
    axis: months,
    panels: [{
      unit: "number",
      series: [{ name: "North", values: Array(12).fill(null) }],
    }],
  },
  "no series": {
    ...base,
    title: "Cases closed by team",
    axis: { kind: "groups", names: [] },
    panels: [],
  },
  "one point": {
    ...base,
    title: "Cases closed",
    axis: over("year"),
    panels: [{
      unit: "number",
      series: [{ name: "Cases closed", values: [17] }],
    }],
  },
  "negative": {
    ...base,
    title: "Revenue of products, with credit notes",
    axis: months,
    panels: [{
      unit: "money",
      series: [{
        name: "Revenue",
        values: [
          1200,
          400.5,
          -830,
          -1200.25,
          0,
          90,
          800,
          null,
          700,
          -20,
          5,
          1100,
        ],
      }],
    }],
  },
  "1,000 buckets": {
    ...base,
    end: wide.bounds.at(-1)!,
    title: "Activities by user",
    axis: wide,
    panels: [{
      unit: "number",
      series: Array.from(
        { length: 10 },
        (_, index) => wave(`User ${index + 1}`, 1_000, index),
      ),
    }],
  },
  "50 series": {
    ...base,
    title: "Leads created by source",
    axis: months,
    panels: [{
      unit: "number",
      series: Array.from(
        { length: 50 },
        (_, index) => wave(`Source ${index + 1}`, 12, index / 3, 10 + index),
      ),
    }],
  },
  "long names": {
    ...base,
    title: `Cases closed ${"by people with very long names ".repeat(6)}`,
    axis: {
      kind: "groups",
      names: [
        "Wolfeschlegelsteinhausenbergerdorff Aberdeen-Featherstonehaugh of the Northern Isles",
        "株式会社とても長い名前の営業部門東京本社第一営業部",
        "👩‍👩‍👧‍👦".repeat(30),
        `<script>alert("x")</script> & 'co' ]]> \u0000\ud800`,
        "شركة ذات اسم طويل جدا للغاية في الشرق الأوسط",
        "short",
      ],
    },
    panels: [{
      unit: "number",
      series: [{ name: "Cases closed", values: [412, 300, 7, 120, 55, 1] }],
    }],
  },
  "huge and tiny": {
    ...base,
    title: "Value of closed cases, and quantities",
    axis: months,
    panels: [
      { unit: "money", series: [wave("Value", 12, 1, 8e11)] },
      {
        unit: "number",
        series: [{
          name: "Quantity",
          values: [
            1e-6,
            3e-6,
            2e-6,
            0,
            null,
            5e-6,
            2e-6,
            1e-6,
            0,
            0,
            4e-6,
            3e-6,
          ],
        }],
      },
      {
        unit: "number",
        series: [{
          name: "Beyond counting",
          values: [1e15, 3e18, 2e18, 0, 1, 2, 3, 4, 5, 6, 7, 4e18],
        }],
      },
    ],
  },
  "units": {
    ...base,
    title: "How leads went",
    axis: months,
    panels: [
      {
        unit: "percent",
        series: [{
          name: "Acceptance rate",
          values: [40, 55.5, 61, 70, 66, 80, 92, 100, 88, 75, null, 81.25],
        }],
      },
      {
        unit: "seconds",
        series: [
          {
            name: "Time to accept",
            values: [
              3600,
              5400,
              86400,
              43200,
              900,
              60,
              7200,
              10800,
              3661,
              null,
              1800,
              200000,
            ],
          },
          {
            name: "Time to first activity",
            values: [...Array(12).keys()].map((index) => 40_000 + index * 9_000),
          },
        ],
      },
    ],
  },
  "bars": {
    ...base,
    title: "Cases by team",
    axis: {
      kind: "groups",
      names: ["North", "South", "East", "West", "(none)"],
    },
    panels: [
      {
        unit: "number",
        series: ["created", "closed", "declined", "reopened", "open", "other"]
          .map((name, index) => ({
            name: `Cases ${name}`,
            values: [90, 72, 60, 41, 12].map((value) => Math.round(value / (index + 1))),
          })),
      },
      {
        unit: "money",
        series: [{
          name: "Value",
          values: [120_000, 98_000.5, -14_000, null, 310],
        }],
      },
    ],
  },
  "many bars": {
    ...base,
    title: "Activities by user",
    axis: {
      kind: "groups",
      names: Array.from({ length: 200 }, (_, index) => `User ${index + 1}`),
    },
    panels: [{
      unit: "number",
      series: [{
        name: "Activities",
        values: Array.from({ length: 200 }, (_, index) => 400 - 2 * index),
      }],
    }],
  },
  "gaps": {
    ...base,
    title: "Mean time to close",
    axis: months,
    panels: [{
      unit: "seconds",
      series: [{
        name: "Time to close",
        values: [null, 5, null, 9, 12, 7, null, null, 3, null, 8, null],
      }],
    }],
  },
};
