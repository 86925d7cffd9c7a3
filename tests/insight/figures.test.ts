/** Figures of reports, compared with the sums of the calls of a history. */
import assert from "node:assert/strict";
import { customerFlags, factKinds } from "../../src/core/fact_kinds.ts";
import { sql } from "../../src/db/statements.ts";
import { type Actor, type Body, startApp, type TestApp } from "../support/app.ts";
import { newCase, newContact } from "../sales/parts.ts";
import { act, makeScene } from "../sales/tasks_world.ts";
import { makeSales } from "../sales/leads_world.ts";

async function metrics(by: Actor, indicators: string, query = ""): Promise<Body[]> {
  const { status, body, text } = await by.call(
    "GET",
    `/v1/reports/metrics?indicators=${indicators}&${query}`,
  );
  assert.equal(status, 200, text);
  return body.data;
}

/** Values by the ids of the groups. */
async function figures(by: Actor, indicator: string, query = ""): Promise<Record<string, number | null>> {
  const rows = await metrics(by, indicator, query);
  return Object.fromEntries(rows.map(({ indicator: _name, value, ...group }) => [
    Object.entries(group).filter(([name]) => name.endsWith("_id")).map(([, id]) => String(id)).join(":"),
    value,
  ]));
}

Deno.test("what was made and deleted is counted with its user and team of then, and levels follow each change", async () => {
  await using app = await startApp();
  const { company, team, member } = await makeScene(app);
  const { admin } = company;
  const other = await company.team();
  const { account, contact } = await newContact(member);
  await newContact(member, {}, { created_at: "2026-01-10 00:00:00" });
  const name = "contacts.b2b";
  assert.deepEqual(await figures(admin, `${name}.created`), { [member.id]: 2 });
  // The creation of an account can be backdated.
  assert.deepEqual(await figures(admin, "accounts.b2b.created"), { [member.id]: 1 });
  const january = "start_at=2026-01-01 00:00:00&end_at=2026-02-01 00:00:00";
  assert.deepEqual(await figures(admin, "accounts.b2b.created", january), { [member.id]: 1 });
  assert.deepEqual(await figures(admin, "accounts.b2b.total", "group_by=team"), { [team]: 2 });
  assert.deepEqual(await figures(admin, "accounts_contacts.without_address", "group_by=team"), { [team]: 2 });

  app.clock.move(60_000);
  // The account moves with its contact. Earlier facts keep their team.
  const moved = await admin.call("PUT", `/v1/accounts/${account.id}`, {
    team_id: other,
    user_id: null,
    fixed_fields: [{ name: "address", value: "Street 1" }],
  });
  assert.equal(moved.status, 200, moved.text);
  assert.deepEqual(await figures(admin, `${name}.created`, "group_by=team"), { [team]: 2 });
  assert.deepEqual(await figures(admin, `${name}.total`, "group_by=team"), { [team]: 1, [other]: 1 });
  assert.deepEqual(await figures(admin, "accounts_contacts.without_address", "group_by=team"), { [team]: 1 });
  // Before the move the level is as it was.
  assert.deepEqual(
    await figures(admin, `${name}.total`, "group_by=team&end_at=2026-03-02 09:00:30"),
    { [team]: 2 },
  );
  const consent = { consent: { email: { consent_given: true } } };
  await admin.call("PUT", `/v1/accounts/${account.id}/contacts/${contact.id}`, consent);
  assert.deepEqual(await figures(admin, "contacts.consent.email", "group_by=team"), { [other]: 1 });
  app.clock.move(60_000);
  assert.equal((await admin.call("DELETE", `/v1/accounts/${account.id}`)).status, 204);
  assert.deepEqual(await figures(admin, `${name}.deleted`, "group_by=team"), { [other]: 1 });
  assert.deepEqual(await figures(admin, `accounts.b2b.deleted.total`, "group_by=team"), { [other]: 1 });
  assert.deepEqual(await figures(admin, `${name}.total`, "group_by=team"), { [team]: 1 });
  assert.deepEqual(await figures(admin, "contacts.consent.email", "group_by=team"), {});
  // A user counts what happened in the teams that it sees.
  assert.deepEqual(await figures(member, `${name}.deleted`, "group_by=team"), {});
  assert.deepEqual(await figures(member, `${name}.created`, "group_by=team"), { [team]: 2 });
});

