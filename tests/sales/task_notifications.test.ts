import assert from "node:assert/strict";
import { startApp, type TestApp } from "../support/app.ts";
import { callMeanwhile, withTwoProcesses } from "../support/race.ts";
import { DatabaseUnavailable } from "../../src/platform/database/database.ts";
import { announceOverdueTasks } from "../../src/sales/tasks/task_timer.ts";
import { newCase, readEvents } from "./parts.ts";
import { act, makeScene, plan } from "./tasks_world.ts";

const minute = 60_000;
const hour = 60 * minute;

interface Notified {
  readonly user: number;
  readonly type: string;
  readonly by: number | null;
  readonly of: string;
}

/** The notifications by recipient and task, in order, with the case. */
async function readNotified(app: TestApp): Promise<Notified[]> {
  const rows = await app.sql("select user_id, type, sender_id, data from notifications order by rowid");
  return await Promise.all(rows.map(async ({ user_id, type, sender_id, data }) => {
    const shown = JSON.parse(String(data));
    const [found] = await app.sql(
      "select c.id, c.case_number, p.name as relations_path_name from tasks t join cases c on c.id = t.case_id " +
        "join relations_paths p on p.id = c.relations_path_id where t.id = ?",
      shown.task.id,
    );
    assert.deepEqual(shown, { case: found, task: { id: shown.task.id } });
    return { user: Number(user_id), type: String(type), by: sender_id as number | null, of: shown.task.id };
  }));
}

Deno.test("a new assignee of a task is notified, unless that is the caller", async () => {
  await using app = await startApp();
  const { company, team, member, path } = await makeScene(app);
  const colleague = await company.user({ teams: [team] });
  const made = await newCase(member, path);
  await plan(member, path, made.id);
  assert.deepEqual(await readNotified(app), []);
  const task = await plan(member, path, made.id, { user_id: colleague.id });
  const expectAssigned = (user: number, by: number) => ({ user, type: "task_assigned", by, of: task.id });
  const expected = [expectAssigned(colleague.id, member.id)];
  assert.deepEqual(await readNotified(app), expected);
  const change = async (body: object) => {
    const reply = await member.call("PUT", `/v1/tasks/${task.id}`, body);
    assert.equal(reply.status, 200, reply.text);
  };
  for (
    const body of [{ note: "Ask" }, { user_id: colleague.id }, { completed: true }, { user_id: member.id }]
  ) {
    await change(body);
    assert.deepEqual(await readNotified(app), expected, JSON.stringify(body));
  }
  await change({ user_id: company.admin.id });
  assert.deepEqual(await readNotified(app), [...expected, expectAssigned(company.admin.id, member.id)]);
  const refused = await member.call("PUT", `/v1/tasks/${task.id}`, { user_id: 999_999 });
  assert.equal(refused.status, 422);
  assert.equal((await readNotified(app)).length, 2);
});

Deno.test("the assignee is notified once when a task is overdue: not before, not twice, and without an event", async () => {
  await using app = await startApp();
  const { member, path } = await makeScene(app);
  const made = await newCase(member, path);
  const task = await plan(member, path, made.id, {
    start_at: "2026-03-02 10:00:00",
    end_at: "2026-03-02 11:00:00",
  });
  const known = (await readEvents(app)).length;
  const run = async () => await announceOverdueTasks(app.deps, app.clock.now());
  const turned: [number, number][] = [];
  // Moves the clock to the start, the end, a second later, and a minute later.
  for (const step of [0, hour, hour, 1000, minute]) {
    app.clock.move(step);
    turned.push([await run(), (await readNotified(app)).length]);
  }
  assert.deepEqual(turned, [[0, 0], [1, 0], [0, 0], [1, 1], [0, 1]]);
  assert.deepEqual(await readNotified(app), [{
    user: member.id,
    type: "overdue_task",
    by: null,
    of: task.id,
  }]);
  assert.equal((await readEvents(app)).length, known);
});

Deno.test("an overdue task is notified even after a long pause of the jobs; a completed, deleted or postponed one is not", async () => {
  await using app = await startApp();
  const { member, path } = await makeScene(app);
  const made = await newCase(member, path);
  const [late, done, gone, later, byActivity] = [
    await plan(member, path, made.id),
    await plan(member, path, made.id),
    await plan(member, path, made.id),
    await plan(member, path, made.id),
    await plan(member, path, made.id),
  ];
  const url = (task: { id: string }) => `/v1/tasks/${task.id}`;
  assert.equal((await member.call("PUT", url(done), { completed: true })).status, 200);
  assert.equal((await member.call("DELETE", url(gone))).status, 204);
  assert.equal((await member.call("PUT", url(later), { end_at: "2026-06-01 00:00:00" })).status, 200);
  await act(member, path, made.id, ["Call"], { completed_task_id: byActivity.id });
  app.clock.move(30 * 24 * hour);
  assert.equal(await announceOverdueTasks(app.deps, app.clock.now()), 2);
  assert.deepEqual((await readNotified(app)).map(({ of }) => of), [late.id]);
  const { body } = await member.call("GET", "/v1/tasks?status=overdue");
  assert.equal(body.pagination.total, 1);
});

