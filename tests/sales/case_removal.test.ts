import assert from "node:assert/strict";
import { copy } from "../customers/deletion_world.ts";
import { runJobs } from "../../src/jobs.ts";
import { DatabaseUnavailable } from "../../src/platform/database/database.ts";
import { type Actor, type Body, startApp, type TestApp } from "../support/app.ts";
import { callMeanwhile } from "../support/race.ts";
import { newCase, newPath, type Path, readEvents } from "./parts.ts";

const task = { type: "call", start_at: "2026-03-20 09:00:00", end_at: "2026-03-20 10:00:00" };

/** A case with more tasks and activities than one commit takes, and a note. */
async function largeCase(app: TestApp, admin: Actor, path: Path): Promise<Body> {
  const made = await newCase(admin, path);
  const activity_type_ids = [path.types.Offer];
  const planned = await admin.call("POST", `/v1/cases/${made.id}/activities`, { activity_type_ids, task });
  assert.equal(planned.status, 201);
  const note = await admin.call("POST", "/v1/notes", { note: "Much", case_id: made.id });
  assert.equal(note.status, 201);
  const of = `x.case_id = '${made.id}'`;
  await copy(app, "activities", of, { id: "x.id || i" }, 1300);
  await copy(app, "tasks", of, { id: "x.id || i" }, 250);
  // The copies are deleted before this task.
  await app.deps.db.write([{
    sql: "update tasks set start_at = '2026-03-20 09:30:00' where id = ?",
    args: [planned.body.task.id],
  }]);
  return { ...made, task: planned.body.task.id, note: note.body.id };
}

/** Deletes the case while the database accepts only this many writes. Returns the answer. */
async function runInterrupted(app: TestApp, admin: Actor, id: string, writes: number, headers = {}) {
  const { write } = app.deps.db;
  let left = writes;
  app.deps.db.write = async (statements) => {
    if (left-- <= 0) throw new DatabaseUnavailable("gone");
    return await write.call(app.deps.db, statements);
  };
  const answer = await admin.call("DELETE", `/v1/cases/${id}`, undefined, headers);
  app.deps.db.write = write;
  return answer;
}

async function countRows(app: TestApp, id: string): Promise<number[]> {
  const tables = ["activities", "tasks", "notes", "case_milestones"];
  const [row] = await app.sql(
    `select (select count(*) from cases where id = ?1) as cases,
      ${tables.map((table) => `(select count(*) from ${table} where case_id = ?1) as ${table}`)},
      (select count(*) from staged_work where kind = 'case_removal' and subject = ?1) as staged`,
    id,
  );
  return Object.values(row!).map(Number);
}

Deno.test("a large case whose deletion stops after any step is not found, and jobs finish it", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const path = await newPath(admin);
  for (const writes of [1, 2, 3]) {
    const { id, task: taskId, note, contact } = await largeCase(app, admin, path);
    const known = (await readEvents(app)).length;
    const deleted = await runInterrupted(app, admin, id, writes, { "Idempotency-Key": id });
    assert.equal(deleted.status, 204, deleted.text);
    assert.ok((await countRows(app, id))[0] === 1 && (await countRows(app, id))[5] === 1, "some rows remain");
    const at = `/v1/cases/${id}`;
    const activity_type_ids = [path.types.Offer];
    const answers = await Promise.all([
      admin.call("GET", at),
      admin.call("GET", `${at}/activities`),
      admin.call("GET", `${at}/timeline`),
      admin.call("PUT", at, { stock_vehicle_id: id }),
      admin.call("PUT", `${at}/decline`, { reason: "No" }),
      admin.call("PUT", `${at}/chance_of_success`, { chance_of_success: 3 }),
      admin.call("POST", `${at}/activities`, { activity_type_ids }),
      admin.call("POST", `${at}/timeline`, { title: "Late" }),
      admin.call("PUT", `/v1/tasks/${taskId}`, { completed: true }),
      admin.call("DELETE", at),
    ]);
    assert.deepEqual(answers.map(({ status }) => status), answers.map(() => 404));
    assert.equal((await admin.call("POST", "/v1/notes", { note: "Late", case_id: id })).status, 422);
    const again = await admin.call("DELETE", at, undefined, { "Idempotency-Key": id });
    assert.deepEqual([again.status, again.headers.get("idempotent-replayed")], [204, "true"]);

    app.clock.move(60_000);
    const runs = [runJobs(app.deps, app.clock.now()), runJobs(app.deps, app.clock.now())];
    assert.deepEqual(await Promise.all(runs), [[], []]);
    assert.deepEqual(await countRows(app, id), [0, 0, 0, 0, 0, 0]);
    const events = (await readEvents(app)).slice(known);
    const findIds = (name: string) =>
      events.filter((event) => event.name === name).map(({ body }) => body.id);
    assert.deepEqual([findIds("note_deleted"), findIds("case_deleted")], [[note], [id]]);
    assert.deepEqual([findIds("task_deleted").length, new Set(findIds("task_deleted")).size], [251, 251]);
    assert.equal((await admin.call("GET", `/v1/contacts/${contact.id}`)).status, 200);
  }
  assert.deepEqual(await app.sql("pragma foreign_key_check"), []);
});

