/**
 * The acceptance rate, compared with an independent sum: an assignment counts in the time span in which it
 * was made, if it was accepted in the same span.
 */
import assert from "node:assert/strict";
import { type FactKind, factKinds } from "../../src/core/fact_kinds.ts";
import { delayLimits } from "../../src/facts/tables.ts";
import { sql } from "../../src/db/statements.ts";
import { rollUpFacts } from "../../src/insight/rollups/run.ts";
import { type Body, startApp } from "../support/app.ts";
import fc from "../support/properties.ts";

const hour = 3_600;
const first = Date.UTC(2024, 0, 1) / 1000;
const text = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 19).replace("T", " ");
const seconds = (text: string) => Date.parse(`${text.replace(" ", "T")}Z`) / 1000;

/** Days at which a week, a month, a year or the time span of a question begins. */
const beginnings = [7, 31, 60, 91, 100, 366];

/**
 * Assignments, some with a delay at the limit of a class, some accepted exactly at the end of a day. Some are
 * made a second before a time span and accepted as late as their class allows: the query reads them last.
 */
const assignment = fc.record({
  at: fc.oneof(
    fc.integer({ min: 0, max: 800 * 24 * hour }),
    fc.nat(799).map((day) => day * 24 * hour),
    fc.constantFrom(...beginnings).map((day) => day * 24 * hour - 1),
  ).map((offset) => first + offset),
  delay: fc.oneof(
    fc.integer({ min: 0, max: 9 * hour }),
    fc.integer({ min: 0, max: 500 * 24 * hour }),
    fc.constantFrom(0, ...delayLimits.flatMap((limit) => [limit - 1, limit, limit + 1])),
    fc.constantFrom(...delayLimits.map((limit) => limit - 1)),
  ),
  toMidnight: fc.boolean(),
  isAccepted: fc.boolean(),
  team: fc.nat(2),
}).map(({ toMidnight, delay, ...given }) => ({
  ...given,
  delay: toMidnight ? delay + 24 * hour - (given.at + delay) % (24 * hour) : delay,
}));

Deno.test("an acceptance counts in the time that its assignment was made in, and in no later one", async () => {
  await using app = await startApp();
  const { admin, id, team } = await app.company();
  const teams = [await team(), await team(), await team()];
  await app.deps.db.write([{ sql: "update companies set timezone = 'UTC' where id = ?", args: [id] }]);
  const assignments = fc.sample(assignment, 3_000);
  const row = (kind: FactKind, at: number, team: number, value: number | null) => [
    factKinds[kind],
    at,
    teams[team]!,
    value,
  ];
  const rows = assignments.flatMap(({ at, delay, isAccepted, team }) => [
    row("lead_assigned", at, team, null),
    ...(isAccepted ? [row("assignment_accepted", at + delay, team, delay)] : []),
  ]);
  await app.deps.db.write([sql`insert into facts (company_id, kind, at, recorded_at, team_id, value)
    select ${id}, value ->> 0, value ->> 1, value ->> 1, value ->> 2, value ->> 3
    from json_each(${JSON.stringify(rows)})`]);

  const byTeam = teams.map((_, team) => assignments.filter((of) => of.team === team));
  const rate = (team: number, start: number, end: number) => {
    const made = byTeam[team]!.filter(({ at }) => at >= start && at < end);
    const accepted = made.filter(({ at, delay, isAccepted }) => isAccepted && at + delay < end);
    return made.length === 0 ? null : accepted.length / made.length * 100;
  };
  const assertRates = async (path: string, until: number) => {
    const answer = await admin.call("GET", `/v1/reports/${path}`);
    assert.equal(answer.status, 200, answer.text);
    const data = answer.body.data as Body[];
    assert.ok(data.some(({ value }) => value > 0), path);
    for (const { team_id, start_at, end_at, value } of data) {
      const expected = rate(teams.indexOf(team_id), seconds(start_at), Math.min(until, seconds(end_at)));
      const at = `${path}: team ${team_id} from ${start_at} until ${end_at}`;
      if (expected === null || value === null) assert.equal(value, expected, at);
      else assert.ok(Math.abs(value - expected) <= 0.005 + 1e-9, `${at}: ${value} instead of ${expected}`);
    }
  };
  const question = "indicators=leads.acceptance_rate&group_by=team";
  const time = (start: number, end: number) => `start_at=${text(start)}&end_at=${text(end)}`;
  const year = first + 366 * 24 * hour;
  for (const isRolled of [false, true]) {
    if (isRolled) await rollUpFacts(app.deps);
    for (const interval of ["day", "week", "month", "year"]) {
      await assertRates(`time-series?${question}&interval=${interval}&${time(first, year)}`, year);
    }
    const days = first + 30 * 24 * hour;
    await assertRates(`time-series?${question}&interval=hour&${time(first, days)}`, days);
    for (const [start, length] of [[0, 800], [40.5, 31], [366, 90.25], [100, 366]] as const) {
      const from = first + start * 24 * hour;
      const data = (await admin.call(
        "GET",
        `/v1/reports/metrics?${question}&${time(from, from + length * 24 * hour)}`,
      ))
        .body.data as Body[];
      for (const { team_id, value } of data) {
        const expected = rate(teams.indexOf(team_id), from, from + length * 24 * hour)!;
        assert.ok(Math.abs(value - expected) <= 0.005 + 1e-9, `${start} ${length}`);
      }
      assert.equal(data.length, teams.length);
    }
  }
});
