import assert from "node:assert/strict";
import { mostTokens } from "../../src/identity/tokens/end_many.ts";
import { runJobs } from "../../src/jobs.ts";
import { type Actor, type Body, startApp } from "../support/app.ts";
import { askToken, newClient, withPassword } from "../support/oauth.ts";
import { newCase, newPath, readEvents } from "../sales/parts.ts";

const path = (actor: Pick<Actor, "id" | "companyId">) => `/v1/companies/${actor.companyId}/users/${actor.id}`;
/** Work that a deletion has left: the user, the company, the successor and a moment. */
const begun = "insert into staged_work (kind, subject, company_id, payload, created_at) " +
  "values ('user_reassignment', ?, ?, json_object('successor_id', ?), ?)";
const task = { type: "call", start_at: "2026-03-20 09:00:00", end_at: "2026-03-20 10:00:00" };

Deno.test("a deleted user is missing from GET and lists, stays in summaries, cannot sign in, and frees the address", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const user = await company.user({ teams: [await company.team()] });
  const client = await newClient(app, true);
  const username = await withPassword(app, user, "ten chars!");
  const sign = async () =>
    await askToken(app, { grant_type: "password", ...client, username, password: "ten chars!" });
  const { access_token, refresh_token } = (await sign()).body;
  const { body: account } = await app.call(access_token, "POST", "/v1/accounts", {
    fixed_fields: [{ name: "name", value: "Acme" }],
  });
  const before = await admin.call("GET", path(user));
  const reply = await admin.call("DELETE", path(user));
  assert.deepEqual([reply.status, reply.text], [204, ""]);
  assert.equal((await admin.call("GET", path(user))).status, 404);
  const { body: list } = await admin.call("GET", `/v1/companies/${company.id}/users`);
  assert.deepEqual([list.pagination.total, list.data.map(({ id }: Body) => id)], [1, [admin.id]]);
  assert.equal((await admin.call("GET", `/v1/accounts/${account.id}`)).body.user.id, user.id);
  assert.equal((await app.call(access_token, "GET", "/v1/me")).status, 401);
  assert.equal((await askToken(app, { grant_type: "refresh_token", ...client, refresh_token })).status, 400);
  assert.equal((await sign()).status, 400);
  const [event] = (await readEvents(app)).filter(({ name }) => name === "user_deleted");
  assert.deepEqual(event!.body, before.body, "the event shows the user just before");
  const again = await admin.call("POST", `/v1/companies/${company.id}/users`, {
    email: username.toUpperCase(),
    first_name: "A",
    last_name: "B",
    password: "ten chars!",
  });
  assert.equal(again.status, 201, again.text);
  assert.equal((await admin.call("DELETE", path(user))).status, 404);
});

Deno.test("of a deleted user the name stays alone: no table and no file keeps address, number, title or signature", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const mark = `mark${crypto.randomUUID().slice(0, 8)}`;
  const { body: user } = await admin.call("POST", `/v1/companies/${company.id}/users`, {
    email: `${mark}@example.com`,
    first_name: "Ada",
    last_name: "Byron",
    job_title: `${mark} seller`,
    phone_number: `+31 6 ${mark}1`,
    password: "ten chars!",
    signature: { email: `<p>${mark}</p>` },
  });
  const [before] = await app.sql("select password_hash from users where id = ?", user.id);
  assert.ok(before!.password_hash);
  assert.equal((await admin.call("DELETE", path({ id: user.id, companyId: company.id }))).status, 204);
  const [row] = await app.sql("select * from users where id = ?", user.id);
  assert.ok(!JSON.stringify(row).includes(mark), JSON.stringify(row));
  assert.deepEqual([row!.first_name, row!.last_name, row!.password_hash], ["Ada", "Byron", null]);
});

Deno.test("only admins delete users, the last admin stays, and of two who delete each other one does", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const team = await company.team({ group_id: await company.group() });
  const user = await company.user({ teams: [team] });
  for (const type of ["group_admin", "team_admin", "user"] as const) {
    const caller = await company.user({ type, teams: [team] });
    for (const target of [user, caller]) {
      const reply = await caller.call("DELETE", path(target));
      assert.deepEqual([reply.status, reply.body.code], [403, "forbidden"], type);
    }
  }
  await app.company("Other");
  const refused = await admin.call("DELETE", path(admin));
  assert.deepEqual([refused.status, refused.body.code], [409, "last_admin"]);
  const second = await company.user({ type: "admin" });
  const replies = await Promise.all([
    admin.call("DELETE", path(second)),
    second.call("DELETE", path(admin)),
  ]);
  assert.equal(replies.filter(({ status }) => status === 204).length, 1);
  const [left] = await app.sql(
    "select count(*) as n from users where company_id = ? and user_type = 1 and deleted_at is null",
    company.id,
  );
  assert.equal(left!.n, 1);
});

