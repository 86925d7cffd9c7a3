import assert from "node:assert/strict";
import { copy } from "../customers/deletion_world.ts";
import { type Actor, type Body, startApp, type TestApp } from "../support/app.ts";
import { callMeanwhile } from "../support/race.ts";
import { makeSales } from "./leads_world.ts";
import { newCase, newPath, readEvents } from "./parts.ts";

const task = { type: "call", start_at: "2026-03-20 09:00:00", end_at: "2026-03-20 10:00:00" };

async function create(by: Actor, path: string, body: object): Promise<Body> {
  const reply = await by.call("POST", path, body);
  assert.equal(reply.status, 201, reply.text);
  return reply.body;
}

/** The number of rows of a case. */
async function rows(app: TestApp): Promise<Body> {
  const tables = [
    "cases",
    "activities",
    "tasks",
    "notes",
    "case_milestones",
    "case_status_changes",
    "cases_search",
  ];
  const [row] = await app.sql(
    `select ${tables.map((table) => `(select count(*) from ${table}) as ${table}`)}`,
  );
  return row;
}

Deno.test("deleting a case deletes its activities, tasks and notes in one commit, each with an event that equals GET before", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin } = sales;
  const path = await newPath(admin);
  const other = await newCase(admin, path);
  await create(admin, `/v1/cases/${other.id}/activities`, { activity_type_ids: [path.types.Offer], task });
  await create(admin, "/v1/notes", { note: "Stays", case_id: other.id });
  const stays = await rows(app);
  app.clock.move(3_600_000);
  const one = await newCase(admin, path);
  const at = `/v1/cases/${one.id}`;
  const types = (name: string) => ({ activity_type_ids: [path.types[name]] });
  const first = await create(admin, `${at}/activities`, { ...types("Offer"), task });
  const second = await create(admin, `${at}/activities`, { ...types("Sold"), task });
  const notes = [
    await create(admin, "/v1/notes", { note: "On the case", case_id: one.id }),
    await create(admin, "/v1/notes", { note: "On the activity", case_id: one.id, activity_id: first.id }),
  ];
  const tasks = await Promise.all(
    [first.task, second.task].map(async ({ id }) => (await admin.call("GET", `/v1/tasks/${id}`)).body),
  );
  const before = (await admin.call("GET", at)).body;
  assert.equal(before.contact.status, "customer");
  const known = (await readEvents(app)).length;
  app.clock.move(60_000);
  assert.equal((await admin.call("DELETE", at)).status, 204);
  assert.equal((await admin.call("GET", at)).status, 404);
  const events = (await readEvents(app)).slice(known);
  assert.deepEqual(events.map(({ name }) => name), [
    "note_deleted",
    "note_deleted",
    "task_deleted",
    "task_deleted",
    "case_deleted",
  ]);
  assert.deepEqual(events.map(({ body }) => body), [...notes, ...tasks, before]);
  assert.deepEqual(await rows(app), stays);
  const commits = await app.sql(
    "select count(distinct created_at) as n from (select created_at from outbox order by position limit -1 offset ?)",
    known,
  );
  assert.equal(commits[0]!.n, 1);
  // Its effects on the customer stay; lists use the activities of other cases.
  assert.equal((await admin.call("GET", `/v1/contacts/${one.contact.id}`)).body.status, "customer");
  const [account] = await app.sql("select * from accounts where id = ?", one.account.id);
  assert.equal(account!.last_activity_at, account!.created_at);
  const list = (await admin.call("GET", "/v1/cases")).body;
  assert.deepEqual([list.data.length, list.statuses.all, list.statuses.closed], [1, 1, 0]);
  assert.equal((await admin.call("DELETE", at)).status, 404);
  assert.equal((await admin.call("GET", `/v1/cases/${other.id}`)).status, 200);
  assert.deepEqual(await app.sql("pragma foreign_key_check"), []);
});