/** Records an offer on a case, by an activity of a type. */
async function offer(
  by: Actor,
  path: { types: Readonly<Record<string, string>> },
  of: Body,
  type: string,
  line: object,
  more = {},
) {
  return await act(by, path as never, of.id, [type], { product_details: [{ products: [line] }], ...more });
}

Deno.test("a case counts when it happened: backdated closings take it back from then on, with its owners of then", async () => {
  await using app = await startApp();
  const { company, team, member, path } = await makeScene(app);
  const { admin } = company;
  const other = await company.user({ teams: [team] });
  const { body: car } = await admin.call("POST", "/v1/products", {
    fixed_fields: [{ name: "name", value: "Car" }, { name: "list_price", value: 100 }],
  });
  const made = await newCase(member, path, { created_at: "2026-01-05 08:00:00" });
  await offer(member, path, made, "Offer", { id: car.id, quantity: 3, discount: 50 }, {
    created_at: "2026-01-10 00:00:00",
  });
  const openAt = (end: string, name = "cases.open.value") => figures(admin, name, `end_at=${end}`);
  assert.deepEqual(await openAt("2026-01-06 00:00:00", "cases.open"), { [member.id]: 1 });
  assert.deepEqual(await openAt("2026-01-10 00:00:00"), {});
  assert.deepEqual(await openAt("2026-01-10 00:00:01"), { [member.id]: 250 });
  assert.deepEqual(await openAt("2026-02-01 00:00:00", "cases.open.weighted_value"), { [member.id]: 150 });
  const changed = await admin.call("PUT", `/v1/cases/${made.id}`, { user_id: other.id });
  assert.equal(changed.status, 200, changed.text);
  app.clock.move(3_600_000);
  assert.deepEqual(await figures(admin, "cases.open.value"), { [other.id]: 250 });
  assert.deepEqual(await openAt("2026-03-02 08:00:00"), { [member.id]: 250 });

  // The case is closed by an activity dated to February: from then on it is open for no user.
  await act(member, path, made.id, ["Sold"], { created_at: "2026-02-15 12:00:00" });
  assert.deepEqual(await openAt("2026-02-15 12:00:00"), { [member.id]: 250 });
  for (const end of ["2026-02-15 12:00:01", "2026-03-02 08:00:00", "2026-03-02 09:30:00"]) {
    assert.deepEqual(await openAt(end, "cases.open"), {}, end);
    assert.deepEqual(await openAt(end), {}, end);
  }
  const february = "start_at=2026-02-01 00:00:00&end_at=2026-03-01 00:00:00";
  assert.deepEqual(await figures(admin, "cases.closed.value", february), { [other.id]: 250 });
  assert.deepEqual(await figures(admin, "products.sold", `${february}&group_by=product`), { [car.id]: 3 });
  assert.deepEqual(await figures(admin, "products.revenue", `${february}&group_by=team`), { [team]: 250 });
  const seconds = 41 * 86_400 + 4 * 3_600;
  assert.deepEqual(await figures(admin, "cases.time_to_close", february), { [other.id]: seconds });
  // The case is reopened today: it counts for its present owner, and the figures of February stay.
  await act(member, path, made.id, ["Reopened"]);
  assert.deepEqual(await figures(admin, "cases.open.value"), { [other.id]: 250 });
  assert.deepEqual(await openAt("2026-03-02 09:59:59", "cases.open"), {});
  assert.deepEqual(await figures(admin, "cases.success_rate", february), { [other.id]: 100 });
  const rows = await metrics(admin, "cases.reopened,cases.declined", "group_by=company");
  assert.deepEqual(rows.map(({ value }) => value), [1, 0]);
  assert.equal((await admin.call("DELETE", `/v1/cases/${made.id}`)).status, 204);
  app.clock.move(1_000);
  assert.deepEqual(await figures(admin, "cases.open.value"), {});
  await sumsAreWhole(app);
});

