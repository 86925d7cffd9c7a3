import assert from "node:assert/strict";
import { factKinds } from "../../src/core/fact_kinds.ts";
import { sql } from "../../src/db/statements.ts";
import { rebuildGame } from "../../src/insight/gamification/rebuild.ts";
import { playFacts } from "../../src/insight/gamification/run.ts";
import { runJobs } from "../../src/jobs.ts";
import { storeEvents } from "../../src/insight/gamification/write.ts";
import { awardRanks } from "../../src/insight/ranks/award.ts";
import { type Actor, type Body, startApp, type TestApp } from "../support/app.ts";
import { newCase, newPath } from "../sales/parts.ts";

const stream = "/v1/gamification/stream";

const readLevel = async (by: Actor): Promise<Body> => (await by.call("GET", "/v1/gamification/level")).body;

async function readBadges(by: Actor): Promise<Record<string, Body>> {
  const { body } = await by.call("GET", "/v1/gamification/badges");
  return Object.fromEntries(
    [...body.badges, ...body.special_badges].map((badge: Body) => [badge.name, badge]),
  );
}

/** Records so many facts of a user, a second apart. */
async function record(app: TestApp, by: Actor, kind: keyof typeof factKinds, times: number, at?: number) {
  const from = at ?? Math.floor(app.clock.now() / 1000);
  const list = JSON.stringify(Array.from({ length: times }, (_, n) => from + n));
  await app.deps.db.write([sql`insert into facts (company_id, kind, at, recorded_at, user_id)
    select ${by.companyId}, ${factKinds[kind]}, value, value, ${by.id} from json_each(${list})`]);
}

/** Creates a rank of the company that counts e-mails. */
async function mailRank(admin: Actor): Promise<Body> {
  const rank = { name: "Most e-mails", icon: "envelope", rule: "emails_sent" };
  const { status, body, text } = await admin.call("POST", "/v1/gamification/ranks", rank);
  assert.equal(status, 201, text);
  return body;
}

const readStates = (app: TestApp) =>
  app.sql("select user_id, state from game_players order by user_id") as Promise<Body[]>;
const readEvents = (app: TestApp) =>
  app.sql("select id, user_id, type, key, created_at from stream_events order by id") as Promise<Body[]>;

Deno.test("what calls record counts at once for level and badges, before and after the job", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const way = await newPath(admin);
  assert.deepEqual(await readLevel(admin), {
    name: "level_1",
    points: 0,
    progress_pct: 0,
    level_threshold: 0,
    next_level: { name: "level_2", level_threshold: 100 },
  });
  const { id } = await newCase(admin, way);
  const act = async (name: string) => {
    const acted = await admin.call("POST", `/v1/cases/${id}/activities`, {
      activity_type_ids: [way.types[name]],
      communication_channel: "phone",
    });
    assert.equal(acted.status, 201, acted.text);
  };
  // Account and contact give 5 points each, each milestone 15, and only the first closing 50.
  for (const name of ["Contacted", "Sold", "Reopened", "Sold"]) await act(name);
  const expected = 10 + 4 * 15 + 50;
  const before = [await readLevel(admin), await readBadges(admin)];
  assert.deepEqual([before[0]!.points, before[0]!.name, before[0]!.progress_pct], [expected, "level_2", 10]);
  const { the_seller, the_communicator, the_explorer } = before[1]!;
  assert.deepEqual([the_seller.progress, the_communicator.progress, the_explorer.progress], [
    { done: 1, of: 10 },
    { done: 4, of: 100 },
    { done: 2, of: 6 },
  ]);
  await playFacts(app.deps);
  assert.deepEqual([await readLevel(admin), await readBadges(admin)], before);
  await playFacts(app.deps);
  assert.deepEqual([await readLevel(admin), await readBadges(admin)], before);
  const { body } = await admin.call("GET", stream);
  assert.deepEqual(body.data, [{
    id: body.data[0].id,
    event_type: "new_level",
    event_data: { level: { name: "level_2" } },
    high_fived: false,
    user: { id: admin.id, name: "Ada Byron admin" },
    created_at: "2026-03-02 09:00:00",
    updated_at: "2026-03-02 09:00:00",
  }]);
});

