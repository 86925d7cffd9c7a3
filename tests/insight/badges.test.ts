/**
 * Each badge is achieved by the required number of calls, and not by one less. A rebuild of the game finds
 * the same.
 */
import assert from "node:assert/strict";
import { factKinds } from "../../src/core/fact_kinds.ts";
import { sql } from "../../src/db/statements.ts";
import { rebuildGame } from "../../src/insight/gamification/rebuild.ts";
import { playFacts } from "../../src/insight/gamification/run.ts";
import { type Actor, type Body, type Reply, startApp, type TestApp } from "../support/app.ts";
import { makeSales } from "../sales/leads_world.ts";
import { put, tick } from "../sales/leads_states.ts";
import { newCase, type Path } from "../sales/parts.ts";
import { act, makeScene, plan } from "../sales/tasks_world.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

async function readBadge(by: Actor, name: string): Promise<Body> {
  const { body } = await by.call("GET", "/v1/gamification/badges");
  return [...body.badges, ...body.special_badges].find((badge: Body) => badge.name === name);
}

const readDone = async (by: Actor, name: string): Promise<number> =>
  (await readBadge(by, name)).progress.done;

const readPoints = async (by: Actor): Promise<number> =>
  (await by.call("GET", "/v1/gamification/level")).body.points;

/** Makes the calls that a badge takes: all but one leave it open, and the last achieves it at that moment. */
async function earns(app: TestApp, by: Actor, name: string, one: (nth: number) => Promise<unknown>) {
  const { of } = (await readBadge(by, name)).progress;
  for (let nth = await readDone(by, name); nth < of - 1; nth++) await one(nth);
  const { achieved, achieved_at, progress } = await readBadge(by, name);
  assert.deepEqual([achieved, achieved_at, progress], [false, null, { done: of - 1, of }], name);
  await one(of - 1);
  const at = new Date(app.clock.now()).toISOString().slice(0, 19).replace("T", " ");
  const badge = await readBadge(by, name);
  assert.deepEqual([badge.achieved, badge.achieved_at, badge.progress.done], [true, at, of], name);
}

/** Runs the job; the level and badges stay, and the rebuild finds no difference. */
async function staysWorkedOut(app: TestApp, ...users: readonly Actor[]) {
  const all = () =>
    Promise.all(users.map(async (by) => [await readBadge(by, "the_explorer"), await readPoints(by)]));
  const before = await all();
  while (await playFacts(app.deps) > 0);
  assert.deepEqual(await all(), before);
  assert.equal((await rebuildGame(app.deps)).mended, 0);
  for (const by of users) {
    const { body } = await by.call("GET", `/v1/gamification/stream?per_page=100&users=${by.id}`);
    const shown = body.data.filter((event: Body) => event.event_type === "badge_achieved").map((
      event: Body,
    ) => event.event_data.badge.name);
    const { body: all } = await by.call("GET", "/v1/gamification/badges");
    const achieved = [...all.badges, ...all.special_badges].filter((badge: Body) => badge.achieved);
    assert.deepEqual(shown.sort(), achieved.map((badge: Body) => badge.name).sort());
  }
}

async function ok(call: Promise<Reply>): Promise<Body> {
  const { status, text, body } = await call;
  assert.ok(status < 300, text);
  return body;
}

const recordCall = (by: Actor, path: Path, caseId: string, more: object = {}) =>
  act(by, path, caseId, ["Call"], more);

