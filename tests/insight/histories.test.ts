/** Figures of random histories, compared with a model that knows only the calls and the specification. */
import assert from "node:assert/strict";
import { rollUpFacts } from "../../src/insight/rollups/run.ts";
import type { Body } from "../support/app.ts";
import fc, { propertySeed } from "../support/properties.ts";
import {
  addCase,
  addNote,
  changeCase,
  changeTask,
  declineCase,
  deleteCase,
  deleteTask,
} from "./model/cases.ts";
import { addAccount, addContact, changeAccount, changeContact, moveContact } from "./model/customers.ts";
import { evaluateFigures, type Figures, type Filters, isSplit, type Question } from "./model/evaluate.ts";
import { indicators, type Property } from "./model/indicators.ts";
import { intervals, listIntervals, type Span } from "./model/intervals.ts";
import {
  accept,
  act,
  actOnLead,
  addLead,
  assign,
  callLead,
  changeLead,
  deleteLead,
  reject,
  seeLeads,
} from "./model/leads.ts";
import {
  changeTeams,
  deleteAccount,
  deleteContact,
  deleteTeam,
  deleteUser,
  regroup,
} from "./model/people.ts";
import { openMail, sendCampaign, sendMail, signIn, unsubscribe } from "./model/messages.ts";
import {
  chooseFrom,
  day,
  type Draw,
  formatSeconds,
  runTimers,
  type Scene,
  startScene,
} from "./model/scene.ts";

const histories = Number(Deno.env.get("HISTORIES") ?? 2);

const often = {
  addAccount,
  addCase,
  addLead,
  accept,
  actOnLead,
  addNote,
  changeTask,
  changeCase,
  Offer: act("Offer"),
  Call: act("Call"),
  sendMail,
  openMail,
  sendCampaign,
  unsubscribe,
  Sold: act("Sold"),
};
const seldom = {
  signIn,
  addContact,
  changeAccount,
  changeContact,
  moveContact,
  deleteAccount,
  deleteContact,
  deleteCase,
  deleteTask,
  declineCase,
  Contacted: act("Contacted"),
  Both: act("Call", "Contacted"),
  Lost: act("Lost"),
  Reopened: act("Reopened"),
  assign,
  reject,
  callLead,
  changeLead,
  deleteLead,
  changeTeams,
  deleteUser,
  regroup,
};
type Action = (scene: Scene, draw: Draw) => Promise<void>;
const actions: Readonly<Record<string, Action>> = { ...often, ...seldom };

const step = fc.record({
  kind: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...Object.keys(often)) },
    { weight: 2, arbitrary: fc.constantFrom(...Object.keys(seldom)) },
  ),
  which: fc.nat(20),
  pick: fc.nat(20),
  flag: fc.boolean(),
  wait: fc.oneof(fc.integer({ min: 1, max: 7_000 }), fc.integer({ min: 1, max: 4 * day })),
  back: fc.option(fc.integer({ min: 1, max: 60 * day }), { freq: 2 }),
});
const properties: readonly Property[] = [
  "activity_type",
  "company",
  "group",
  "lead_source",
  "lead_type",
  "product",
  "relations_path",
  "team",
  "user",
];
const question = fc.record({
  report: fc.constantFrom("metrics", "metrics", "time-series", "averages"),
  interval: fc.constantFrom(...intervals),
  caller: fc.nat(6),
  by: fc.oneof(
    fc.subarray(["user", "team", "group", "company"] as Property[]),
    fc.subarray([...properties], { maxLength: 3 }),
  ),
  // Null: the question begins near a moment of the history.
  start: fc.option(fc.integer({ min: -40 * day, max: 70 * day })),
  length: fc.integer({ min: 1, max: 100 * day }),
  at: fc.nat(1_000),
  filter: fc.option(fc.constantFrom(...properties.filter((name) => name !== "company"), "fromLead" as const)),
  also: fc.option(fc.constantFrom(...properties.filter((name) => name !== "company")), { freq: 2 }),
  pick: fc.nat(20),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;
type Asked = typeof question extends fc.Arbitrary<infer Q> ? Q : never;

Deno.test("figures of random histories are what their calls add up to", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 60, maxLength: 90 }),
      fc.array(question, { minLength: 60, maxLength: 60 }),
      fc.constantFrom("UTC", "Europe/Berlin", "Asia/Kathmandu", "America/Los_Angeles"),
      fc.option(fc.record({ which: fc.nat(2), pick: fc.nat(1) }), { freq: 1 }),
      check,
    ),
    { numRuns: histories, seed: propertySeed, endOnFailure: true },
  );
});