Deno.test("badges have the ids of the document, the special ones after them", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const { body } = await admin.call("GET", "/v1/gamification/badges");
  assert.deepEqual(body.badges.map(({ id, name }: Body) => `${id} ${name}`), [
    "1 nice_and_tidy",
    "2 clean_sheet",
    "3 the_communicator",
    "4 the_fast_and_furious",
    "5 the_consistent",
    "6 the_explorer",
    "7 the_seller",
    "8 the_helper",
    "9 the_notifier",
    "10 the_early_bird",
    "11 the_fisherman",
    "12 the_hard_worker",
    "13 the_workaholic",
  ]);
  assert.deepEqual(body.special_badges.map(({ id, name }: Body) => `${id} ${name}`), [
    "14 the_off_duty_performer",
    "15 lead_commander",
  ]);
});

Deno.test("a step that is lost or made twice counts each fact once; rebuild changes nothing then, and mends the rest", async () => {
  await using app = await startApp();
  const company = await app.company();
  const user = await company.user();
  await record(app, user, "lead_accepted", 30);
  await record(app, company.admin, "notification_sent", 25);
  // The batch of a step fails as a whole, as it does when the process is killed.
  const { db } = app.deps;
  const broken = {
    ...app.deps,
    db: { ...db, read: db.read.bind(db), write: () => Promise.reject(new Error("killed")) },
  };
  await assert.rejects(playFacts(broken as typeof app.deps), /killed/);
  await Promise.all([playFacts(app.deps), playFacts(app.deps)]);
  await playFacts(app.deps);
  const [states, events] = [await readStates(app), await readEvents(app)];
  assert.equal((await readLevel(user)).points, 30 * 15 + 100);
  assert.deepEqual((await readBadges(user)).the_fisherman, {
    id: 11,
    name: "the_fisherman",
    achieved: true,
    achieved_at: "2026-03-02 09:00:24",
    progress: { done: 25, of: 25 },
  });
  assert.deepEqual(await rebuildGame(app.deps), { players: 2, mended: 0 });
  assert.deepEqual([await readStates(app), await readEvents(app)], [states, events]);
  await db.write([
    sql`update game_players set state = json_set(state, '$.points', 7) where user_id = ${user.id}`,
    sql`delete from stream_events where key = 'the_fisherman'`,
    storeEvents([{
      company_id: company.id,
      user_id: user.id,
      type: "new_level",
      key: "level_99",
      data: {},
      at: 0,
    }]),
  ]);
  assert.equal((await rebuildGame(app.deps)).mended, 3);
  assert.deepEqual(await readStates(app), states);
  const listNames = (rows: Body[]) => rows.map(({ key, user_id }) => `${user_id} ${key}`).sort();
  assert.deepEqual(listNames(await readEvents(app)), listNames(events));
});

Deno.test("rebuild mends users of each page, and removes what belongs to nobody", async () => {
  await using app = await startApp();
  const { id, admin } = await app.company();
  const many = 2_001;
  const { db } = app.deps;
  await db.write([
    sql`with recursive n (i) as (select 1 union all select i + 1 from n where i < ${many})
      insert into users (company_id, first_name, last_name, email, email_key, timezone, locale, user_type,
        created_at, updated_at)
      select ${id}, 'Ada', i, i || '@example.org', i || '@example.org', 'UTC', 'en-GB', 4, '', '' from n`,
    sql`insert into facts (company_id, kind, at, recorded_at, user_id)
      select ${id}, ${factKinds.case_closed}, 0, 0, u.id from users u, json_each('[1,2]')`,
  ]);
  while (await playFacts(app.deps) > 0);
  const [states, events] = [await readStates(app), await readEvents(app)];
  assert.deepEqual([states.length, events.length], [many + 1, many + 1]);
  assert.deepEqual(await rebuildGame(app.deps), { players: many + 1, mended: 0 });
  const wrong = [1, 999, 1_000, 1_001, 2_000, 2_001].map((nth) => admin.id + nth);
  await db.write([
    sql`update game_players set state = json_set(state, '$.points', 7)
      where user_id in (select value from json_each(${JSON.stringify(wrong)}))`,
    sql`insert into game_players (company_id, user_id, state)
      select ${id}, user_id + 9999, state from game_players where user_id = ${admin.id}`,
  ]);
  assert.deepEqual(await rebuildGame(app.deps), { players: many + 1, mended: wrong.length + 1 });
  assert.deepEqual([await readStates(app), await readEvents(app)], [states, events]);
});

