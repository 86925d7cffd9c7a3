/** A merge of many records runs in steps, and goes on after a crash. Until it is done both records are locked. */
import assert from "node:assert/strict";
import { runJobs } from "../../src/jobs.ts";
import { DatabaseUnavailable } from "../../src/platform/database/database.ts";
import { copy } from "../customers/deletion_world.ts";
import { makeSales } from "../sales/leads_world.ts";
import { type Body, startApp, type TestApp } from "../support/app.ts";
import { createCustomer, createRecord, readAnswer, readEverything } from "./merges_world.ts";

/** Lets `n` writes of the work succeed, as if the process had died after them. Returns how to go on. */
function dieAfter({ deps: { db } }: TestApp, n: number): () => void {
  const { write } = db;
  let left = Infinity;
  Object.assign(db, {
    write: async (statements: Parameters<typeof write>[0]) => {
      if (left <= 0) throw new DatabaseUnavailable("the process has died");
      left--;
      const results = await write.call(db, statements);
      if (statements.some(({ sql }) => sql.startsWith('insert into "merge_locks"'))) left = n;
      return results;
    },
  });
  return () => Object.assign(db, { write });
}

Deno.test("a large merge locks both records and ends as a small one, wherever its process dies", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { admin } = place;
  const id = "lower(hex(randomblob(4)) || '-0000-7000-8000-' || hex(randomblob(6)))";
  for (const steps of [0, 2, 9]) {
    const [a, b] = [
      await createCustomer(place, `Alpha${steps}`),
      await createCustomer(place, `Beta${steps}`),
    ];
    await copy(app, "contacts", `x.id = '${b.contacts[0].id}'`, { id, external_id: "null" }, 110);
    const path = `/v1/accounts/${a.account.id}`;
    const goOn = dieAfter(app, steps);
    const merged = await createRecord(
      admin,
      `${path}/merge`,
      { from_id: b.account.id, take: { city: "other" } },
      200,
    );
    goOn();
    assert.equal(merged.moved.contacts, 112);
    if (steps < 9) {
      const refused = [
        await admin.call("PUT", path, { fixed_fields: [{ name: "vat", value: "1" }] }),
        await admin.call("PUT", `/v1/accounts/${b.account.id}`, {
          fixed_fields: [{ name: "vat", value: "1" }],
        }),
        await admin.call("DELETE", `/v1/accounts/${b.account.id}`),
        await admin.call("POST", `${path}/merge`, { from_id: b.account.id }),
        await admin.call("POST", `/v1/merges/${merged.merge_id}/undo`),
      ];
      for (const { status, body } of refused) assert.deepEqual([status, body.code], [409, "merge_running"]);
      app.clock.move(60_000);
      assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
    }
    await app.idle();
    const gone = await admin.call("GET", `/v1/accounts/${b.account.id}`);
    assert.deepEqual([gone.status, gone.body.merged_into], [404, a.account.id]);
    assert.equal((await readAnswer(admin, `${path}/contacts`)).pagination.total, 114);
    const { updated_at: _one, ...record } = await readAnswer(admin, path);
    const { updated_at: _other, ...promised } = merged.record;
    assert.deepEqual(record, promised);
    assert.deepEqual(await app.sql("select count(*) as n from merge_locks"), [{ n: 0 }]);
    const undone = await createRecord(admin, `/v1/merges/${merged.merge_id}/undo`, {}, 200);
    assert.deepEqual(undone, { restored: merged.moved, kept: [] });
    assert.equal((await readAnswer(admin, `/v1/accounts/${b.account.id}/contacts`)).pagination.total, 112);
  }
});

