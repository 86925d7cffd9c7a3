/**
 * Rollups of facts: figures read from rollups equal those of the facts, even before the job has reached all
 * facts.
 */
import assert from "node:assert/strict";
import { customerFlags, type FactKind, factKinds } from "../../src/core/fact_kinds.ts";
import { sql } from "../../src/db/statements.ts";
import { groupings, indicatorNames, indicators } from "../../src/insight/indicators/catalogue.ts";
import { measureId, rolledMeasures } from "../../src/insight/rollups/measures.ts";
import { rollUpFacts } from "../../src/insight/rollups/run.ts";
import { openFile } from "../../src/platform/database/file.ts";
import { newPath } from "../sales/parts.ts";
import { type Actor, type Body, startApp, type TestApp } from "../support/app.ts";
import fc from "../support/properties.ts";
import { measureUntilGood } from "../support/measured.ts";

const day = 86_400;
const from = Date.UTC(2023, 0, 1) / 1000;
const until = Date.UTC(2026, 2, 1) / 1000;
const text = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 19).replace("T", " ");

interface Fact {
  readonly kind: FactKind;
  readonly at: number;
  readonly user: number | null;
  readonly team: number | null;
  readonly dim: number | null;
  readonly flags: number;
  readonly weight: number;
  readonly value: number | null;
  readonly value2: number | null;
}

/** Moments: most within a few years, some at the beginnings of weeks, months and years, some far away. */
const moment = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: from, max: until }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(-62_167_219_200, -1, 0, 345_599, 345_600, 4_102_444_800, 253_402_300_799),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      first: fc.constantFrom(...[0, 1, 6, 12, 13, 24].map((month) => Date.UTC(2023, month, 1) / 1000)),
      off: fc.integer({ min: -1, max: 1 }),
    }).map(({ first, off }) => first + off),
  },
);

const generateFacts = ({ users, teams, dims }: Scene) =>
  fc.record({
    kind: fc.constantFrom<FactKind>(
      "call",
      "contact",
      "account",
      "lead_created",
      "lead_accepted",
      "assignment_accepted",
      "lead_assigned",
      "lead_open",
      "case_open",
      "case_closed",
      "case_declined",
      "activity",
      "task_completed",
      "product_line",
      "note",
    ),
    at: moment,
    user: fc.option(fc.constantFrom(...users), { freq: 6 }),
    team: fc.option(fc.constantFrom(...teams), { freq: 6 }),
    dim: fc.option(fc.constantFrom(...dims), { freq: 6 }),
    flags: fc.integer({ min: 0, max: 2 * customerFlags.consentSms - 1 }),
    weight: fc.constantFrom(1, 1, 1, -1, 250),
    // Quarters are exact as binary numbers, so every order of addition gives the same sum.
    value: fc.option(fc.integer({ min: -99_999, max: 9_999_999 }).map((quarters) => quarters / 4), {
      freq: 5,
    }),
    value2: fc.option(fc.integer({ min: 0, max: 99_999 }), { freq: 5 }),
  });

async function record(app: TestApp, companyId: number, facts: readonly Fact[]): Promise<void> {
  const rows = facts.map((
    { kind, at, user, team, flags, weight, value, value2, dim },
  ) => [factKinds[kind], at, user, team, flags, kind === "call" ? 1 : weight, value, value2, dim]);
  await app.deps.db.write([sql`insert into facts
    (company_id, kind, at, recorded_at, user_id, team_id, flags, weight, value, value2, dim_id)
    select ${companyId}, value ->> 0, value ->> 1, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5,
    value ->> 6, value ->> 7, value ->> 8 from json_each(${JSON.stringify(rows)})`]);
}

interface Scene {
  readonly users: readonly number[];
  readonly teams: readonly number[];
  /** Ids of rows of `fact_dims`, the sets of properties. */
  readonly dims: readonly number[];
}