Deno.test("a deleted case that cannot be removed is set aside with a line in the log and holds no other up", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const path = await newPath(admin);
  const [stuck, other] = [await largeCase(app, admin, path), await largeCase(app, admin, path)];
  for (const { id } of [stuck, other]) assert.equal((await runInterrupted(app, admin, id, 1)).status, 204);
  await app.deps.db.write([{
    sql: `create trigger stuck before delete on tasks when old.case_id = '${stuck.id}' begin ` +
      "select raise(abort, 'no'); end",
    args: [],
  }]);
  app.log.entries.length = 0;
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), ["stagedWork"]);
  const failures = app.log.entries.filter(({ event }) => event === "record_set_aside");
  assert.deepEqual(failures.map(({ record }) => record), [stuck.id]);
  assert.deepEqual(await countRows(app, other.id), [0, 0, 0, 0, 0, 0]);
  await app.deps.db.write([{ sql: "drop trigger stuck", args: [] }]);
  app.clock.move(60_000);
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
  assert.deepEqual(await countRows(app, stuck.id), [0, 0, 0, 0, 0, 0]);
});

Deno.test("a case that is being deleted is deleted at once with its account", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const made = await largeCase(app, admin, await newPath(admin));
  assert.equal((await runInterrupted(app, admin, made.id, 1)).status, 204);
  assert.equal((await admin.call("DELETE", `/v1/accounts/${made.account.id}`)).status, 204);
  await app.idle();
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
  assert.deepEqual(await countRows(app, made.id), [0, 0, 0, 0, 0, 0]);
  assert.deepEqual(await app.sql("pragma foreign_key_check"), []);
});

Deno.test("the events of a deletion have the last state of the case, its customer and its task", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const path = await newPath(admin);
  const changes: ((of: Body) => readonly [string, object])[] = [
    ({ id }) => [`/v1/cases/${id}`, { stock_vehicle_id: id }],
    ({ account }) => [
      `/v1/accounts/${account.id}`,
      { fixed_fields: [{ name: "name", value: "Boats" }] },
    ],
    ({ task: id }) => [`/v1/tasks/${id}`, { note: "Late" }],
  ];
  for (const [number, change] of changes.entries()) {
    for (const made of [await newCase(admin, path), await largeCase(app, admin, path)]) {
      if (made.task === undefined && number === 2) continue;
      // Makes this task the first one.
      await app.deps.db.write([{
        sql: "update tasks set start_at = '2026-03-20 08:00:00' where id = ?",
        args: [made.task ?? ""],
      }]);
      const at = `/v1/cases/${made.id}`;
      let last = "";
      const deleted = await callMeanwhile(app, admin, "DELETE", at, async () => {
        const [what, body] = change(made);
        const changed = await admin.call("PUT", what, body);
        assert.equal(changed.status, 200, changed.text);
        last = number === 2 ? changed.text : (await admin.call("GET", at)).text;
      });
      assert.equal(deleted.status, 204);
      const name = number === 2 ? "task_deleted" : "case_deleted";
      const reported = (await readEvents(app)).filter((event) => event.name === name).map(({ body }) => body);
      const expected = JSON.parse(last);
      const found = reported.find(({ id }) => id === expected.id);
      if (number === 2 || made.task === undefined) assert.deepEqual(found, expected);
      else {assert.deepEqual([found.account, found.stock_vehicle_id], [
          expected.account,
          expected.stock_vehicle_id,
        ]);}
    }
  }
});

