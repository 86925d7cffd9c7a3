/**
 * The game when users are deleted or moved and companies are erased, and which users may rank which teams.
 */
import assert from "node:assert/strict";
import { companyErasureWork } from "../../src/erase.ts";
import { rebuildGame } from "../../src/insight/gamification/rebuild.ts";
import { playFacts } from "../../src/insight/gamification/run.ts";
import { awardRanks } from "../../src/insight/ranks/award.ts";
import { runStaged } from "../../src/staged/run.ts";
import { type Actor, type Body, startApp } from "../support/app.ts";
import { newCase, newPath, type Path } from "../sales/parts.ts";
import { act } from "../sales/tasks_world.ts";

const [stream, ranks] = ["/v1/gamification/stream", "/v1/gamification/ranks"];
const rank = { name: "Best seller", icon: "trophy", rule: "total_sales" };

/** Closes two cases of the user: 2 × (5 + 5 + 15 + 50) points reach level 2. */
async function sell(by: Actor, path: Path): Promise<void> {
  for (let times = 0; times < 2; times++) await act(by, path, (await newCase(by, path)).id, ["Sold"]);
}

async function eventsSeen(by: Actor): Promise<Body[]> {
  const { status, body, text } = await by.call("GET", stream);
  assert.equal(status, 200, text);
  return body.data;
}

async function createRank(by: Actor, body: object): Promise<Body> {
  const reply = await by.call("POST", ranks, body);
  assert.equal(reply.status, 201, reply.text);
  return reply.body;
}

Deno.test("a deleted user competes no more, wins nothing and stays in the stream; a user who leaves the team is seen no more", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const [team, elsewhere] = [await company.team(), await company.team()];
  const [gone, moved, fan] = [
    await company.user({ teams: [team] }),
    await company.user({ teams: [team] }),
    await company.user({ teams: [team] }),
  ];
  const path = await newPath(admin);
  const { id } = await createRank(admin, { ...rank, team_id: team });
  await app.deps.db.write([{
    sql: "update companies set product_mode = 'simple' where id = ?",
    args: [company.id],
  }]);
  await sell(gone, path);
  await sell(moved, path);
  await playFacts(app.deps);
  await awardRanks(app.deps, app.clock.now());
  const event = (await eventsSeen(gone)).find(({ user }) => user.id === gone.id);
  const five = (by: Actor) => by.call("PUT", `${stream}/${event.id}/high-five`);
  assert.deepEqual([(await five(fan)).status, (await five(moved)).status], [204, 204]);
  assert.deepEqual((await eventsSeen(fan)).map(({ user }) => user.id).sort(), [gone.id, moved.id].sort());
  const users = `/v1/companies/${company.id}/users`;
  const deleted = await admin.call("DELETE", `${users}/${gone.id}`);
  assert.ok(deleted.status < 300, deleted.text);
  await app.idle();
  assert.equal((await gone.call("GET", "/v1/gamification/level")).status, 401);
  const { body } = await fan.call("GET", `${ranks}/${id}/scores`);
  assert.deepEqual(body.scores.map((score: Body) => [score.rank, score.user.id, score.score]), [
    [1, moved.id, 2],
    [2, fan.id, 0],
  ]);
  const changed = await admin.call("PUT", `${users}/${moved.id}`, { team_ids: [elsewhere] });
  assert.equal(changed.status, 200, changed.text);
  assert.deepEqual((await eventsSeen(admin)).map(({ user }) => user.id).sort(), [gone.id, moved.id].sort());
  assert.deepEqual((await eventsSeen(moved)).map(({ user }) => user.id), [moved.id]);
  const [own] = await eventsSeen(moved);
  assert.equal((await fan.call("PUT", `${stream}/${own.id}/high-five`)).status, 404);
  assert.equal((await fan.call("GET", `${stream}/${own.id}/high-five/users`)).status, 404);
  // No user who belongs to the team at the end of the month has sold anything.
  app.clock.set(Date.UTC(2026, 3, 1));
  assert.equal(await awardRanks(app.deps, app.clock.now()), 1);
  assert.deepEqual(await app.sql("select * from stream_events where type = 'rank_won'"), []);
  // A deleted user's high five is not listed.
  const left = await admin.call("DELETE", `${users}/${fan.id}`);
  assert.ok(left.status < 300, left.text);
  const given = await admin.call("GET", `${stream}/${event.id}/high-five/users`);
  assert.deepEqual(given.body.data.map((user: Body) => user.id), [moved.id]);
  assert.equal((await rebuildGame(app.deps)).mended, 0);
});

