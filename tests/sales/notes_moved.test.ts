import assert from "node:assert/strict";
import { type Actor, startApp, type TestApp } from "../support/app.ts";
import { callMeanwhile } from "../support/race.ts";
import { createRecord, type Customer, notesWorld } from "./notes_world.ts";

Deno.test("the notes on a contact move with it to another account, each with an event, and follow its visibility", async () => {
  await using app = await startApp();
  const { admin, member, stranger, outside, customer } = await notesWorld(app);
  const [from, to] = [await customer(), await customer(outside)];
  const { contact_id, account_id, case_id } = from;
  const alone = await createRecord(admin, "/v1/notes", { note: "On the contact", contact_id, account_id });
  const both = await createRecord(admin, "/v1/notes", {
    note: "On its case, too",
    contact_id,
    account_id,
    case_id,
  });
  await createRecord(admin, "/v1/notes", { note: "On the case", case_id });
  await createRecord(admin, "/v1/notes", {
    note: "On another",
    contact_id: to.contact_id,
    account_id: to.account_id,
  });
  const reported = await readReportedNotes(app, async () => {
    const reply = await move(admin, from, to.account_id);
    assert.equal(reply.status, 200, reply.text);
  });
  const [seen, ofCase] = [alone, both].map((note) => ({ ...note, account_id: to.account_id }));
  assert.deepEqual(reported, [seen, ofCase]);
  assert.deepEqual((await stranger.call("GET", `/v1/notes/${alone.id}`)).body, seen);
  assert.equal((await member.call("GET", `/v1/notes/${alone.id}`)).status, 404);
  assert.deepEqual((await member.call("GET", `/v1/notes/${both.id}`)).body, ofCase);
  const teams = await app.sql(
    "select entity_id, team_id from outbox where event_name = 'note_updated' order by rowid",
  );
  const shared = await app.sql(
    "select cast(id as text) as entity_id, team_id from notes where id in (?, ?)",
    alone.id,
    both.id,
  );
  assert.deepEqual(teams, shared);
});

Deno.test("a contact that moves by external id moves its notes; one that stays sends no events", async () => {
  await using app = await startApp();
  const { admin, customer } = await notesWorld(app);
  const [from, to] = [await customer(), await customer()];
  const { contact_id, account_id } = from;
  const note = await createRecord(admin, "/v1/notes", { note: "Here", contact_id, account_id });
  const path = `/v1/accounts/${account_id}/contacts`;
  assert.equal((await admin.call("PUT", `${path}/${contact_id}`, { external_id: "x1" })).status, 200);
  const put = (body: object) =>
    readReportedNotes(app, async () => {
      const reply = await admin.call("PUT", `${path}/by-external-id/x1`, body);
      assert.equal(reply.status, 200, reply.text);
    });
  assert.deepEqual(await put({ consent: { email: { consent_given: true } } }), []);
  assert.deepEqual(await put({ account_id }), []);
  assert.deepEqual(await put({ account_id: to.account_id }), [{ ...note, account_id: to.account_id }]);
});

Deno.test("the event of a note that changes while its contact moves has the present state", async () => {
  await using app = await startApp();
  const { admin, customer } = await notesWorld(app);
  const to = await customer();
  for (const happens of ["written", "changed", "deleted"] as const) {
    const from = await customer();
    const { contact_id, account_id } = from;
    const body = { note: "First", contact_id, account_id };
    const { id } = await createRecord(admin, "/v1/notes", body);
    const overtake = {
      written: () => createRecord(admin, "/v1/notes", { ...body, note: "Late" }),
      changed: () => admin.call("PUT", `/v1/notes/${id}`, { note: "Late" }),
      deleted: () => admin.call("DELETE", `/v1/notes/${id}`),
    }[happens];
    await overtaken(app, admin, from, to.account_id, overtake);
    const last = await app.sql(
      "select body from outbox where event_name <> 'note_deleted' and rowid in (select max(rowid) from outbox " +
        "where entity_type = 'note' group by entity_id) and body ->> 'contact_id' = ? order by entity_id",
      contact_id,
    );
    const { body: { data } } = await admin.call("GET", `/v1/notes?contact_ids=${contact_id}&sort=created_at`);
    assert.equal(data.length, { written: 2, changed: 1, deleted: 0 }[happens]);
    assert.deepEqual(last.map(({ body }) => JSON.parse(String(body))), data, happens);
    for (const note of data) assert.equal(note.account_id, to.account_id);
  }
});

async function move(by: Actor, { account_id, contact_id }: Customer, to: string) {
  return await by.call("PUT", `/v1/accounts/${account_id}/contacts/${contact_id}`, { account_id: to });
}

async function overtaken(
  app: TestApp,
  by: Actor,
  { account_id, contact_id }: Customer,
  to: string,
  overtake: () => Promise<unknown>,
): Promise<void> {
  const path = `/v1/accounts/${account_id}/contacts/${contact_id}`;
  const reply = await callMeanwhile(app, by, "PUT", path, overtake, { account_id: to });
  assert.equal(reply.status, 200);
  await reply.body?.cancel();
}

/** The bodies of the note events of the call, in order. */
async function readReportedNotes(app: TestApp, what: () => Promise<void>): Promise<unknown[]> {
  const [before] = await app.sql("select max(rowid) as last from outbox");
  await what();
  const events = await app.sql(
    "select event_name, body from outbox where entity_type = 'note' and rowid > ? order by rowid",
    before!.last!,
  );
  assert.ok(events.every(({ event_name }) => event_name === "note_updated"));
  return events.map(({ body }) => JSON.parse(String(body)));
}
