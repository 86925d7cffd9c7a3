import assert from "node:assert/strict";
import { makeChartOfMetrics, makeChartOfSeries } from "../../src/insight/charts/figures.ts";
import { findIndicator } from "../../src/insight/indicators/catalogue.ts";
import { place } from "./chart_samples.ts";

const makeQuestion = (names: string[], groupBy: ("team" | "user")[]) => ({
  indicators: names.map((name) => findIndicator(name)!),
  groupBy,
  start: 100,
  end: 400,
});
const group = (...ids: (number | null)[]) => ({
  ids,
  names: ids.map((id) => id === null ? null : `Team ${id}`),
});

Deno.test("metrics become bars by group, in the order of the figures, with a panel for each unit", () => {
  const rows = [
    { indicator: "cases.closed", value: 9, group: group(2) },
    { indicator: "cases.closed", value: 4, group: group(null) },
    { indicator: "cases.closed.value", value: 12.5, group: group(1) },
    { indicator: "cases.closed.value", value: 3, group: group(2) },
  ];
  const question = makeQuestion(["cases.closed", "cases.closed.value"], ["team"]);
  assert.deepEqual(makeChartOfMetrics(question, place, rows), {
    title: "Cases closed, Cases closed value by team",
    start: 100,
    end: 400,
    place,
    axis: { kind: "groups", names: ["Team 2", "(none)", "Team 1"] },
    panels: [
      { unit: "number", series: [{ name: "Cases closed", values: [9, 4, null] }] },
      { unit: "money", series: [{ name: "Cases closed value", values: [3, null, 12.5] }] },
    ],
  });
});

Deno.test("metrics without groups become one bar", () => {
  const rows = [{ indicator: "accounts.b2b.created", value: 0, group: group() }];
  const { title, axis, panels } = makeChartOfMetrics(makeQuestion(["accounts.b2b.created"], []), place, rows);
  assert.deepEqual([title, axis], ["Accounts B2B created", { kind: "groups", names: ["All"] }]);
  assert.deepEqual(panels[0]!.series, [{ name: "Accounts B2B created", values: [0] }]);
});

Deno.test("a time series becomes a line for each group, over whole intervals", () => {
  const line = (id: number, ...values: (number | null)[]) => ({
    indicator: "cases.closed",
    group: group(id),
    values,
  });
  const series = { bounds: [100, 200, 300], lines: [line(1, 5, null), line(2, 0, 7)] };
  const { axis, panels } = makeChartOfSeries(
    makeQuestion(["cases.closed"], ["team"]),
    place,
    "second",
    series,
  );
  assert.deepEqual(axis, { kind: "time", interval: "second", bounds: [100, 200, 300] });
  assert.deepEqual(panels, [{
    unit: "number",
    series: [{ name: "Team 1", values: [5, null] }, { name: "Team 2", values: [0, 7] }],
  }]);
});

Deno.test("a time series without a group has no panel", () => {
  const { axis, panels } = makeChartOfSeries(makeQuestion(["cases.closed"], ["team"]), place, "month", {
    bounds: [0, 500],
    lines: [],
  });
  assert.deepEqual([axis, panels], [{ kind: "time", interval: "month", bounds: [100, 400] }, []]);
});