Deno.test("an overdue task is notified again only after it was postponed or reopened", async () => {
  await using app = await startApp();
  const { company, team, member, path } = await makeScene(app);
  const colleague = await company.user({ teams: [team] });
  const made = await newCase(member, path);
  const { id } = await plan(member, path, made.id);
  const count = async () => {
    await announceOverdueTasks(app.deps, app.clock.now());
    return (await readNotified(app)).filter(({ type }) => type === "overdue_task").length;
  };
  const change = async (body: object) => {
    const reply = await member.call("PUT", `/v1/tasks/${id}`, body);
    assert.equal(reply.status, 200, reply.text);
  };
  app.clock.move(3 * 24 * hour);
  assert.equal(await count(), 1);
  await change({ note: "Still", user_id: colleague.id, type: "letter", end_at: "2026-03-03 10:00:00" });
  assert.equal(await count(), 1);
  await change({ completed: true });
  assert.equal(await count(), 1);
  await change({ completed: false });
  assert.equal(await count(), 2);
  await change({ end_at: "2026-03-06 10:00:00" });
  assert.equal(await count(), 2);
  app.clock.move(3 * 24 * hour);
  assert.equal(await count(), 3);
});

Deno.test("an assignee who no longer sees the case is not notified", async () => {
  await using app = await startApp();
  const { company, team, member, path } = await makeScene(app);
  const leaver = await company.user({ teams: [team] });
  const made = await newCase(member, path);
  await plan(member, path, made.id, { user_id: leaver.id });
  const user = `/v1/companies/${company.id}/users/${leaver.id}`;
  assert.equal((await company.admin.call("PUT", user, { team_ids: [] })).status, 200);
  app.clock.move(3 * 24 * hour);
  assert.equal(await announceOverdueTasks(app.deps, app.clock.now()), 1);
  assert.deepEqual((await readNotified(app)).map(({ type }) => type), ["task_assigned"]);
});

Deno.test("a change that was read before the timer ran does not notify again", async () => {
  await using app = await startApp();
  const { member, path } = await makeScene(app);
  const made = await newCase(member, path);
  const { id } = await plan(member, path, made.id);
  app.clock.move(3 * 24 * hour);
  const run = async () => await announceOverdueTasks(app.deps, app.clock.now());
  const reply = await callMeanwhile(app, member, "PUT", `/v1/tasks/${id}`, run, { note: "Late" });
  assert.equal(reply.status, 200, await reply.text());
  assert.equal(await run(), 0);
  assert.equal((await readNotified(app)).length, 1);
});

Deno.test("two processes that run the jobs concurrently notify each task of several batches once", async () => {
  await using app = await startApp();
  const { member, path } = await makeScene(app);
  const made = await newCase(member, path);
  const { id } = await plan(member, path, made.id);
  await app.deps.db.write([{
    sql:
      "insert into tasks (id, company_id, case_id, team_id, type, user_id, start_at, end_at, stage, created_at, " +
      "updated_at) with recursive n(i) as (select 1 union all select i + 1 from n where i < 150) " +
      "select t.id || i, t.company_id, t.case_id, t.team_id, t.type, t.user_id, t.start_at, t.end_at, t.stage, " +
      "t.created_at, t.updated_at from n, tasks t where t.id = ?",
    args: [id],
  }]);
  await withTwoProcesses("tests/proofs/jobs_server.ts", app, async (urls) => {
    const now = String(app.clock.now() + 3 * 24 * hour);
    await Promise.all(urls.map(async (url) => {
      const response = await fetch(url, { method: "POST", body: now });
      assert.equal(await response.text(), "done");
    }));
  });
  const [found] = await app.sql(
    "select count(*) as notified, count(distinct data ->> '$.task.id') as tasks, " +
      "(select count(*) from tasks where stage = 'overdue') as moved from notifications",
  );
  assert.deepEqual(found, { notified: 151, tasks: 151, moved: 151 });
});

Deno.test("a failing task delays no other of any company, and the job reports the failure", async () => {
  await using app = await startApp();
  const [one, other] = [await makeScene(app), await makeScene(app)];
  const mine: string[] = [];
  const made = await newCase(one.member, one.path);
  for (let n = 0; n < 5; n++) mine.push((await plan(one.member, one.path, made.id)).id);
  const { id: theirs } = await plan(other.member, other.path, (await newCase(other.member, other.path)).id);
  const failing = mine[1]!;
  await app.deps.db.write([{
    sql:
      `create trigger failing before update on tasks when old.id = '${failing}' begin select raise(abort, 'no'); end`,
    args: [],
  }]);
  app.clock.move(30 * 24 * hour);
  await assert.rejects(
    announceOverdueTasks(app.deps, app.clock.now()),
    /^Error: 1 tasks failed to move to their next stage; 5 moved$/,
  );
  const overdue = (await readNotified(app)).filter(({ type }) => type === "overdue_task").map(({ of }) => of);
  assert.deepEqual(overdue.sort(), [...mine.filter((id) => id !== failing), theirs].sort());
  const faults = app.log.entries.filter(({ event }) => event === "record_set_aside");
  assert.deepEqual(faults.map(({ company_id, record }) => [company_id, record]), [[
    one.company.id,
    failing,
  ]]);
  await app.deps.db.write([{ sql: "drop trigger failing", args: [] }]);
  app.clock.move(minute);
  assert.equal(await announceOverdueTasks(app.deps, app.clock.now()), 1);
  assert.equal(await announceOverdueTasks(app.deps, app.clock.now()), 0);
});

Deno.test("an unavailable database skips no task", async () => {
  await using app = await startApp();
  const { member, path } = await makeScene(app);
  await plan(member, path, (await newCase(member, path)).id);
  app.clock.move(30 * 24 * hour);
  const away = { ...app.deps.db, write: () => Promise.reject(new DatabaseUnavailable("away")) };
  await assert.rejects(announceOverdueTasks({ ...app.deps, db: away }, app.clock.now()), /^Error: away$/);
  assert.deepEqual(app.log.entries.filter(({ event }) => event === "record_set_aside"), []);
  assert.equal(await announceOverdueTasks(app.deps, app.clock.now()), 1);
});