Deno.test("an erased company takes its game along, and its neighbours' goes on with the facts that come next", async () => {
  await using app = await startApp({ ERASE_AFTER: "0" });
  const [stays, erased] = [await app.company(), await app.company()];
  const paths = [await newPath(stays.admin), await newPath(erased.admin)] as const;
  await sell(stays.admin, paths[0]);
  const fan = await erased.user();
  await createRank(erased.admin, rank);
  await sell(fan, paths[1]);
  await playFacts(app.deps);
  const [event] = await eventsSeen(erased.admin);
  assert.equal((await erased.admin.call("PUT", `${stream}/${event.id}/high-five`)).status, 204);
  await playFacts(app.deps);
  const before = [
    await eventsSeen(stays.admin),
    (await stays.admin.call("GET", "/v1/gamification/level")).body,
  ];
  assert.equal((await erased.admin.call("DELETE", `/v1/companies/${erased.id}`)).status, 204);
  // The job also runs between the deletion and the erasure.
  await playFacts(app.deps);
  app.clock.move(60_000);
  await runStaged(app.deps, app.clock.now(), [companyErasureWork]);
  const left = await app.sql(
    `select (select count(*) from game_players) as players,
    (select count(*) from stream_events) as events, (select count(*) from high_fives) as fives,
    (select count(*) from ranks) as ranks, (select count(*) from facts where company_id = ?) as facts`,
    erased.id,
  );
  assert.deepEqual(left, [{ players: 1, events: before[0].length, fives: 0, ranks: 0, facts: 0 }]);
  assert.deepEqual(
    [await eventsSeen(stays.admin), (await stays.admin.call("GET", "/v1/gamification/level")).body],
    before,
  );
  const points = before[1].points;
  // New facts reuse the numbers of the erased ones.
  await sell(stays.admin, paths[0]);
  await playFacts(app.deps);
  assert.equal((await stays.admin.call("GET", "/v1/gamification/level")).body.points, points + 2 * 75);
  assert.deepEqual(await rebuildGame(app.deps), { players: 1, mended: 0 });
});

Deno.test("admins rank any team, group admins those of their groups, team admins their active one, others none", async () => {
  await using app = await startApp();
  const [company, foreign] = [await app.company(), await app.company()];
  const group = await company.group();
  const [own, beside, far] = [
    await company.team({ group_id: group }),
    await company.team({ group_id: group }),
    await company.team({ group_id: await company.group() }),
  ];
  const strange = await foreign.team();
  const { admin } = company;
  const rights = { rights: ["ranks.manage"] as const };
  const of = (type: "group_admin" | "team_admin" | "user") =>
    company.user({ type, teams: [own], rights: [...rights.rights] });
  const [head, lead, user] = [await of("group_admin"), await of("team_admin"), await of("user")];
  /** The team of the new rank, or the status of the refusal with its error. */
  const tryRank = async (by: Actor, more: object) => {
    const { status, body } = await by.call("POST", ranks, { ...rank, ...more });
    return status === 201 ? body.team_id : `${status} ${body.errors?.[0].path ?? body.code}`;
  };
  const all = async (by: Actor) => [
    await tryRank(by, {}),
    await tryRank(by, { team_id: null }),
    await tryRank(by, { team_id: own }),
    await tryRank(by, { team_id: beside }),
    await tryRank(by, { team_id: far }),
    await tryRank(by, { team_id: strange }),
  ];
  const unknown = "422 team_id";
  assert.deepEqual(
    {
      admin: await all(admin),
      head: await all(head),
      lead: await all(lead),
      user: await all(user),
    },
    {
      admin: [null, null, own, beside, far, unknown],
      head: [own, "403 forbidden", own, beside, unknown, unknown],
      lead: [own, "403 forbidden", own, unknown, unknown, unknown],
      user: Array(6).fill("403 forbidden"),
    },
  );
});