Deno.test("nice_and_tidy: contacts that are complete when they are created", async () => {
  await using app = await startApp();
  const { member, company: { admin } } = await makeScene(app);
  const account = (fields: object[]) =>
    ok(
      member.call("POST", "/v1/accounts", { fixed_fields: [{ name: "name", value: "Engines" }, ...fields] }),
    );
  const contact = (of: Body, ...fields: string[][]) =>
    ok(member.call("POST", `/v1/accounts/${of.id}/contacts`, {
      fixed_fields: [["first_name", "Ada"], ["last_name", "Byron"], ...fields].map(([name, value]) => ({
        name,
        value,
      })),
    }));
  const [email, phone] = [["email", "ada@example.org"], ["phone_number", "+39011222333"]];
  const [bare, full] = [await account([]), await account([{ name: "address", value: "Street 1" }])];
  const late = await contact(full, email!);
  await ok(member.call("PUT", `/v1/accounts/${full.id}/contacts/${late.id}`, {
    fixed_fields: [{ name: "phone_number", value: "+39011222333" }],
  }));
  await contact(bare, email!, phone!);
  assert.equal(await readDone(member, "nice_and_tidy"), 0);
  const made: Body[] = [];
  await earns(app, member, "nice_and_tidy", async () => made.push(await contact(full, email!, phone!)));
  const points = await readPoints(member);
  assert.equal(points, 2 * 5 + 27 * 5 + 100);
  for (const { id } of made) await ok(admin.call("DELETE", `/v1/accounts/${full.id}/contacts/${id}`));
  await ok(admin.call("DELETE", `/v1/accounts/${full.id}`));
  assert.equal(await readPoints(member), points);
  assert.ok((await readBadge(member, "nice_and_tidy")).achieved);
  await staysWorkedOut(app, member);
});

Deno.test("clean_sheet: tasks completed in time in a row, which a late one ends; a task pays once", async () => {
  await using app = await startApp();
  const { member, path } = await makeScene(app);
  const { id } = await newCase(member, path);
  const before = await readPoints(member);
  const complete = (task: Body, completed = true) =>
    ok(member.call("PUT", `/v1/tasks/${task.id}`, { completed }));
  const inTime = async () => await complete(await plan(member, path, id));
  for (let nth = 0; nth < 24; nth++) await inTime();
  // A task that is never completed does not end the row; a task that is completed twice counts once.
  const open = await plan(member, path, id);
  const again = await plan(member, path, id);
  assert.equal(await readDone(member, "clean_sheet"), 24);
  const late = await plan(member, path, id, {
    start_at: "2026-03-02 08:00:00",
    end_at: "2026-03-02 08:59:59",
  });
  await complete(late);
  assert.equal(await readDone(member, "clean_sheet"), 0);
  for (const completed of [true, false, true, false, true]) await complete(again, completed);
  assert.equal(await readDone(member, "clean_sheet"), 1);
  await earns(app, member, "clean_sheet", inTime);
  // 27 activities planned the first tasks and 24 the others; 24 + 1 + 24 tasks were completed in time. All
  // happened on one day, which achieves the_hard_worker too.
  assert.equal(await readPoints(member) - before, (27 + 24) * 5 + (24 + 1 + 24) * 5 + 2 * 100);
  assert.equal((await ok(member.call("GET", `/v1/tasks/${open.id}`))).status, "later");
  await staysWorkedOut(app, member);
});