Deno.test("the undo of a large merge locks both records and ends as a small one, wherever its process dies", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { admin } = place;
  const id = "lower(hex(randomblob(4)) || '-0000-7000-8000-' || hex(randomblob(6)))";
  const [a, b] = [await createCustomer(place, "Alpha"), await createCustomer(place, "Beta")];
  await copy(app, "contacts", `x.id = '${b.contacts[0].id}'`, { id, external_id: "null" }, 230);
  await app.idle();
  const before = await readEverything(admin);
  const [into, from] = [`/v1/accounts/${a.account.id}`, `/v1/accounts/${b.account.id}`];
  const total = async (path: string) => (await readAnswer(admin, `${path}/contacts`)).pagination.total;
  for (const steps of [0, 2, 3, 9]) {
    const merged = await createRecord(admin, `${into}/merge`, { from_id: b.account.id }, 200);
    assert.deepEqual([merged.moved.contacts, await total(into)], [232, 234]);
    const undo = `/v1/merges/${merged.merge_id}/undo`;
    const goOn = dieAfter(app, steps);
    const undone = await createRecord(admin, undo, {}, 200);
    goOn();
    assert.deepEqual(undone, { restored: merged.moved, kept: [] });
    if (steps < 9) {
      const left = await total(into);
      assert.equal(await total(from), 234 - left);
      assert.ok(left > 2, String(left));
      assert.equal((await readAnswer(admin, `/v1/merges/${merged.merge_id}`)).undone_at, null);
      const change = { fixed_fields: [{ name: "vat", value: "1" }] };
      const refused = [
        await admin.call("PUT", into, change),
        await admin.call("PUT", from, change),
        await admin.call("DELETE", from),
        await admin.call("POST", `${into}/merge`, { from_id: b.account.id }),
        await admin.call("POST", undo),
      ];
      for (const { status, body } of refused) assert.deepEqual([status, body.code], [409, "merge_running"]);
      app.clock.move(60_000);
      assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
    }
    await app.idle();
    assert.deepEqual([await total(into), await total(from)], [2, 232]);
    assert.deepEqual(await readEverything(admin), before);
    for (const table of ["merge_locks", "merge_rows", "merged_records", "staged_work"]) {
      assert.deepEqual([table, await app.sql(`select count(*) as n from ${table}`)], [table, [{ n: 0 }]]);
    }
    const again = await admin.call("POST", undo);
    assert.deepEqual([again.status, again.body.code], [409, "merge_undone"]);
  }
});

Deno.test("the undo of a large merge leaves and lists what somebody has changed since", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { admin } = place;
  const id = "lower(hex(randomblob(4)) || '-0000-7000-8000-' || hex(randomblob(6)))";
  const [a, b, c] = [
    await createCustomer(place, "Alpha"),
    await createCustomer(place, "Beta", { people: 1 }),
    await createCustomer(place, "Gamma", { people: 1 }),
  ];
  const [person] = b.contacts;
  await copy(app, "contacts", `x.id = '${person.id}'`, { id, external_id: "null" }, 150);
  await app.idle();
  const merged = await createRecord(
    admin,
    `/v1/accounts/${a.account.id}/merge`,
    { from_id: b.account.id },
    200,
  );
  const [gone, moved] = await app.sql(
    "select id from contacts where account_id = ? and external_id is null order by id limit 2",
    a.account.id,
  ) as [{ id: string }, { id: string }];
  const path = `/v1/accounts/${a.account.id}/contacts`;
  assert.equal((await admin.call("DELETE", `${path}/${gone.id}`)).status, 204);
  const reply = await admin.call("PUT", `${path}/${moved.id}`, { account_id: c.account.id });
  assert.equal(reply.status, 200, reply.text);
  const { restored, kept } = await createRecord(admin, `/v1/merges/${merged.merge_id}/undo`, {}, 200);
  assert.deepEqual(restored, { ...merged.moved, contacts: 149 });
  assert.deepEqual(
    kept.toSorted((one: Body, other: Body) => one.entity_id < other.entity_id ? -1 : 1),
    [
      { entity_type: "contact", entity_id: gone.id, field: null, reason: "deleted" },
      { entity_type: "contact", entity_id: moved.id, field: "account_id", reason: "moved" },
    ],
  );
  assert.equal((await readAnswer(admin, `/v1/accounts/${b.account.id}/contacts`)).pagination.total, 149);
  assert.equal((await readAnswer(admin, `/v1/contacts/${moved.id}`)).account.id, c.account.id);
});