Deno.test("a user is deleted only in the version of If-Match", async () => {
  await using app = await startApp();
  const company = await app.company();
  const user = await company.user();
  const etag = (await company.admin.call("GET", path(user))).headers.get("etag")!;
  await company.admin.call("PUT", path(user), { job_title: "x" });
  const refused = await company.admin.call("DELETE", path(user), undefined, { "If-Match": etag });
  assert.equal(refused.status, 412);
  assert.equal((await company.admin.call("GET", path(user))).status, 200);
});

Deno.test("open cases and tasks go to assign_to with their events, closed cases and done tasks stay", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const team = await company.team();
  const [user, successor] = [await company.user({ teams: [team] }), await company.user({ teams: [team] })];
  const way = await newPath(admin);
  const act = async (of: Body, more: object) => {
    const reply = await admin.call("POST", `/v1/cases/${of.id}/activities`, {
      activity_type_ids: [way.types.Call],
      communication_channel: "phone",
      ...more,
    });
    assert.equal(reply.status, 201, reply.text);
    return reply.body;
  };
  const theirs = { user_id: user.id, team_id: team };
  const open = await newCase(admin, way, theirs);
  const closed = await newCase(admin, way, theirs);
  await act(closed, { activity_type_ids: [way.types.Sold] });
  const done = await newCase(admin, way, { user_id: successor.id, team_id: team });
  await act(done, { task: { ...task, user_id: user.id } });
  const finished = await act(done, { task: { ...task, user_id: user.id } });
  await act(done, { completed_task_id: finished.task.id });
  await act(done, { task: { ...task, user_id: user.id, note: "the last" } });
  const before = (await readEvents(app)).length;
  const reply = await admin.call("DELETE", `${path(user)}?assign_to=${successor.id}`);
  assert.equal(reply.status, 204, reply.text);
  const get = async (of: Body) => (await admin.call("GET", `/v1/cases/${of.id}`)).body;
  const [opened, kept, shown] = [await get(open), await get(closed), await get(done)];
  assert.deepEqual([opened.user.id, kept.user.id], [successor.id, user.id]);
  const whose = shown.tasks.map((each: Body) => [each.status, each.user.id]);
  assert.deepEqual(
    whose.filter(([status]: string[]) => status !== "completed").map(([, id]: number[]) => id),
    [successor.id, successor.id],
  );
  assert.deepEqual(
    whose.filter(([status]: string[]) => status === "completed").map(([, id]: number[]) => id),
    [user.id],
  );
  assert.equal(
    shown.recent_activity.task.user.id,
    successor.id,
    "the task of the latest activity is the same",
  );
  const events = (await readEvents(app)).slice(before);
  assert.deepEqual(
    events.map(({ name }) => name).sort(),
    ["case_updated", "case_updated", "task_updated", "task_updated", "user_deleted"],
  );
  const bodies = events.filter(({ name }) => name === "case_updated").map(({ body }) => body);
  assert.deepEqual(bodies.find(({ id }) => id === open.id), opened);
  assert.deepEqual(bodies.find(({ id }) => id === done.id), shown);
});

Deno.test("of a closed case with an open task only the task goes to assign_to", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const team = await company.team();
  const [user, successor] = [await company.user({ teams: [team] }), await company.user({ teams: [team] })];
  const way = await newPath(admin);
  const of = await newCase(admin, way, { user_id: user.id, team_id: team });
  const sold = await admin.call("POST", `/v1/cases/${of.id}/activities`, {
    activity_type_ids: [way.types.Sold],
    task: { ...task, user_id: user.id },
  });
  assert.equal(sold.status, 201, sold.text);
  assert.equal((await admin.call("DELETE", `${path(user)}?assign_to=${successor.id}`)).status, 204);
  const { body } = await admin.call("GET", `/v1/cases/${of.id}`);
  assert.deepEqual([body.status, body.user.id, body.tasks[0].user.id], ["closed", user.id, successor.id]);
});

Deno.test("a case with hundreds of open tasks of the user hides no other case with such a task", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const [user, colleague, successor] = [await company.user(), await company.user(), await company.user()];
  const way = await newPath(admin);
  const planTask = async (start_at: string) => {
    const of = await newCase(admin, way, { user_id: colleague.id });
    const reply = await admin.call("POST", `/v1/cases/${of.id}/activities`, {
      activity_type_ids: [way.types.Call],
      task: { ...task, start_at, user_id: user.id },
    });
    assert.equal(reply.status, 201, reply.text);
  };
  await planTask("2026-03-10 09:00:00");
  const columns = "company_id, case_id, activity_id, type, user_id, start_at, end_at, created_at, updated_at";
  await app.deps.db.write([{
    sql: `with recursive n(i) as (select 1 union all select i + 1 from n where i < 250)
      insert into tasks (id, ${columns}) select substr(id, 1, 24) || printf('%012d', i), ${columns} from tasks, n`,
    args: [],
  }]);
  await planTask("2026-03-11 09:00:00");
  assert.equal((await admin.call("DELETE", `${path(user)}?assign_to=${successor.id}`)).status, 204);
  await app.idle();
  const whose = await app.sql("select user_id, count(*) as n from tasks group by user_id");
  assert.deepEqual(whose, [{ user_id: successor.id, n: 252 }]);
});