Deno.test("a lead whose case is deleted stays accepted without a case, and sends an event", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin, member } = sales;
  const lead = await sales.lead();
  const accepted = (await member.call("PUT", `/v1/leads/${lead.id}/accept`, {})).body;
  const expired = await sales.lead({ expires_at: "2026-03-02 09:30:00" });
  assert.equal((await member.call("PUT", `/v1/leads/${expired.id}/accept`, {})).status, 200);
  const [moved] = await app.sql(
    "select case_id from leads where id = ?",
    expired.id,
  );
  app.clock.move(45 * 60_000);
  const known = (await readEvents(app)).length;
  for (const id of new Set([accepted.case_id, moved!.case_id])) {
    assert.equal((await admin.call("DELETE", `/v1/cases/${id}`)).status, 204);
  }
  const after = (await admin.call("GET", `/v1/leads/${lead.id}`)).body;
  assert.deepEqual(after, {
    ...accepted,
    case_id: null,
    acceptions: [{ ...accepted.acceptions[0], case_id: null }],
    updated_at: "2026-03-02 09:45:00",
  });
  assert.equal(after.acceptions.length, 1);
  const reported = (await readEvents(app)).slice(known);
  // An expired lead sends no event.
  assert.deepEqual(reported.filter(({ name }) => name === "lead_updated").map(({ body }) => body), [after]);
  assert.deepEqual(await app.sql("select id from leads where case_id is not null"), []);
  assert.deepEqual(await app.sql("select id from lead_transitions where case_id is not null"), []);
});

Deno.test("a very large case is deleted in bounded steps, with one event for each record", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin, member } = sales;
  const path = await newPath(admin);
  for (const what of ["case", "account"]) {
    const one = await newCase(admin, path);
    const id = one.id;
    const first = await create(admin, `/v1/cases/${id}/activities`, {
      activity_type_ids: [path.types.Offer],
      task,
    });
    const { id: note } = await create(admin, "/v1/notes", { note: "Much", case_id: id });
    const lead = await sales.lead();
    assert.equal((await member.call("PUT", `/v1/leads/${lead.id}/accept`, {})).status, 200);
    const of = `x.case_id = '${id}'`;
    // Before the copies, because each of these rows reads all activities of the case.
    await app.deps.db.write([{
      sql: "insert into case_status_changes (id, case_id, at, from_status, to_status) " +
        "select value, ?, '', 'open', 'closed' from json_each(?)",
      args: [id, JSON.stringify(Array.from({ length: 1300 }, (_, n) => `${id} ${n}`))],
    }]);
    await copy(app, "activities", of, { id: "x.id || i" }, 1300);
    await copy(app, "tasks", of, { id: "x.id || i" }, 250);
    await copy(app, "notes", `x.id = ${note}`, { id: "null" }, 250);
    await copy(app, "leads", `x.id = '${lead.id}'`, { id: "x.id || i", case_id: `'${id}'` }, 80);
    const known = (await readEvents(app)).length;
    const sizes: number[] = [];
    const { write } = app.deps.db;
    app.deps.db.write = async (statements) => {
      const results = await write.call(app.deps.db, statements);
      sizes.push(results.reduce((sum, { changes }) => sum + changes, 0));
      return results;
    };
    const target = what === "case" ? `/v1/cases/${id}` : `/v1/accounts/${one.account.id}`;
    assert.equal((await admin.call("DELETE", target, undefined, { "Idempotency-Key": what })).status, 204);
    await app.idle();
    app.deps.db.write = write;
    assert.equal((await admin.call("DELETE", target, undefined, { "Idempotency-Key": what })).status, 204);
    assert.ok(sizes.length >= 5 && Math.max(...sizes) < 1600, `${sizes}`);
    const events = (await readEvents(app)).slice(known);
    const findIds = (name: string) =>
      events.filter((event) => event.name === name).map(({ body }) => body.id);
    for (const [name, n] of [["note_deleted", 251], ["task_deleted", 251], ["case_deleted", 1]] as const) {
      assert.equal(findIds(name).length, n, name);
      assert.equal(new Set(findIds(name)).size, n, name);
    }
    // The leads were accepted for another contact.
    assert.equal(findIds("lead_updated").length, 80);
    if (what === "case") assert.equal(events.at(-1)!.name, "case_deleted");
    assert.ok(findIds("task_deleted").includes(first.task.id));
    assert.equal((await admin.call("GET", `/v1/cases/${id}`)).status, 404);
    const left = await rows(app);
    assert.deepEqual([left.activities, left.tasks, left.notes, left.case_status_changes], [0, 0, 0, 0]);
    assert.deepEqual(await app.sql("pragma foreign_key_check"), []);
  }
});