Deno.test("the last activity of a customer is that of the remaining cases", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const path = await newPath(admin);
  const first = await newCase(admin, path);
  const second = await admin.call("POST", "/v1/cases", {
    contact_id: first.contact.id,
    relations_path_id: path.id,
  });
  const act = async ({ id }: Body) => {
    app.clock.move(3_600_000);
    const body = { activity_type_ids: [path.types.Offer] };
    assert.equal((await admin.call("POST", `/v1/cases/${id}/activities`, body)).status, 201);
  };
  await act(first);
  await act(second.body);
  const last = async () => {
    const [row] = await app.sql(
      "select a.last_activity_at as account, c.last_activity_at as contact from accounts a join contacts c " +
        "on c.account_id = a.id where c.id = ?",
      first.contact.id,
    );
    return Object.values(row!);
  };
  assert.deepEqual(await last(), ["2026-03-02 11:00:00", "2026-03-02 11:00:00"]);
  assert.equal((await admin.call("DELETE", `/v1/cases/${second.body.id}`)).status, 204);
  assert.deepEqual(await last(), ["2026-03-02 10:00:00", "2026-03-02 10:00:00"]);
  assert.equal((await admin.call("DELETE", `/v1/cases/${first.id}`)).status, 204);
  assert.deepEqual(await last(), ["2026-03-02 09:00:00", "2026-03-02 09:00:00"]);
});

Deno.test("admins, and group and team admins who see it, delete a case; other users do not", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const group_id = await company.group();
  const [team, sister] = [await company.team({ group_id }), await company.team({ group_id })];
  const elsewhere = [await company.team()];
  const path = await newPath(admin);
  const may = [
    [admin, 204],
    [await company.user({ type: "group_admin", teams: [sister] }), 204],
    [await company.user({ type: "team_admin", teams: [team] }), 204],
    [await company.user({ type: "group_admin", teams: elsewhere }), 404],
    [await company.user({ type: "team_admin", teams: elsewhere }), 404],
    [await company.user({ teams: [team] }), 403],
    [await company.user({ teams: elsewhere }), 403],
  ] as const;
  for (const [who, status] of may) {
    const { id } = await newCase(admin, path, {
      team_id: team,
      user_id: (await company.user({ teams: [team] })).id,
    });
    assert.equal((await who.call("DELETE", `/v1/cases/${id}`)).status, status);
    assert.equal((await admin.call("GET", `/v1/cases/${id}`)).status, status === 204 ? 404 : 200);
  }
});

Deno.test("a step deletes no more of several large cases than of one", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const path = await newPath(admin);
  const first = await newCase(admin, path);
  const ids: string[] = [first.id];
  for (let n = 0; n < 4; n++) {
    const body = { contact_id: first.contact.id, relations_path_id: path.id };
    ids.push((await admin.call("POST", "/v1/cases", body)).body.id);
  }
  for (const id of ids) {
    const activity_type_ids = [path.types.Offer];
    assert.equal((await admin.call("POST", `/v1/cases/${id}/activities`, { activity_type_ids })).status, 201);
    await copy(app, "activities", `x.case_id = '${id}'`, { id: "x.id || i" }, 300);
  }
  const sizes: number[] = [];
  const { write } = app.deps.db;
  app.deps.db.write = async (statements) => {
    const results = await write.call(app.deps.db, statements);
    sizes.push(results.reduce((sum, { changes }) => sum + changes, 0));
    return results;
  };
  assert.equal((await admin.call("DELETE", `/v1/accounts/${first.account.id}`)).status, 204);
  await app.idle();
  app.deps.db.write = write;
  assert.ok(Math.max(...sizes) < 600, `${sizes}`);
  for (const id of ids) assert.deepEqual(await countRows(app, id), [0, 0, 0, 0, 0, 0]);
});