async function scene(app: TestApp) {
  const company = await app.company();
  const group = await company.group();
  const teams = [
    await company.team({ group_id: group }),
    await company.team({ group_id: group }),
    await company.team(),
  ];
  const member = await company.user({ teams: [teams[0]!] });
  const other = await company.user({ teams: [teams[2]!], type: "team_admin" });
  const callers = [company.admin, member, other];
  const paths = [await newPath(company.admin), await newPath(company.admin)].map(({ id }) => id);
  const keys = paths.flatMap((path) => [
    [path, "lead type", "web", 1, ["call", "offer"], ["offer"], ["car", "bike"], [teams[0]], teams[0]],
    [path, null, null, null, ["offer"], ["offer"], ["car"], [teams[1], teams[2]], null],
    [path, "lead type", "fair", 0, [], [], [], [], teams[2]],
  ]);
  await app.deps.db.write(
    keys.map((key) =>
      sql`insert into fact_dims (company_id, key) values (${company.id}, ${JSON.stringify(key)})`
    ),
  );
  const dims = (await app.sql("select id from fact_dims where company_id = ?", company.id)).map(({ id }) =>
    Number(id)
  );
  return { company, paths, teams, callers, dims, users: callers.map(({ id }) => id) };
}

const question = fc.record({
  caller: fc.nat(2),
  indicators: fc.subarray([...indicatorNames], { minLength: 1, maxLength: 12 })
    .map((names) => [...new Set([...names, "users.active"])]),
  by: fc.oneof(
    fc.subarray(["user", "team", "group", "company"]),
    fc.subarray(["team", "activity_type", "lead_source", "lead_type", "product", "relations_path"], {
      maxLength: 3,
    }),
    fc.subarray([...groupings], { maxLength: 3 }),
  ),
  filters: fc.record({
    created_from_lead: fc.option(fc.boolean(), { freq: 1 }),
    lead_sources: fc.option(fc.constantFrom("web", "fair"), { freq: 1 }),
    relations_path_ids: fc.option(fc.nat(1), { freq: 1 }),
  }),
  start: moment,
  length: fc.oneof(fc.integer({ min: 1, max: 40 * day }), fc.integer({ min: 1, max: 900 * day })),
  interval: fc.option(fc.constantFrom("year", "quarter", "month", "week", "day")),
  zone: fc.constantFrom("Europe/Berlin", "America/Los_Angeles", "Asia/Kathmandu", "UTC"),
  teams: fc.option(fc.subarray([0, 1, 2], { minLength: 1 })),
  compare: fc.boolean(),
});

const change = (app: TestApp, text: string, ...args: (string | number)[]) =>
  app.deps.db.write([{ sql: text, args }]);

/** Returns the answer of a report with rollups, and the answer from facts alone. */
async function ask(app: TestApp, by: Actor, path: string): Promise<{ rolled: Body; plain: Body }> {
  const rolled = await by.call("GET", path);
  await change(app, "update fact_rollup_reach set version = version || '-'");
  const plain = await by.call("GET", path);
  await change(app, "update fact_rollup_reach set version = rtrim(version, '-')");
  // A series can have too many figures; then both answers are 422.
  const expected = rolled.body.errors?.[0].path === "query.interval" ? 422 : 200;
  assert.deepEqual([rolled.status, plain.status], [expected, expected], rolled.text);
  if (expected === 422) return { rolled: rolled.body.errors, plain: plain.body.errors };
  return { rolled: rolled.body, plain: plain.body };
}

/** The kinds of facts that have more properties than a user and a team. */
const withDims = new Set(
  indicators.filter(({ knowsLead }) => knowsLead).flatMap(({ terms }) => terms.map(({ kind }) => kind)),
);