Deno.test("a contact with more notes than a commit moves merges with all of them, and the undo returns each", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { admin } = place;
  const [a, b] = [await createCustomer(place, "Alpha"), await createCustomer(place, "Beta")];
  const [into, from] = [a.contacts[0].id, b.contacts[0].id];
  await copy(app, "notes", `x.contact_id = '${from}' and x.case_id is null`, { id: "null" }, 250);
  await app.idle();
  const countNotes = async (id: string) =>
    (await readAnswer(admin, `/v1/notes?contact_ids=${id}&per_page=1`)).pagination.total;
  const before = [await countNotes(into), await countNotes(from)];
  const merged = await createRecord(admin, `/v1/contacts/${into}/merge`, { from_id: from }, 200);
  await app.idle();
  assert.equal(merged.moved.notes, before[1]);
  assert.deepEqual([await countNotes(into), await countNotes(from)], [before[0] + before[1], 0]);
  const undone = await createRecord(admin, `/v1/merges/${merged.merge_id}/undo`, {}, 200);
  await app.idle();
  assert.deepEqual(undone, { restored: merged.moved, kept: [] });
  assert.deepEqual([await countNotes(into), await countNotes(from)], before);
  assert.deepEqual(await app.sql("select count(*) as n from merge_locks"), [{ n: 0 }]);
});

Deno.test("contacts with many notes move in several commits, and each way moves all notes", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { admin } = place;
  const [a, b] = [await createCustomer(place, "Alpha"), await createCustomer(place, "Beta")];
  const [first] = b.contacts;
  const id = "lower(hex(randomblob(4)) || '-0000-7000-8000-' || hex(randomblob(6)))";
  await copy(app, "contacts", `x.id = '${first.id}'`, { id, external_id: "null" }, 4);
  const people = await app.sql(`select id from contacts where account_id = '${b.account.id}'`);
  const note = `x.id = (select min(id) from notes where contact_id = '${first.id}' and case_id is null)`;
  for (const { id } of people) {
    await copy(app, "notes", note, { id: "null", contact_id: `'${id}'` }, 300);
  }
  await app.idle();
  const { db } = app.deps;
  const { write } = db;
  const notes: number[] = [];
  Object.assign(db, {
    write: async (statements: Parameters<typeof write>[0]) => {
      const results = await write.call(db, statements);
      const updated = statements.filter(({ sql, args }) =>
        sql.startsWith("insert into outbox") && args.includes("note_updated")
      );
      if (updated.length > 0) notes.push(updated.length);
      return results;
    },
  });
  const path = `/v1/accounts/${a.account.id}/merge`;
  const merged = await createRecord(admin, path, { from_id: b.account.id }, 200);
  await app.idle();
  // Two contacts at a time: 400 notes, and those of the contact with which they are more.
  const most = Math.max(...notes);
  assert.ok(most > 400 && most < 700, `${notes}`);
  assert.ok(merged.moved.notes >= 300 * people.length);
  notes.length = 0;
  const undone = await createRecord(admin, `/v1/merges/${merged.merge_id}/undo`, {}, 200);
  await app.idle();
  assert.ok(Math.max(...notes) < 700, `${notes}`);
  assert.deepEqual(undone, { restored: merged.moved, kept: [] });
  const back = await app.sql(
    `select count(*) as n from notes where account_id = '${b.account.id}' and contact_id is not null`,
  );
  assert.ok(Number(back[0]!.n) >= 300 * people.length);
});

Deno.test("what goes with a large contact or account stays while the contact is merged or moved back", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { admin } = place;
  const [a, b] = [await createCustomer(place, "Alpha"), await createCustomer(place, "Beta")];
  const [into, from] = [a.contacts[0].id, b.contacts[0].id];
  await copy(app, "notes", `x.contact_id = '${from}' and x.case_id is null`, { id: "null" }, 350);
  await app.idle();
  const notes = async () => {
    const { data, pagination } = await readAnswer(admin, "/v1/notes?per_page=1");
    return [data.length, pagination.total];
  };
  const before = await notes();
  const refuseAll = async () => {
    for (const { account, contacts: [person] } of [a, b]) {
      const of = `/v1/accounts/${account.id}`;
      for (const path of [of, `${of}/contacts/${person.id}`]) {
        const { status, body } = await admin.call("DELETE", path);
        assert.deepEqual([path, status, body?.code], [path, 409, "merge_running"]);
      }
    }
    app.clock.move(60_000);
    assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
    await app.idle();
    assert.deepEqual(await notes(), before);
  };
  let goOn = dieAfter(app, 1);
  const merged = await createRecord(admin, `/v1/contacts/${into}/merge`, { from_id: from }, 200);
  goOn();
  await refuseAll();
  goOn = dieAfter(app, 1);
  await createRecord(admin, `/v1/merges/${merged.merge_id}/undo`, {}, 200);
  goOn();
  await refuseAll();
  assert.equal((await admin.call("DELETE", `/v1/accounts/${b.account.id}`)).status, 204);
});