Deno.test("facts whose numbers an erased company had before count too", async () => {
  await using app = await startApp();
  const [gone, stays] = [await app.company(), await app.company()];
  await record(app, stays.admin, "note", 3);
  await record(app, gone.admin, "note", 4);
  await playFacts(app.deps);
  await app.deps.db.write([sql`delete from facts where company_id = ${gone.id}`]);
  await record(app, stays.admin, "note", 2);
  await playFacts(app.deps);
  assert.equal((await readLevel(stays.admin)).points, 5);
});

Deno.test("the stream shows colleagues of own teams and groups, admins all; a high five is given once, not to oneself", async () => {
  await using app = await startApp();
  const company = await app.company();
  const foreign = await app.company();
  const group = await company.group();
  const [north, south, far] = [
    await company.team({ group_id: group }),
    await company.team({ group_id: group }),
    await company.team(),
  ];
  const member = await company.user({ teams: [north] });
  const neighbour = await company.user({ teams: [south] });
  const stranger = await company.user({ teams: [far] });
  await record(app, member, "case_closed", 2);
  await record(app, stranger, "case_closed", 2);
  await playFacts(app.deps);
  const listSeen = async (by: Actor, query = "") => {
    const { body } = await by.call("GET", `${stream}${query}`);
    assert.equal(body.pagination.total, body.data.length);
    return body.data.map(({ user }: Body) => user.id);
  };
  assert.deepEqual(await listSeen(company.admin), [stranger.id, member.id]);
  assert.deepEqual(await listSeen(company.admin, `?users=${member.id}`), [member.id]);
  assert.deepEqual(await listSeen(member), [member.id]);
  assert.deepEqual(await listSeen(neighbour), [member.id]);
  assert.deepEqual(await listSeen(neighbour, `?users=${stranger.id}`), []);
  assert.deepEqual(await listSeen(stranger), [stranger.id]);
  assert.deepEqual(await listSeen(foreign.admin), []);
  const [{ id }] = (await member.call("GET", stream)).body.data;
  const give = async (by: Actor) => (await by.call("PUT", `${stream}/${id}/high-five`)).status;
  assert.deepEqual([await give(member), await give(stranger), await give(foreign.admin)], [403, 404, 404]);
  assert.deepEqual([await give(neighbour), await give(neighbour), await give(company.admin)], [
    204,
    204,
    204,
  ]);
  const given = await member.call("GET", `${stream}/${id}/high-five/users`);
  assert.deepEqual(
    given.body.data.map((user: Body) => user.id).sort(),
    [company.admin.id, neighbour.id].sort(),
  );
  assert.equal((await stranger.call("GET", `${stream}/${id}/high-five/users`)).status, 404);
  const high = async (by: Actor) =>
    (await by.call("GET", stream)).body.data.map((event: Body) => event.high_fived);
  assert.deepEqual([await high(neighbour), await high(member)], [[true], [false]]);
});

Deno.test("the first places of a month win a rank once, at its end in the company's time zone, also after a pause", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  await app.deps.db.write([sql`update companies set timezone = 'America/New_York' where id = ${company.id}`]);
  const user = await company.user();
  const { id: rankId } = await mailRank(admin);
  const seconds = (month: number, day: number, hour: number) => Date.UTC(2026, month - 1, day, hour) / 1000;
  // New York is 4 hours behind from March 8 on: the last of March ends at 04:00 UTC.
  await record(app, user, "email_sent", 2, seconds(4, 1, 3));
  await record(app, admin, "email_sent", 1, seconds(3, 20, 12));
  await record(app, admin, "email_sent", 5, seconds(4, 1, 4));
  await record(app, user, "email_sent", 5, seconds(4, 9, 4));
  const run = (at: number) => awardRanks(app.deps, at * 1000);
  const wins = async () =>
    ((await readEvents(app)).filter(({ type }) => type === "rank_won"))
      .map(({ user_id, key, created_at }) => `${user_id} ${key.slice(-7)} ${created_at}`);
  assert.deepEqual([await run(seconds(3, 2, 9)), await run(seconds(4, 1, 4) - 1), await wins()], [0, 0, []]);
  assert.equal(await run(seconds(4, 1, 4)), 1);
  const march = `${user.id} 2026-03 2026-04-01 04:00:00`;
  assert.deepEqual([await run(seconds(4, 1, 4)), await wins()], [0, [march]]);
  // Two months later: April is shared, nobody has a mail in May.
  assert.equal(await run(seconds(6, 15, 0)), 2);
  const april = [admin.id, user.id].map((id) => `${id} 2026-04 2026-05-01 04:00:00`);
  assert.deepEqual(await wins(), [march, ...april]);
  const { body } = await user.call("GET", `${stream}?users=${user.id}`);
  assert.deepEqual(body.data.at(-1).event_data, {
    rank: { id: rankId, name: "Most e-mails" },
    score: 2,
  });
});