/** Returns the rollups, and the sums of the facts that the job has reached. */
async function recount(app: TestApp): Promise<{ kept: Map<string, number>; added: Map<string, number> }> {
  const kept = await app.sql("select * from fact_rollups");
  const facts = await app.sql(
    "select * from facts where seq <= ifnull((select seq from fact_rollup_reach), 0)",
  ) as Body[];
  const measures = Map.groupBy(rolledMeasures, ({ kind }) => factKinds[kind]);
  const added = new Map<string, number>();
  for (const fact of facts) {
    const [user, team, dim] = [fact.user_id ?? 0, fact.team_id ?? 0, fact.dim_id ?? 0];
    const { day, week, month, year } = begins(fact.at);
    const periods = [year, month, week, day];
    for (const measure of measures.get(fact.kind) ?? []) {
      if ((fact.flags & measure.mask) !== measure.bits) continue;
      const amount = {
        weight: fact.weight,
        value: fact.value ?? 0,
        value2: fact.value2 ?? 0,
        has_value: fact.value === null ? 0 : 1,
        has_value2: fact.value2 === null ? 0 : 1,
      }[measure.amount];
      const of = `${fact.company_id},${measureId(measure)}`;
      [
        ...periods.map((at) => `${at},0,${team},0`),
        ...periods.map((at) => `${at},${user},${team},0`),
        ...(withDims.has(measure.kind) ? [year, month].map((at) => `${at},0,${team},${dim}`) : []),
      ].forEach((place, rollup) => {
        const key = `${of},${rollup},${place}`;
        added.set(key, (added.get(key) ?? 0) + amount);
      });
    }
  }
  return {
    kept: new Map(kept.map(({ total, ...key }) => [Object.values(key).join(), Number(total)])),
    added,
  };
}

/** Returns the beginnings of the periods that contain a moment, in UTC. */
function begins(at: number) {
  const date = new Date(at * 1000);
  const midnight = new Date(date);
  midnight.setUTCHours(0, 0, 0, 0);
  const monday = midnight.getTime() - (date.getUTCDay() + 6) % 7 * day * 1000;
  const month = new Date(midnight);
  month.setUTCDate(1);
  const year = new Date(month);
  year.setUTCMonth(0);
  return {
    day: Number(midnight) / 1000,
    week: monday / 1000,
    month: Number(month) / 1000,
    year: Number(year) / 1000,
  };
}

async function assertRecounts(app: TestApp): Promise<void> {
  const { kept, added } = await recount(app);
  for (const key of new Set([...kept.keys(), ...added.keys()])) {
    const [is, should] = [kept.get(key) ?? 0, added.get(key) ?? 0];
    assert.ok(Math.abs(is - should) < 1e-6, `${key}: ${is} instead of ${should}`);
  }
}

Deno.test("figures from rollups are those of the facts, for any time, group and caller", async () => {
  await using app = await startApp();
  const made = await scene(app);
  const { company, paths, teams, callers } = made;
  const facts = fc.sample(generateFacts(made), 4_000);
  await record(app, company.id, facts.slice(0, 3_000));
  await rollUpFacts(app.deps);
  // What the job has not reached counts too.
  await record(app, company.id, facts.slice(3_000));
  await assertRecounts(app);
  await fc.assert(
    fc.asyncProperty(
      question,
      async ({ caller, indicators, by, filters, start, length, interval, zone, teams: of, compare }) => {
        const { created_from_lead, lead_sources, relations_path_ids } = filters;
        await change(app, "update companies set timezone = ? where id = ?", zone, company.id);
        const end = Math.min(start + length, 253_402_300_799);
        fc.pre(start < end);
        const query = [
          `indicators=${indicators.join(",")}`,
          `group_by=${by.join(",")}`,
          `start_at=${text(start)}`,
          `end_at=${text(end)}`,
          ...(created_from_lead === null ? [] : [`created_from_lead=${created_from_lead}`]),
          ...(lead_sources === null ? [] : [`lead_sources=${lead_sources}`]),
          ...(relations_path_ids === null ? [] : [`relations_path_ids=${paths[relations_path_ids]}`]),
          ...(of ? [`team_ids=${of.map((index) => teams[index]).join(",")}`] : []),
        ].join("&");
        const path = interval
          ? `/v1/reports/time-series?${query}&interval=${interval}`
          : `/v1/reports/metrics?${query}${compare ? "&compare=previous" : ""}`;
        const { rolled, plain } = await ask(app, callers[caller]!, path);
        assert.deepEqual(rolled, plain);
      },
    ),
    { numRuns: Number(Deno.env.get("QUESTION_RUNS") ?? 60), endOnFailure: true },
  );
  // Proves that the questions read rollups: a wrong rollup changes the answer.
  const path = "/v1/reports/metrics?indicators=contacts.b2b.total&group_by=company";
  const { plain } = await ask(app, company.admin, path);
  await change(app, "update fact_rollups set total = total + 1");
  assert.notDeepEqual((await ask(app, company.admin, path)).rolled, plain);
});