async function check(
  steps: readonly Step[],
  questions: readonly Asked[],
  zone: string,
  last: { which: number; pick: number } | null,
): Promise<void> {
  await using scene = await startScene();
  const began = scene.app.clock.now() / 1000;
  const zoned = await scene.place.admin.call("PUT", `/v1/companies/${scene.company.id}`, {
    timezone: { name: zone },
  });
  assert.equal(zoned.status, 200, zoned.text);
  const first = ["addAccount", "addContact", "addCase", "addLead"] as const;
  for (const [index, { kind, wait, ...draw }] of steps.entries()) {
    scene.app.clock.move(wait * 1000);
    if (await runTimers(scene) > 0) await seeLeads(scene);
    // The first actions create records, so that later ones find something to change.
    const name = index < 16 ? first[index % 4]! : kind;
    await actions[name]!(scene, draw);
    // Some facts are rolled up, of every age, and some are not.
    if (index % 30 === 20) await rollUpFacts(scene.app.deps);
  }
  if (last) await deleteTeam(scene, last);
  for (const asked of questions) await ask(scene, asked, zone, began);
}

async function ask(scene: Scene, asked: Asked, zone: string, began: number): Promise<void> {
  const { history } = scene;
  const person = chooseFrom(scene.people.filter(({ life }) => life.now.isThere), asked.caller)!;
  const filters = makeFilters(scene, asked);
  const by = asked.report === "averages" ? ["user" as const] : asked.by;
  const question: Question = {
    caller: { ...person, teams: person.life.now.teams },
    by,
    filters,
  };
  const start = asked.start === null
    ? chooseFrom(history.happened, asked.at)!.at + asked.pick % 3 - 1
    : began + asked.start;
  const end = start + asked.length;
  const names = [...indicators.keys()];
  const company = { id: scene.company.id, groups: scene.groupOf };
  const figures = (name: string, span: Span) => evaluateFigures(history, company, name, span, question);
  const few = listIntervals(zone, asked.interval, start, end).length <= 110;
  const interval = few ? asked.interval : "week";
  const query = [
    `indicators=${names}&start_at=${formatSeconds(start)}&end_at=${formatSeconds(end)}`,
    asked.report === "averages" ? "" : `&group_by=${by}`,
    asked.report === "metrics" ? "" : `&interval=${interval}`,
    ...Object.entries(filters).map(([name, ids]) =>
      name === "fromLead" ? `&created_from_lead=${ids}` : `&${name}_ids=${ids}`
    ),
  ].join("").replace("lead_source_ids", "lead_sources");
  const compares = asked.report === "metrics" && asked.pick % 4 === 0;
  const path = `/v1/reports/${asked.report}?${query}${compares ? "&compare=previous" : ""}`;
  const { status, body, text } = await person.actor.call("GET", path);
  assert.equal(status, 200, text);
  const spans = listIntervals(zone, interval, start, end);
  for (const name of names) {
    const rows = body.data.filter(({ indicator }: Body) => indicator === name);
    const expected = asked.report === "metrics"
      ? dropEmpty(name, by, figures(name, { start, end }))
      : asked.report === "averages"
      ? dropEmpty(name, by, averages(name, spans.map((span) => figures(name, within(span, start, end)))))
      : makeSeries(spans, (span) => figures(name, within(span, start, end)));
    if (asked.report === "metrics") assertOrder(rows, by);
    if (compares) {
      const previous = figures(name, { start: start - asked.length, end: start });
      const { kind } = indicators.get(name)!;
      const nothing = kind === "mean" || kind === "rate" ? null : 0;
      for (const key of isSplit(name, by) ? dropEmpty(name, by, previous).keys() : []) {
        if (!expected.has(key)) expected.set(key, nothing);
      }
      for (const row of rows) {
        const was = previous.get(makeKey(asked, by, row)) ?? nothing;
        assertSame(new Map([["", row.previous]]), new Map([["", was]]), `previous of ${name}: ${path}`);
      }
    }
    const actual = new Map<string, number | null>(
      rows.map((row: Body) => [makeKey(asked, by, row), row.value]),
    );
    const context = `${name} of user ${person.actor.id}: ${path.replace(String(names), name)}`;
    if (asked.report === "time-series") dropNothing(actual, expected);
    assertSame(actual, expected, context);
  }
}

const within = (span: Span, start: number, end: number): Span => ({
  start: Math.max(start, span.start),
  end: Math.min(end, span.end),
});