Deno.test("leads count for the team that they happened in, and are open until they are accepted or expire", async () => {
  await using app = await startApp();
  const w = await makeSales(app);
  const lead = await w.lead({ team_id: w.dealer, expires_at: "2026-03-05 00:00:00" });
  const open = (end: string) => figures(w.admin, "leads.open", `group_by=team&end_at=${end}`);
  assert.deepEqual(await open("2026-03-04 23:59:59"), { [w.dealer]: 1 });
  assert.deepEqual(await open("2026-03-05 00:00:01"), {});
  app.clock.move(120_000);
  assert.equal((await w.member.call("PUT", `/v1/leads/${lead.id}/accept`, {})).status, 200);
  app.clock.move(1_000);
  assert.deepEqual(await open("2026-03-04 23:59:59"), {});
  assert.deepEqual(await figures(w.admin, "leads.time_to_accept"), { [w.member.id]: 120 });
  assert.deepEqual(await figures(w.admin, "leads.acceptance_rate", "group_by=team,lead_source"), {
    [`${w.dealer}:website`]: 100,
  });
  // The acceptance created these records, so they know their lead.
  assert.deepEqual(
    await figures(w.admin, "contacts.b2b.created", "created_from_lead=true&group_by=lead_type"),
    {
      [w.type]: 1,
    },
  );
  assert.deepEqual(await figures(w.admin, "cases.created", "created_from_lead=false"), {});
  // A lead without a team is counted by admins and its agency only; the agency counts its leads in every team.
  await w.lead({ team_id: null, agency_team_id: w.agency });
  const whole = async (by: Actor) => (await figures(by, "leads.created", "group_by="))[""];
  assert.deepEqual([await whole(w.admin), await whole(w.agent), await whole(w.member)], [2, 2, 1]);
  await sumsAreWhole(app);
});

Deno.test("time series show whole intervals of the company's time zone, also over a change of its clocks", async () => {
  await using app = await startApp();
  const { company, member, path } = await makeScene(app);
  const { admin } = company;
  const zone = await admin.call("PUT", `/v1/companies/${company.id}`, {
    timezone: { name: "Europe/Berlin" },
  });
  assert.equal(zone.status, 200, zone.text);
  await newCase(member, path, { created_at: "2025-10-25 21:59:59" });
  await newCase(member, path, { created_at: "2025-10-25 22:00:00" });
  await newCase(member, path, { created_at: "2025-10-26 22:59:59" });
  await newCase(member, path, { created_at: "2025-10-26 23:00:00" });
  const series = async (query: string) =>
    (await admin.call(
      "GET",
      `/v1/reports/time-series?indicators=cases.created,cases.open&group_by=company&${query}`,
    ))
      .body.data.map(({ value, start_at, end_at }: Body) => [start_at, end_at, value]);
  const days = "start_at=2025-10-25 00:00:00&end_at=2025-10-27 12:00:00&interval=day";
  // The 26th of October has 25 hours.
  assert.deepEqual(await series(days), [
    ["2025-10-24 22:00:00", "2025-10-25 22:00:00", 1],
    ["2025-10-25 22:00:00", "2025-10-26 23:00:00", 2],
    ["2025-10-26 23:00:00", "2025-10-27 23:00:00", 1],
    ["2025-10-24 22:00:00", "2025-10-25 22:00:00", 1],
    ["2025-10-25 22:00:00", "2025-10-26 23:00:00", 3],
    ["2025-10-26 23:00:00", "2025-10-27 23:00:00", 4],
  ]);
  const hours = "start_at=2025-10-26 00:00:00&end_at=2025-10-26 03:00:00&interval=hour";
  assert.deepEqual((await series(hours)).slice(0, 3).map(([start]: string[]) => start), [
    "2025-10-26 00:00:00",
    "2025-10-26 01:00:00",
    "2025-10-26 02:00:00",
  ]);
  const averages = await admin.call(
    "GET",
    "/v1/reports/averages?indicators=cases.created&start_at=2025-10-25 00:00:00&end_at=2025-10-27 12:00:00&interval=day",
  );
  assert.deepEqual(averages.body.data.map(({ value }: Body) => value), [1.333333]);
  const hourly = "start_at=2025-10-01 00:00:00&end_at=2025-11-05 00:00:00&interval=hour";
  const seldom = await admin.call("GET", `/v1/reports/averages?indicators=cases.created&${hourly}`);
  assert.deepEqual(seldom.body.data.map(({ value }: Body) => value), [0.004762]);
});