Deno.test("a month ends by the time zone that the company has when it ends", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { id } = (await company.admin.call("POST", "/v1/gamification/ranks", {
    name: "Most e-mails",
    icon: "envelope",
    rule: "emails_sent",
  })).body;
  const moment = (month: number, hour: number) => Date.UTC(2026, month - 1, 1, hour) / 1000;
  // The first e-mails belong to March in New York, and to April in Rome.
  await record(app, company.admin, "email_sent", 2, moment(4, 3));
  await record(app, company.admin, "email_sent", 3, moment(4, 22));
  const zone = (name: string) =>
    app.deps.db.write([sql`update companies set timezone = ${name} where id = ${company.id}`]);
  const run = (at: number) => awardRanks(app.deps, at * 1000);
  assert.equal(await run(moment(3, 9)), 0);
  await zone("America/New_York");
  assert.deepEqual([await run(moment(4, 0)), await run(moment(4, 4) - 1), await run(moment(4, 4))], [
    0,
    0,
    1,
  ]);
  await zone("Europe/Rome");
  // The award comes at most some hours late.
  assert.deepEqual([await run(moment(4, 23)), await run(moment(5, 4))], [0, 1]);
  const won = await app.sql(
    "select key, created_at, data ->> 'score' as score from stream_events order by key",
  );
  assert.deepEqual(won, [
    { key: `${id}:2026-03`, created_at: "2026-04-01 04:00:00", score: 2 },
    { key: `${id}:2026-04`, created_at: "2026-04-30 22:00:00", score: 5 },
  ]);
});

Deno.test("what a clock awarded that was ahead is taken back and awarded at the end of the month; one behind changes nothing", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const user = await company.user();
  await mailRank(admin);
  const run = async (at: number) => {
    app.clock.set(at);
    assert.deepEqual(await runJobs(app.deps, at), []);
  };
  const wins = async () => {
    const { body } = await admin.call("GET", stream);
    return body.data.map(({ user, event_data, created_at }: Body) =>
      `${user.id} ${event_data.score} ${created_at}`
    );
  };
  const [march, april] = [Date.UTC(2026, 2, 2, 13), Date.UTC(2026, 3, 1)];
  await run(march);
  await record(app, admin, "email_sent", 1);
  for (const ahead of [Date.UTC(2026, 3, 2), Date.UTC(2029, 0, 15)]) {
    await run(ahead);
    assert.deepEqual(await wins(), [`${admin.id} 1 2026-04-01 00:00:00`]);
    await run(march);
    assert.deepEqual(await wins(), []);
  }
  await record(app, user, "email_sent", 2, Date.UTC(2026, 2, 20) / 1000);
  await run(april);
  const won = [`${user.id} 2 2026-04-01 00:00:00`];
  assert.deepEqual(await wins(), won);
  const [event] = (await admin.call("GET", stream)).body.data;
  const given = await admin.call("PUT", `${stream}/${event.id}/high-five`);
  assert.equal(given.status, 204, given.text);
  // A machine without a clock battery starts in 1970.
  for (const at of [0, april + 60_000]) {
    await run(at);
    assert.deepEqual(await wins(), won);
  }
  // One second before the end of the month, by a slightly wrong clock.
  await run(april - 1_000);
  assert.deepEqual(await wins(), won);
  const { body } = await admin.call("GET", `${stream}/${event.id}/high-five/users`);
  assert.deepEqual(body.data.map(({ id }: Body) => id), [admin.id]);
});