function makeKey({ report }: Asked, by: readonly Property[], row: Body): string {
  if (report === "averages") return JSON.stringify([row.user?.id ?? null]);
  const ids = by.map((property) => row[`${property}_id`]);
  return report === "metrics" ? JSON.stringify(ids) : `${JSON.stringify(ids)} ${row.start_at} ${row.end_at}`;
}

/** Leaves out empty groups, if the indicator is split into groups. */
function dropEmpty(name: string, by: readonly Property[], figures: Figures): Figures {
  if (!isSplit(name, by)) return figures;
  const { kind } = indicators.get(name)!;
  const hasZero = kind === "rate" || kind === "mean";
  return new Map([...figures].filter(([, value]) => value !== null && (value !== 0 || hasZero)));
}

/**
 * Returns the mean over the spans: all spans of counts and sums, and the spans with a value of means and
 * rates.
 */
function averages(name: string, spans: readonly Figures[]): Figures {
  const { kind } = indicators.get(name)!;
  const isNull = kind === "mean" || kind === "rate";
  const keys = new Set(spans.flatMap((figures) => [...figures.keys()]));
  return new Map([...keys].map((key) => {
    const values = spans.map((figures) => figures.get(key) ?? (isNull ? null : 0)).filter((value) =>
      value !== null
    );
    const sum = values.reduce((total, value) => total + value, 0);
    return [key, values.length === 0 ? null : sum / values.length];
  }));
}

function makeSeries(spans: readonly Span[], figures: (span: Span) => Figures): Figures {
  return new Map(spans.flatMap((span) =>
    [...figures(span)].map(([key, value]): [string, number | null] => [
      `${key} ${formatSeconds(span.start)} ${formatSeconds(span.end)}`,
      value,
    ])
  ));
}

/** Removes groups that are zero or null: a series shows each group in every interval. */
function dropNothing(...all: Map<string, number | null>[]): void {
  for (const figures of all) {
    for (const [key, value] of figures) if (value === null || value === 0) figures.delete(key);
  }
}

function assertSame(actual: Figures, expected: Figures, context: string): void {
  // Means and rates have two decimals.
  const sortFigures = (figures: Figures) =>
    Object.fromEntries([...figures].sort(([a], [b]) => a < b ? -1 : 1));
  const isNear = actual.size === expected.size && [...expected].every(([key, value]) => {
    const other = actual.get(key);
    if (other === undefined) return false;
    return value === null || other === null ? value === other : Math.abs(value - other) <= 0.00500001;
  });
  if (!isNear) assert.deepEqual(sortFigures(actual), sortFigures(expected), context);
}

/** Checks the order: greatest first, rows without a value last, ties by id. */
function assertOrder(rows: readonly Body[], by: readonly Property[]): void {
  const compareRows = (a: Body, b: Body) => {
    if (a.value !== b.value) return (b.value ?? -Infinity) - (a.value ?? -Infinity);
    const property = by.find((name) => a[`${name}_id`] !== b[`${name}_id`]);
    if (property === undefined) return 0;
    const [one, other] = [a[`${property}_id`], b[`${property}_id`]];
    return one === null ? 1 : other === null ? -1 : one < other ? -1 : 1;
  };
  assert.deepEqual(rows, rows.toSorted(compareRows));
}

function makeFilters(scene: Scene, { report, filter, also, pick }: Asked): Filters {
  const filters: Record<string, readonly (string | number)[] | boolean> = {};
  for (const name of [filter, also]) {
    if (name === null || (report === "averages" && ["group", "team", "user"].includes(name))) continue;
    filters[name] = name === "fromLead" ? pick % 2 === 0 : pickIds(scene, name, pick);
  }
  return filters as Filters;
}

function pickIds(scene: Scene, property: Property, pick: number): readonly (string | number)[] {
  const all: Readonly<Record<Property, readonly (string | number)[]>> = {
    activity_type: scene.paths.flatMap(({ types }) => Object.values(types)),
    company: [],
    group: scene.groups,
    lead_source: ["website", "fair"],
    lead_type: scene.leadTypes,
    product: scene.products,
    relations_path: scene.paths.map(({ id }) => id),
    team: [...scene.teams, scene.place.agency],
    user: scene.people.map(({ actor }) => actor.id),
  };
  const ids = all[property];
  return [...new Set([chooseFrom(ids, pick)!, ...(pick % 3 === 0 ? [chooseFrom(ids, pick + 3)!] : [])])];
}