Deno.test("users count once, by their calls and by their teams", async () => {
  await using app = await startApp();
  const { company, team, member } = await makeScene(app);
  const { admin } = company;
  const both = await company.user({ teams: [team, await company.team()] });
  const now = "start_at=2026-03-02 09:30:00";
  app.clock.move(3_600_000);
  for (let n = 0; n < 3; n++) await newContact(member);
  await newContact(both);
  assert.deepEqual(await figures(admin, "users.active", `${now}&group_by=`), { "": 2 });
  assert.deepEqual((await figures(admin, "users.active", `${now}&group_by=team`))[team], 2);
  assert.deepEqual(await figures(admin, "users.total", "group_by="), { "": 3 });
  assert.deepEqual((await figures(member, "users.total", "group_by=team"))[team], 2);
  assert.deepEqual(await figures(admin, "users.total", `group_by=&team_ids=${team}`), { "": 2 });
  assert.equal((await admin.call("DELETE", `/v1/companies/${company.id}/users/${both.id}`)).status, 204);
  app.clock.move(1_000);
  assert.deepEqual(await figures(admin, "users.total", "group_by="), { "": 2 });
  assert.deepEqual((await figures(admin, "users.total", "group_by=team"))[team], 1);
});

Deno.test("calls of a user in one second leave one fact, and those of the next second another", async () => {
  await using app = await startApp();
  const { company, team, member } = await makeScene(app);
  const other = await company.user({ teams: [team] });
  app.clock.move(3_600_000);
  const calls = async () =>
    (await app.deps.db.read([sql`select user_id, at - 1772445600 as at from facts
      where kind = ${factKinds.call} and at >= 1772445600 order by at, user_id`]))[0]!.rows
      .map(({ user_id, at }) => [user_id, at]);
  const note = (by: Actor) =>
    by.call("POST", "/v1/accounts", { fixed_fields: [{ name: "name", value: "Ada" }] });
  for (const by of [member, other, member, other]) assert.equal((await note(by)).status, 201);
  // A refused change does not count as a call.
  assert.equal((await member.call("POST", "/v1/accounts", { fixed_fields: [] })).status, 422);
  app.clock.move(1_000);
  for (const by of [member, member]) assert.equal((await note(by)).status, 201);
  app.clock.move(-1_000);
  assert.equal((await note(member)).status, 201);
  assert.deepEqual(await calls(), [[member.id, 0], [member.id, 0], [other.id, 0], [member.id, 1]]);
});

Deno.test("a write that changes nothing makes nobody active, also where its answer is stored under a key", async () => {
  await using app = await startApp();
  const { company: { admin }, member } = await makeScene(app);
  const { account, contact } = await newContact(admin);
  app.clock.move(3_600_000);
  const nothing = (key: Record<string, string> = {}) =>
    member.call("DELETE", `/v1/accounts/${account.id}/files`, { file_ids: [] }, key);
  const active = () => figures(admin, "users.active", "start_at=2026-03-02 09:30:00&group_by=");
  const key = { "Idempotency-Key": "one" };
  assert.deepEqual([(await nothing()).status, (await nothing(key)).status, (await nothing(key)).status], [
    204,
    204,
    204,
  ]);
  assert.deepEqual(await active(), { "": 0 });
  const note = { note: "Hello", account_id: account.id, contact_id: contact.id };
  for (let times = 0; times < 2; times++) {
    assert.equal((await member.call("POST", "/v1/notes", note, { "Idempotency-Key": "two" })).status, 201);
  }
  assert.deepEqual(await active(), { "": 1 });
});

Deno.test("a question with a wrong name, time, interval or too many intervals is refused by the name of its parameter", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const readRefusal = async (path: string) => {
    const { status, body } = await admin.call("GET", `/v1/reports/${path}`);
    return [status, body.errors?.map(({ path, code }: Body) => `${path} ${code}`)];
  };
  assert.deepEqual(await readRefusal("metrics"), [422, ["query.indicators required"]]);
  assert.deepEqual(await readRefusal("metrics?indicators=cases.closed,cases.clsed"), [422, [
    "query.indicators[1] enum",
  ]]);
  assert.deepEqual(await readRefusal("metrics?indicators=cases.closed&group_by=owner"), [422, [
    "query.group_by[0] enum",
  ]]);
  const backwards = "start_at=2026-02-01 00:00:00&end_at=2026-02-01 00:00:00";
  assert.deepEqual(await readRefusal(`metrics?indicators=cases.closed&${backwards}`), [422, [
    "query.end_at after",
  ]]);
  assert.deepEqual(await readRefusal("metrics?indicators=cases.closed&start_at=2027-01-01 00:00:00"), [422, [
    "query.start_at before",
  ]]);
  assert.deepEqual(await readRefusal("time-series?indicators=cases.closed&interval=minute"), [422, [
    "query.interval max",
  ]]);
  assert.deepEqual(
    await readRefusal("time-series?indicators=cases.closed&start_at=1000-01-01 00:00:00&interval=second"),
    [
      422,
      ["query.interval max"],
    ],
  );
});