Deno.test("correspondence of many or long texts is deleted in bounded steps", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const one = await newCase(admin, await newPath(admin));
  await app.deps.db.write([
    {
      sql: `insert into correspondences
        (id, company_id, case_id, type, direction, status, content, created_at, updated_at)
        select printf('%04d', json_each.value), company_id, cases.id, 'email', 'in', 'received', iif(json_each.value % 4 = 0 and json_each.value < 400, ?, 'Hi'), '', ''
        from cases, json_each(?) where cases.id = ?`,
      args: ["a".repeat(500_000), JSON.stringify([...Array(3_000).keys()]), one.id],
    },
  ]);
  const steps: { rows: number; bytes: number }[] = [];
  const readLeft = async () => {
    const [row] = await app.sql(
      "select count(*) as n, coalesce(sum(octet_length(content)), 0) as bytes from correspondences",
    );
    return { rows: Number(row!.n), bytes: Number(row!.bytes) };
  };
  const { write } = app.deps.db;
  app.deps.db.write = async (statements) => {
    const before = await readLeft();
    const results = await write.call(app.deps.db, statements);
    const after = await readLeft();
    steps.push({ rows: before.rows - after.rows, bytes: before.bytes - after.bytes });
    return results;
  };
  assert.equal((await admin.call("DELETE", `/v1/cases/${one.id}`)).status, 204);
  await app.idle();
  app.deps.db.write = write;
  assert.equal((await readLeft()).rows, 0);
  assert.ok(Math.max(...steps.map(({ rows }) => rows)) <= 500);
  assert.ok(Math.max(...steps.map(({ bytes }) => bytes)) < 33 * 1024 * 1024, JSON.stringify(steps));
});

Deno.test("records that are created while a case is deleted are deleted too, and later calls are 404", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const path = await newPath(admin);
  const calls: [string, string, object][] = [
    ["POST", "/activities", { activity_type_ids: [path.types.Offer], task }],
    ["PUT", "", { stock_vehicle_id: path.id }],
    ["PUT", "/decline", { reason: "No" }],
    ["POST", "note", {}],
  ];
  for (const [method, below, body] of calls) {
    const target = async () => {
      const { id } = await newCase(admin, path);
      return below === "note"
        ? { id, at: "/v1/notes", sent: { note: "Late", case_id: id } }
        : { id, at: `/v1/cases/${id}${below}`, sent: body };
    };
    const first = await target();
    const deleted = await callMeanwhile(app, admin, "DELETE", `/v1/cases/${first.id}`, async () => {
      const between = await admin.call(method, first.at, first.sent);
      assert.ok(between.status < 300, between.text);
    });
    assert.equal(deleted.status, 204, below);
    const second = await target();
    const late = await callMeanwhile(app, admin, method, second.at, async () => {
      assert.equal((await admin.call("DELETE", `/v1/cases/${second.id}`)).status, 204);
    }, second.sent);
    assert.equal(late.status, below === "note" ? 422 : 404);
    await late.body?.cancel();
  }
  const left = await rows(app);
  assert.deepEqual(Object.entries(left).filter(([, n]) => n !== 0), []);
  assert.deepEqual(await app.sql("pragma foreign_key_check"), []);
});