Deno.test("several processes that roll up at once count each fact once, and later facts are added", async () => {
  await using app = await startApp();
  const made = await scene(app);
  const { company } = made;
  const facts = fc.sample(generateFacts(made), 5_000);
  await record(app, company.id, facts.slice(0, 4_500));
  const others = [openFile(app.file, {}), openFile(app.file, {})];
  try {
    await Promise.all([app.deps.db, ...others].map((db) => rollUpFacts({ ...app.deps, db })));
    await assertRecounts(app);
    await record(app, company.id, facts.slice(4_500));
    await Promise.all(others.map((db) => rollUpFacts({ ...app.deps, db })));
    await assertRecounts(app);
  } finally {
    for (const db of others) await db.close();
  }
  const [reach] = await app.sql("select seq = (select max(seq) from facts) as done from fact_rollup_reach");
  assert.equal(reach!.done, 1);
});

Deno.test("rollups leave most of the time to others while these record facts", async () => {
  await using app = await startApp();
  const { db } = app.deps;
  const add = (count: number) =>
    db.write([sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
      insert into facts (company_id, kind, at, recorded_at, user_id, team_id)
      select 1, ${factKinds.contact}, ${from} + i * 3600, ${from}, i % 50, i % 7 from n`]);
  const share = async (isBusy: boolean) => {
    await add(2_500);
    let [steps, written] = [0, 0];
    const began = performance.now();
    const stepping: typeof db = {
      ...db,
      async write(statements) {
        const at = performance.now();
        const results = await db.write(statements);
        steps += performance.now() - at;
        if (isBusy && written++ < 5) await add(1);
        return results;
      },
    };
    assert.ok(await rollUpFacts({ ...app.deps, db: stepping }) >= 2_500);
    return (performance.now() - began) / steps;
  };
  await rollUpFacts(app.deps);
  assert.ok(await measureUntilGood(() => share(false), (figure) => figure < 3) < 3);
  assert.ok(await measureUntilGood(() => share(true), (figure) => figure > 4) > 4);
});

Deno.test("rollups of other measures are removed and worked out anew", async () => {
  await using app = await startApp();
  const made = await scene(app);
  const { company } = made;
  await record(
    app,
    company.id,
    fc.sample(generateFacts(made), 500),
  );
  await rollUpFacts(app.deps);
  await change(app, "update fact_rollup_reach set version = 'before', seq = 99999999");
  await change(app, "update fact_rollups set total = 5, measure = measure + 1");
  await rollUpFacts(app.deps);
  await assertRecounts(app);
  const [reach] = await app.sql("select seq = (select max(seq) from facts) as done from fact_rollup_reach");
  assert.equal(reach!.done, 1);
});

Deno.test("facts that get the numbers of erased ones are counted", async () => {
  await using app = await startApp();
  const made = await scene(app);
  const { company } = made;
  const facts = fc.sample(generateFacts(made), 300);
  await record(app, company.id, facts.slice(0, 100));
  const gone = await app.company();
  await record(app, gone.id, facts.slice(100, 200));
  await rollUpFacts(app.deps);
  // The statements that erase a company.
  await change(app, "delete from facts where company_id = ?", gone.id);
  await change(app, "delete from fact_rollups where company_id = ?", gone.id);
  await record(app, company.id, facts.slice(200));
  await rollUpFacts(app.deps);
  await assertRecounts(app);
});