Deno.test("a time series has at most 50,000 figures, those of all indicators together", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const { body: { data: indicators } } = await admin.call("GET", "/v1/reports/indicators");
  const names = indicators.map(({ name }: Body) => name);
  // Without grouping, each day has one figure of each indicator.
  const days = Math.floor(50_000 / names.length);
  const series = (length: number) => {
    const end = new Date(Date.UTC(2024, 0, 1 + length)).toISOString().slice(0, 10);
    const time = `start_at=2024-01-01 00:00:00&end_at=${end} 00:00:00&interval=day`;
    return admin.call("GET", `/v1/reports/time-series?indicators=${names}&group_by=&${time}`);
  };
  const most = await series(days);
  assert.equal(most.status, 200);
  assert.equal(most.body.data.length, days * names.length);
  const more = await series(days + 1);
  assert.equal(more.status, 422);
  assert.deepEqual(more.body.errors.map(({ path, code }: Body) => `${path} ${code}`), ["query.interval max"]);
});

Deno.test("metrics have at most 50,000 figures, those of all indicators together", async () => {
  await using app = await startApp();
  const { admin, id } = await app.company();
  const { contact } = factKinds;
  const add = (first: number, last: number) =>
    app.deps.db.write([
      sql`with recursive n(i) as (select ${first} union all select i + 1 from n where i < ${last})
      insert into facts (company_id, kind, at, recorded_at, user_id, flags)
      select ${id}, ${contact}, 1772440000, 1772440000, 1000000 + i, ${customerFlags.created} from n`,
    ]);
  const metrics = (more = "") =>
    admin.call("GET", `/v1/reports/metrics?indicators=contacts.b2b.created,contacts.b2b.total${more}`);
  await add(1, 25_000);
  const most = await metrics();
  assert.equal(most.status, 200, most.text.slice(0, 200));
  assert.equal(most.body.data.length, 50_000);
  const readErrors = ({ status, body }: { status: number; body: Body }) => [
    status,
    body.errors?.map(({ path, code }: Body) => `${path} ${code}`),
  ];
  assert.deepEqual(readErrors(await metrics("&compare=previous")), [422, ["query.group_by max"]]);
  // Two intervals each: their average is one figure.
  const averages = () =>
    admin.call(
      "GET",
      "/v1/reports/averages?indicators=contacts.b2b.created,contacts.b2b.total&interval=month" +
        "&start_at=2026-02-01 00:00:00&end_at=2026-04-01 00:00:00",
    );
  assert.equal((await averages()).body.data.length, 50_000);
  await add(25_001, 25_001);
  assert.deepEqual(readErrors(await averages()), [422, ["query.interval max"]]);
  assert.deepEqual(readErrors(await metrics()), [422, ["query.group_by max"]]);
});

Deno.test("intervals of the first centuries are whole, and are in their own century", async () => {
  await using app = await startApp();
  const { company } = await makeScene(app);
  const { admin } = company;
  await admin.call("PUT", `/v1/companies/${company.id}`, { timezone: { name: "Europe/Berlin" } });
  const series = async (query: string) => {
    const path = `/v1/reports/time-series?indicators=cases.closed&group_by=&${query}`;
    const { status, body, text } = await admin.call("GET", path);
    assert.equal(status, 200, text);
    return body.data;
  };
  assert.equal(
    (await series("start_at=0050-06-01 00:00:00&end_at=0052-06-01 00:00:00&interval=year")).length,
    3,
  );
  // Without `start_at` the time span is one month.
  const [first, ...rest] = await series("end_at=0050-06-15 00:00:00&interval=month");
  assert.deepEqual([first.start_at.slice(0, 10), rest.length], ["0050-04-30", 1]);
});

/** Checks that no level is negative for any user, team or set of properties. */
async function sumsAreWhole(app: TestApp): Promise<void> {
  const below = await app.sql(
    "select kind, user_id, team_id, dim_id, sum(weight) as n from facts where kind in (5, 6, 18, 23, 24, 28) " +
      "group by 1, 2, 3, 4 having n < 0",
  );
  assert.deepEqual(below, []);
}
