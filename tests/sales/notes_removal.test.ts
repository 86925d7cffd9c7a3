import assert from "node:assert/strict";
import { type Body, startApp } from "../support/app.ts";
import { callMeanwhile } from "../support/race.ts";
import { createRecord, notesWorld } from "./notes_world.ts";

Deno.test("deleting an account or contact deletes its notes and those of its cases, each with an event, as the delete-impact counts", async () => {
  await using app = await startApp();
  const { admin, member, customer } = await notesWorld(app);
  for (const what of ["account", "contact"] as const) {
    const [of, other] = [await customer(), await customer()];
    const { account_id, contact_id, case_id, activity_id } = of;
    const notify = { users: [member.id] };
    const gone = [
      await createRecord(admin, "/v1/notes", { note: "On the contact", contact_id, account_id, notify }),
      await createRecord(admin, "/v1/notes", { note: "On the case", case_id, activity_id, notify }),
      await createRecord(admin, "/v1/notes", {
        ...other,
        note: "Case of another",
        case_id,
        activity_id: null,
      }),
    ];
    const stays = await createRecord(admin, "/v1/notes", { note: "Stays", case_id: other.case_id });
    const account = `/v1/accounts/${account_id}`;
    const path = what === "account" ? account : `${account}/contacts/${contact_id}`;
    const { body: { deletes } } = await admin.call("GET", `${path}/delete-impact`);
    assert.equal(deletes.find(({ type }: Body) => type === "note")?.amount, 3);
    const [before] = await app.sql("select max(rowid) as last from outbox");
    const reply = await admin.call("DELETE", path);
    assert.equal(reply.status, 204, reply.text);
    for (const { id } of gone) assert.equal((await admin.call("GET", `/v1/notes/${id}`)).status, 404);
    assert.equal((await admin.call("GET", `/v1/notes/${stays.id}`)).status, 200);
    const events = await app.sql(
      "select body from outbox where event_name = 'note_deleted' and rowid > ? order by rowid",
      before!.last!,
    );
    assert.deepEqual(events.map(({ body }) => JSON.parse(String(body))), gone);
    assert.equal((await admin.call("DELETE", `/v1/notes/${stays.id}`)).status, 204);
  }
  assert.deepEqual(await app.sql("pragma foreign_key_check"), []);
});

Deno.test("many notes of a deleted contact are deleted in steps, each with an event", async () => {
  await using app = await startApp();
  const { admin, customer } = await notesWorld(app);
  const { account_id, contact_id } = await customer();
  const { id } = await createRecord(admin, "/v1/notes", { note: "One", contact_id, account_id });
  await app.deps.db.write([{
    sql: "with recursive n(i) as (select 1 union all select i + 1 from n where i < 210) insert into notes " +
      "(company_id, team_id, user_id, note, account_id, contact_id, created_at, updated_at) select company_id, " +
      "team_id, user_id, 'N' || i, account_id, contact_id, created_at, updated_at from n, notes where id = ?",
    args: [id],
  }]);
  // The last step stores the answer under the key, not the first.
  const key = { "Idempotency-Key": "once" };
  const reply = await admin.call(
    "DELETE",
    `/v1/accounts/${account_id}/contacts/${contact_id}`,
    undefined,
    key,
  );
  assert.equal(reply.status, 204, reply.text);
  assert.equal((await admin.call("GET", `/v1/contacts/${contact_id}`)).status, 404);
  assert.deepEqual(await app.sql("select 1 from notes"), []);
  const [events] = await app.sql(
    "select count(distinct entity_id) as n from outbox where event_name = 'note_deleted'",
  );
  assert.equal(events!.n, 211);
});

Deno.test("a note that is created while its account is deleted is deleted too, or rejected", async () => {
  await using app = await startApp();
  const { admin, customer } = await notesWorld(app);
  const first = await customer();
  const body = ({ contact_id, account_id }: typeof first) => ({ note: "Late", contact_id, account_id });
  const reply = await callMeanwhile(app, admin, "DELETE", `/v1/accounts/${first.account_id}`, async () => {
    await createRecord(admin, "/v1/notes", body(first));
  });
  assert.equal(reply.status, 204);
  assert.deepEqual(await app.sql("select 1 from notes"), []);
  const second = await customer();
  const late = await callMeanwhile(app, admin, "POST", "/v1/notes", async () => {
    assert.equal((await admin.call("DELETE", `/v1/accounts/${second.account_id}`)).status, 204);
  }, body(second));
  assert.equal(late.status, 422);
  await late.body?.cancel();
  assert.deepEqual(await app.sql("select 1 from notes"), []);
});
