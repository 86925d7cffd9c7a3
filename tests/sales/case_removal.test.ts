import assert from "node:assert/strict";
import { copy } from "../customers/deletion_world.ts";
import { runJobs } from "../../src/jobs.ts";
import { DatabaseUnavailable } from "../../src/platform/database/database.ts";
import { type Actor, type Body, startApp, type TestApp } from "../support/app.ts";
import { eventsOf, newCase, newPath, type Path } from "./parts.ts";

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
  return { ...made, task: planned.body.task.id, note: note.body.id };
}

/** Deletes the case while the database takes so many writes and then no more; the answer. */
async function interrupted(app: TestApp, admin: Actor, id: string, writes: number) {
  const { write } = app.deps.db;
  let left = writes;
  app.deps.db.write = async (statements) => {
    if (left-- <= 0) throw new DatabaseUnavailable("gone");
    return await write.call(app.deps.db, statements);
  };
  const answer = await admin.call("DELETE", `/v1/cases/${id}`, undefined, { "Idempotency-Key": id });
  app.deps.db.write = write;
  return answer;
}

async function rowsOf(app: TestApp, id: string): Promise<number[]> {
  const tables = ["activities", "tasks", "notes", "case_milestones", "case_removals"];
  const [row] = await app.sql(
    `select (select count(*) from cases where id = ?1) as cases, ${
      tables.map((table) => `(select count(*) from ${table} where case_id = ?1) as ${table}`)
    }`,
    id,
  );
  return Object.values(row!).map(Number);
}

Deno.test("a large case whose deletion breaks off after any step is nowhere, and jobs finish it", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const path = await newPath(admin);
  for (const writes of [1, 2, 3]) {
    const { id, task: taskId, note, contact } = await largeCase(app, admin, path);
    const known = (await eventsOf(app)).length;
    const deleted = await interrupted(app, admin, id, writes);
    assert.equal(deleted.status, 204, deleted.text);
    assert.ok((await rowsOf(app, id))[0] === 1 && (await rowsOf(app, id))[5] === 1, "it has not all gone");
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
    assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
    assert.deepEqual(await rowsOf(app, id), [0, 0, 0, 0, 0, 0]);
    const events = (await eventsOf(app)).slice(known);
    const named = (name: string) => events.filter((event) => event.name === name).map(({ body }) => body.id);
    assert.deepEqual([named("note_deleted"), named("case_deleted")], [[note], [id]]);
    assert.deepEqual([named("task_deleted").length, new Set(named("task_deleted")).size], [251, 251]);
    assert.equal((await admin.call("GET", `/v1/contacts/${contact.id}`)).status, 200);
  }
  assert.deepEqual(await app.sql("pragma foreign_key_check"), []);
});

Deno.test("a deleted case that cannot be removed is told of in the log and holds no other up", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const path = await newPath(admin);
  const [stuck, other] = [await largeCase(app, admin, path), await largeCase(app, admin, path)];
  for (const { id } of [stuck, other]) assert.equal((await interrupted(app, admin, id, 1)).status, 204);
  await app.deps.db.write([{
    sql: `create trigger stuck before delete on tasks when old.case_id = '${stuck.id}' begin ` +
      "select raise(abort, 'no'); end",
    args: [],
  }]);
  app.log.entries.length = 0;
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), ["continueCaseRemovals"]);
  const failures = app.log.entries.filter(({ event }) => event === "case_removal_failed");
  assert.deepEqual(failures.map(({ case_id }) => case_id), [stuck.id]);
  assert.deepEqual(await rowsOf(app, other.id), [0, 0, 0, 0, 0, 0]);
  await app.deps.db.write([{ sql: "drop trigger stuck", args: [] }]);
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
  assert.deepEqual(await rowsOf(app, stuck.id), [0, 0, 0, 0, 0, 0]);
});

Deno.test("a case that is on its way out goes at once with its account", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const made = await largeCase(app, admin, await newPath(admin));
  assert.equal((await interrupted(app, admin, made.id, 1)).status, 204);
  assert.equal((await admin.call("DELETE", `/v1/accounts/${made.account.id}`)).status, 204);
  await app.idle();
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
  assert.deepEqual(await rowsOf(app, made.id), [0, 0, 0, 0, 0, 0]);
  assert.deepEqual(await app.sql("pragma foreign_key_check"), []);
});