Deno.test("without assign_to open cases and tasks stay with the deleted user", async () => {
  await using app = await startApp();
  const company = await app.company();
  const user = await company.user();
  const of = await newCase(company.admin, await newPath(company.admin), { user_id: user.id });
  await company.admin.call("DELETE", path(user));
  assert.equal((await company.admin.call("GET", `/v1/cases/${of.id}`)).body.user.id, user.id);
});

Deno.test("assign_to is another user of the company who sees all open work; else 422 and nothing is deleted", async () => {
  await using app = await startApp();
  const company = await app.company();
  const other = await app.company("Other");
  const [team, elsewhere] = [await company.team(), await company.team()];
  const user = await company.user({ teams: [team] });
  const blind = await company.user({ teams: [elsewhere] });
  const gone = await company.user();
  await company.admin.call("DELETE", path(gone));
  await newCase(company.admin, await newPath(company.admin), { user_id: user.id, team_id: team });
  const refused: [unknown, string][] = [
    [blind.id, "exists"],
    [other.admin.id, "exists"],
    [gone.id, "exists"],
    [user.id, "exists"],
    ["x", "type"],
  ];
  for (const [id, code] of refused) {
    const reply = await company.admin.call("DELETE", `${path(user)}?assign_to=${id}`);
    assert.equal(reply.status, 422, reply.text);
    assert.deepEqual([reply.body.errors[0].path, reply.body.errors[0].code], ["query.assign_to", code]);
  }
  assert.equal((await company.admin.call("GET", path(user))).status, 200);
  const fine = await company.admin.call("DELETE", `${path(user)}?assign_to=${company.admin.id}`);
  assert.equal(fine.status, 204, "an admin sees everything");
});

Deno.test("more cases than a batch takes follow in steps, also after the process ended", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const way = await newPath(admin);
  const [user, successor] = [await company.user(), await company.user()];
  for (let count = 0; count < 45; count++) await newCase(admin, way, { user_id: user.id });
  const countLeft = async () =>
    Number((await app.sql("select count(*) as n from cases where user_id = ?", user.id))[0]!.n);
  await app.deps.db.write([{
    sql: begun,
    args: [user.id, company.id, successor.id, "2026-03-02 09:00:00"],
  }]);
  await app.deps.db.write([{
    sql: "update users set deleted_at = created_at where id = ?",
    args: [user.id],
  }]);
  assert.equal(await countLeft(), 45);
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
  assert.deepEqual([await countLeft(), await app.sql("select * from staged_work")], [0, []]);

  const last = await company.user();
  const reply = await admin.call("DELETE", `${path(successor)}?assign_to=${last.id}`);
  assert.equal(reply.status, 204);
  await app.idle();
  const [found] = await app.sql("select count(*) as n from cases where user_id = ?", last.id);
  assert.deepEqual([found!.n, await app.sql("select * from staged_work")], [45, []]);
  const updates = (await readEvents(app)).filter(({ name }) => name === "case_updated");
  assert.equal(updates.length, 90, "one event a case and reassignment");
});

Deno.test("a successor who is deleted meanwhile passes the work on", async () => {
  await using app = await startApp();
  const company = await app.company();
  const [first, second, third] = [await company.user(), await company.user(), await company.user()];
  const of = await newCase(company.admin, await newPath(company.admin), { user_id: first.id });
  await app.deps.db.write([{
    sql: begun,
    args: [first.id, company.id, second.id, "2026-03-02 09:00:00"],
  }]);
  await company.admin.call("DELETE", `${path(second)}?assign_to=${third.id}`);
  await runJobs(app.deps, app.clock.now());
  assert.equal((await company.admin.call("GET", `/v1/cases/${of.id}`)).body.user.id, third.id);
});

Deno.test("the tokens of a user who has very many end in several commits", async () => {
  await using app = await startApp();
  const company = await app.company();
  const user = await company.user({ teams: [await company.team()] });
  const client = await newClient(app, true);
  const many = 2 * mostTokens + 10;
  await app.deps.db.write([{
    sql: `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?)
      insert into access_tokens (hash, id, client_id, user_id, expires_at, created_at)
      select 'h' || i, 'h' || i, ?, ?, 9e15, '2026-01-01 00:00:00' from n`,
    args: [many, client.client_id, user.id],
  }]);
  const ended: number[] = [];
  const write = app.deps.db.write.bind(app.deps.db);
  app.deps.db.write = async (statements) => {
    const results = await write(statements);
    statements.forEach(({ sql }, place) => {
      if (/^delete from "?access_tokens/.test(sql)) ended.push(results[place]!.changes);
    });
    return results;
  };
  const gone = await company.admin.call("DELETE", path(user));
  assert.equal(gone.status, 204, gone.text);
  assert.deepEqual(ended.filter((rows) => rows > mostTokens), []);
  assert.equal(ended.reduce((sum, rows) => sum + rows, 0), many + 1, "those, and the one of the user's own");
});