Deno.test("the_communicator and the_workaholic: activities by channel, and all", async () => {
  await using app = await startApp();
  const { member, path } = await makeScene(app);
  const { id } = await newCase(member, path);
  const channels = ["email", "letter", "phone", "chat"];
  await recordCall(member, path, id);
  await recordCall(member, path, id, { communication_channel: "meeting" });
  assert.equal(await readDone(member, "the_communicator"), 0);
  await earns(
    app,
    member,
    "the_communicator",
    (nth) => recordCall(member, path, id, { communication_channel: channels[nth % 4] }),
  );
  await playFacts(app.deps);
  // Repeats the fact of a call, instead of 890 calls.
  await app.deps.db.write([sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 890)
    insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject, flags, weight)
    select company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, subject || i, flags, weight
    from n cross join (select * from facts where kind = ${factKinds.activity} order by seq desc limit 1)`]);
  assert.equal(await readDone(member, "the_workaholic"), 992);
  await earns(app, member, "the_workaholic", () => recordCall(member, path, id));
  // All on one day, which achieves the_hard_worker too.
  assert.equal(await readPoints(member), 10 + 1000 * 5 + 3 * 100);
  await staysWorkedOut(app, member);
});

Deno.test("the_fast_and_furious, the_fisherman and lead_commander: accepted leads", async () => {
  await using app = await startApp();
  const place = await makeSales(app, { escalation_activity: null });
  const { member, admin } = place;
  const accept = async (after: number, more: object = {}) => {
    const { id } = await place.lead(more);
    app.clock.move(after);
    await tick(place);
    await ok(put(place, "member", id, "/accept"));
    return id;
  };
  await accept(5 * minute + 1000);
  assert.equal(await readDone(member, "the_fast_and_furious"), 0);
  await earns(app, member, "the_fast_and_furious", () => accept(5 * minute));
  await earns(app, member, "the_fisherman", () => accept(59 * minute));
  assert.equal(await readDone(member, "lead_commander"), 25);
  // The team had one hour. An acceptance after that ends the row.
  await accept(hour);
  assert.equal(await readDone(member, "lead_commander"), 0);
  await accept(0);
  // The escalation of a lead that is assigned to the user ends the row.
  const assignLead = async (user: Actor) => {
    const { id } = await place.lead({ team_id: null });
    await ok(put(place, "agent", id, "/assign", { team_id: place.dealer, user_id: user.id }));
  };
  await assignLead(member);
  app.clock.move(hour);
  await tick(place);
  assert.equal(await readDone(member, "lead_commander"), 0);
  // The escalation of a colleague's lead or of a lead of the whole team ends no row.
  await accept(0);
  await place.lead();
  await assignLead(await place.company.user({ teams: [place.dealer] }));
  app.clock.move(hour);
  await tick(place);
  assert.equal(await readDone(member, "lead_commander"), 1);
  // A lead that is rejected, assigned again and accepted in time counts: its first assignment does not
  // matter.
  const { id } = await place.lead();
  await ok(put(place, "member", id, "/reject", { rejection_reason: "Too far" }));
  await ok(put(place, "agent", id, "/assign", { team_id: place.dealer }));
  await ok(put(place, "member", id, "/accept"));
  assert.equal(await readDone(member, "lead_commander"), 2);
  await earns(app, member, "lead_commander", () => accept(0));
  const [{ n }] = await app.sql("select count(*) as n from leads where state like 'accepted%'") as [
    { n: number },
  ];
  // Each acceptance creates an account and a contact, too.
  assert.equal(await readPoints(member), n * (15 + 2 * 5) + 3 * 100);
  const points = await readPoints(member);
  await ok(admin.call("DELETE", `/v1/leads/${id}`));
  assert.equal(await readPoints(member), points);
  await staysWorkedOut(app, member, admin);
});

Deno.test("the_seller: cases of one's own, once each, also when a colleague closes them", async () => {
  await using app = await startApp();
  const { member, path, team, company } = await makeScene(app);
  const colleague = await company.user({ teams: [team] });
  const sell = async (by: Actor, own: Actor) => {
    const { id } = await newCase(own, path);
    await act(by, path, id, ["Sold"]);
    return id;
  };
  await sell(member, colleague);
  assert.deepEqual([await readDone(member, "the_seller"), await readDone(colleague, "the_seller")], [0, 1]);
  const id = await sell(colleague, member);
  for (const name of ["Reopened", "Sold", "Reopened", "Sold"]) await act(member, path, id, [name]);
  assert.equal(await readDone(member, "the_seller"), 1);
  await ok(company.admin.call("DELETE", `/v1/cases/${id}`));
  await earns(app, member, "the_seller", () => sell(member, member));
  await staysWorkedOut(app, member, colleague);
});

Deno.test("the_helper, the_notifier and the_explorer: notes, notifications and one of each", async () => {
  await using app = await startApp();
  const { member, path, company } = await makeScene(app);
  const { admin } = company;
  const { id, contact_id } = await newCase(member, path);
  const note = (users: readonly Actor[]) =>
    ok(member.call("POST", "/v1/notes", {
      note: "Hello",
      case_id: id,
      contact_id,
      notify: { users: users.map((user) => user.id) },
    }));
  await note([]);
  const own = await note([member]);
  assert.equal(await readDone(member, "the_helper"), 0);
  // A note counts once, even if it is changed again.
  for (const user of [admin, admin, member]) {
    await ok(member.call("PUT", `/v1/notes/${own.id}`, { notify: { users: [user.id] } }));
  }
  assert.equal(await readDone(member, "the_helper"), 1);
  await earns(app, member, "the_helper", (nth) => note(nth % 2 ? [admin] : [member, admin]));
  const notify = (users: readonly Actor[]) =>
    ok(
      member.call("POST", "/v1/notifications", {
        message: "Lunch",
        notify: { users: users.map(({ id }) => id) },
      }),
    );
  await earns(app, member, "the_notifier", () => notify([admin, member]));
  assert.equal(await readDone(member, "the_explorer"), 3);
  await recordCall(member, path, id);
  await ok(member.call("POST", "/v1/contacts/filters", { name: "All", filter: [] }));
  const task = await plan(member, path, id);
  assert.equal(await readDone(member, "the_explorer"), 5);
  // For this badge a late task counts too.
  app.clock.move(2 * day);
  await ok(member.call("PUT", `/v1/tasks/${task.id}`, { completed: true }));
  assert.ok((await readBadge(member, "the_explorer")).achieved);
  await staysWorkedOut(app, member, admin);
});

/** Offsets of Mondays to Fridays from the first Monday on, in milliseconds. */
const workdays = Array.from({ length: 21 }, (_, nth) => (Math.floor(nth / 5) * 7 + nth % 5) * day);

Deno.test("the_consistent and the_off_duty_performer: days of the week, of which a missing one is filled in later", async () => {
  await using app = await startApp();
  const { member, path, company } = await makeScene(app);
  const other = await company.user();
  const { id } = await newCase(company.admin, path);
  const monday = app.clock.now();
  const missing = 7;
  for (const [nth, at] of workdays.slice(0, 20).entries()) {
    app.clock.set(monday + at);
    await recordCall(other, path, id);
    if (nth !== missing) await recordCall(member, path, id);
    if (nth % 5 !== 4) continue;
    // Weekends neither continue nor end the row.
    app.clock.move(day);
    for (let times = 0; times < 2; times++) await recordCall(member, path, id);
  }
  assert.equal((await readBadge(other, "the_consistent")).achieved_at, "2026-03-27 09:00:00");
  assert.equal(await readDone(member, "the_consistent"), 12);
  assert.equal(await readDone(member, "the_off_duty_performer"), 8);
  await playFacts(app.deps);
  const filled = new Date(monday + workdays[missing]!).toISOString().slice(0, 19).replace("T", " ");
  await earns(app, member, "the_off_duty_performer", () => recordCall(member, path, id));
  await recordCall(member, path, id, { created_at: filled });
  assert.equal((await readBadge(member, "the_consistent")).achieved_at, "2026-03-28 09:00:00");
  await staysWorkedOut(app, member, other);
});

Deno.test("the_early_bird and the_hard_worker: days and hours of the user's own clock", async () => {
  await using app = await startApp();
  const { member, path, company } = await makeScene(app);
  const { id } = await newCase(company.admin, path);
  const zone = (name: string) =>
    ok(company.admin.call("PUT", `/v1/companies/${company.id}/users/${member.id}`, { timezone: { name } }));
  const act = () => recordCall(member, path, id);
  await zone("America/New_York");
  // 06:59:59 in New York, where it is winter until March 8.
  app.clock.set(Date.UTC(2026, 2, 2, 12, 59, 59));
  await act();
  app.clock.move(1000);
  await act();
  assert.equal(await readDone(member, "the_early_bird"), 1);
  // 08:59:59 from summer time on.
  app.clock.set(Date.UTC(2026, 2, 9, 12, 59, 59));
  await act();
  assert.equal(await readDone(member, "the_early_bird"), 1);
  await zone("Asia/Tokyo");
  // Earlier activities keep the time zone that they were recorded in.
  await earns(app, member, "the_early_bird", async (nth) => {
    app.clock.set(Date.UTC(2026, 2, 9 + nth, 22, 30));
    await act();
  });
  // Midnight in Tokyo ends the day.
  app.clock.set(Date.UTC(2026, 3, 1, 14, 59, 59));
  for (let times = 0; times < 19; times++) await act();
  app.clock.move(1000);
  for (let times = 0; times < 18; times++) await act();
  assert.equal(await readDone(member, "the_hard_worker"), 19);
  await earns(app, member, "the_hard_worker", async () => {
    await act();
    await act();
  });
  await staysWorkedOut(app, member);
});
