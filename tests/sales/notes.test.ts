import assert from "node:assert/strict";
import { type Body, startApp } from "../support/app.ts";
import { callMeanwhile } from "../support/race.ts";
import { createRecord, notesWorld, readCodes } from "./notes_world.ts";

Deno.test("POST and GET return the note with an integer id that is never reused", async () => {
  await using app = await startApp();
  const { member, customer } = await notesWorld(app);
  const of = await customer();
  const reply = await member.call("POST", "/v1/notes", { note: "On <b>Friday</b>", ...of });
  assert.equal(reply.status, 201, reply.text);
  assert.deepEqual(reply.body, {
    id: reply.body.id,
    note: "On <b>Friday</b>",
    user: { id: member.id, name: "Ada Byron user" },
    case_id: of.case_id,
    activity_id: of.activity_id,
    contact_id: of.contact_id,
    account_id: of.account_id,
    created_at: "2026-03-02 09:00:00",
    updated_at: "2026-03-02 09:00:00",
  });
  assert.equal(typeof reply.body.id, "number");
  const got = await member.call("GET", `/v1/notes/${reply.body.id}`);
  assert.equal(got.text, reply.text);
  assert.equal(got.headers.get("etag"), reply.headers.get("etag"));
  const bare = await createRecord(member, "/v1/notes", { note: "Bare", case_id: of.case_id });
  assert.deepEqual([bare.activity_id, bare.contact_id, bare.account_id], [null, null, null]);
  assert.equal((await member.call("DELETE", `/v1/notes/${bare.id}`)).status, 204);
  assert.equal((await member.call("GET", `/v1/notes/${bare.id}`)).status, 404);
  assert.ok((await createRecord(member, "/v1/notes", { note: "Next", case_id: of.case_id })).id > bare.id);
});

Deno.test("a note requires a case or a contact, an activity its case, and a contact its account and vice versa", async () => {
  await using app = await startApp();
  const { member, customer } = await notesWorld(app);
  const { case_id, activity_id, contact_id, account_id } = await customer();
  const faults: [object, string[]][] = [
    [{}, ["case_id required", "contact_id required"]],
    [{ case_id: null, contact_id: null }, ["case_id required", "contact_id required"]],
    [{ activity_id }, ["case_id required", "contact_id required"]],
    [{ activity_id, contact_id, account_id }, ["case_id required"]],
    [{ contact_id }, ["account_id required"]],
    [{ contact_id, case_id }, ["account_id required"]],
    [{ account_id }, ["case_id required", "contact_id required"]],
    [{ account_id, case_id }, ["contact_id required"]],
  ];
  for (const [ids, expected] of faults) {
    const refused = await member.call("POST", "/v1/notes", { note: "x", ...ids });
    assert.equal(refused.status, 422, JSON.stringify(ids));
    assert.deepEqual(readCodes(refused), expected, JSON.stringify(ids));
  }
  for (const ids of [{ case_id }, { case_id, activity_id }, { contact_id, account_id }]) {
    assert.equal((await member.call("POST", "/v1/notes", { note: "x", ...ids })).status, 201);
  }
});

Deno.test("the records that a note names must exist, be visible to its author, and belong together", async () => {
  await using app = await startApp();
  const { member, outside, customer } = await notesWorld(app);
  const [own, second, hidden] = [await customer(), await customer(), await customer(outside)];
  const foreign = await (await notesWorld(app)).customer();
  const { contact_id, account_id, case_id } = own;
  const faults: [object, string][] = [
    [{ case_id: hidden.case_id }, "case_id exists"],
    [{ case_id: foreign.case_id }, "case_id exists"],
    [{ case_id: "case" }, "case_id type"],
    [{ case_id, activity_id: second.activity_id }, "activity_id exists"],
    [{ case_id, activity_id: foreign.activity_id }, "activity_id exists"],
    [{ contact_id: hidden.contact_id, account_id: hidden.account_id }, "contact_id exists"],
    [{ contact_id: foreign.contact_id, account_id: foreign.account_id }, "contact_id exists"],
    [{ contact_id, account_id: second.account_id }, "account_id exists"],
    [{ contact_id: second.contact_id, account_id }, "account_id exists"],
  ];
  for (const [ids, fault] of faults) {
    const refused = await member.call("POST", "/v1/notes", { note: "x", ...ids });
    assert.deepEqual([refused.status, ...readCodes(refused)], [422, fault], JSON.stringify(ids));
  }
  assert.equal((await member.call("GET", "/v1/notes")).body.pagination.total, 0);
});

Deno.test("a note has 1 to 65535 characters and is stored as sanitised HTML, on create and on update", async () => {
  await using app = await startApp();
  const { member, customer } = await notesWorld(app);
  const { case_id } = await customer();
  const { id } = await createRecord(member, "/v1/notes", { note: "x".repeat(65_535), case_id });
  const faults: [unknown, string][] = [
    ["", "min"],
    ["x".repeat(65_536), "max"],
    [7, "type"],
    [null, "required"],
    ["<script>alert(1)</script>", "format"],
  ];
  for (const [note, code] of faults) {
    assert.deepEqual(readCodes(await member.call("POST", "/v1/notes", { note, case_id })), [`note ${code}`]);
    assert.deepEqual(readCodes(await member.call("PUT", `/v1/notes/${id}`, { note })), [`note ${code}`]);
  }
  assert.deepEqual(readCodes(await member.call("POST", "/v1/notes", { case_id })), ["note required"]);
  const note = '<b onclick="x()">Bold</b><script>x()</script> <a href="javascript:x()">link</a>';
  const clean = "<b>Bold</b> <a>link</a>";
  assert.equal((await createRecord(member, "/v1/notes", { note, case_id })).note, clean);
  assert.equal((await member.call("PUT", `/v1/notes/${id}`, { note })).body.note, clean);
});

Deno.test("only its author changes a note (201), only its author or an admin deletes it; 403 for others, 404 for users who do not see it", async () => {
  await using app = await startApp();
  const { admin, member, friend, stranger, customer } = await notesWorld(app);
  const { case_id } = await customer();
  const note = await createRecord(member, "/v1/notes", { note: "Mine", case_id });
  const path = `/v1/notes/${note.id}`;
  for (const [who, status] of [[friend, 403], [admin, 403], [stranger, 404]] as const) {
    assert.equal((await who.call("PUT", path, { note: "Theirs" })).status, status);
  }
  for (const [who, status] of [[friend, 403], [stranger, 404]] as const) {
    assert.equal((await who.call("DELETE", path)).status, status);
  }
  app.clock.move(60_000);
  const changed = await member.call("PUT", path, { note: "Changed" });
  assert.deepEqual([changed.status, changed.body], [201, {
    ...note,
    note: "Changed",
    updated_at: "2026-03-02 09:01:00",
  }]);
  const stale = { "If-Match": '"another"' };
  assert.equal((await member.call("PUT", path, {}, stale)).status, 412);
  assert.equal((await member.call("DELETE", path, undefined, stale)).status, 412);
  assert.equal((await member.call("PUT", path, {})).body.note, "Changed");
  assert.equal((await admin.call("DELETE", path)).status, 204);
  const own = await createRecord(member, "/v1/notes", { note: "Mine", case_id });
  assert.equal((await member.call("DELETE", `/v1/notes/${own.id}`)).status, 204);
});

Deno.test("a note can be backdated, not postdated", async () => {
  await using app = await startApp();
  const { member, customer } = await notesWorld(app);
  const { case_id } = await customer();
  const back = { note: "Then", case_id, created_at: "2020-05-01T12:00:00+02:00" };
  assert.equal((await createRecord(member, "/v1/notes", back)).created_at, "2020-05-01 10:00:00");
  const ahead = await member.call("POST", "/v1/notes", { ...back, created_at: "2026-03-02 09:00:01" });
  assert.deepEqual(readCodes(ahead), ["created_at before"]);
});

Deno.test("create, update and delete of a note each send one event that equals GET", async () => {
  await using app = await startApp();
  const { admin, member, north, customer } = await notesWorld(app);
  const { case_id } = await customer();
  const note = await member.call("POST", "/v1/notes", { note: "Mine", case_id });
  const path = `/v1/notes/${note.body.id}`;
  const changed = await member.call("PUT", path, { note: "Changed" });
  await admin.call("DELETE", path);
  const events = await app.sql(
    "select event_name, entity_type, entity_id, team_id, created_by, executor_id, body from outbox " +
      "where entity_type = 'note' order by sequence",
  );
  const of = { entity_type: "note", entity_id: String(note.body.id), team_id: north, created_by: member.id };
  assert.deepEqual(events, [
    { event_name: "note_created", ...of, executor_id: member.id, body: note.text },
    { event_name: "note_updated", ...of, executor_id: member.id, body: changed.text },
    { event_name: "note_deleted", ...of, executor_id: admin.id, body: changed.text },
  ]);
});

Deno.test("users and teams to notify must see the note; each request that names them notifies them of a note on a case", async () => {
  await using app = await startApp();
  const { company, admin, member, friend, stranger, north, outside, customer } = await notesWorld(app);
  const { case_id } = await customer();
  const other = await notesWorld(app);
  const gone = await company.user({ teams: [north] });
  assert.equal((await admin.call("DELETE", `/v1/companies/${company.id}/users/${gone.id}`)).status, 204);
  const refused = await member.call("POST", "/v1/notes", {
    note: "x",
    case_id,
    notify: {
      users: [admin.id, stranger.id, other.member.id, gone.id],
      teams: [north, outside, other.north],
    },
  });
  assert.deepEqual(readCodes(refused), [
    "notify.users[1] exists",
    "notify.users[2] exists",
    "notify.users[3] exists",
    "notify.teams[1] exists",
    "notify.teams[2] exists",
  ]);
  assert.deepEqual(
    readCodes(await member.call("POST", "/v1/notes", { note: "x", case_id, notify: { users: ["a"] } })),
    [
      "notify.users[0] type",
    ],
  );
  const readNotified = async () =>
    (await app.sql("select user_id from notifications order by seq")).map(({ user_id }) => user_id);
  assert.deepEqual(await readNotified(), []);
  const note = await createRecord(member, "/v1/notes", {
    note: "x",
    case_id,
    notify: { users: [friend.id, admin.id, friend.id], teams: [north] },
  });
  assert.equal("notify" in note, false);
  // The members of the team: the author and the user of the case.
  const [owner] = await app.sql("select user_id from cases where id = ?", case_id);
  const first = [admin.id, member.id, friend.id, owner!.user_id];
  assert.deepEqual(await readNotified(), first);
  const [shown] = await app.sql("select type, sender_id, data from notifications order by seq limit 1");
  assert.deepEqual({ ...shown, data: JSON.parse(String(shown!.data)) }, {
    type: "note",
    sender_id: member.id,
    data: { case: { id: case_id, case_number: 1, relations_path_name: "Cars" } },
  });
  const path = `/v1/notes/${note.id}`;
  assert.equal((await member.call("PUT", path, { note: "y" })).status, 201);
  assert.deepEqual(await readNotified(), first);
  assert.equal((await member.call("PUT", path, { notify: { users: [friend.id] } })).status, 201);
  assert.deepEqual(await readNotified(), [...first, friend.id]);
  const hidden = await member.call("PUT", path, { notify: { users: [stranger.id], teams: [outside] } });
  assert.deepEqual(readCodes(hidden), ["notify.users[0] exists", "notify.teams[0] exists"]);
  assert.equal((await member.call("DELETE", path)).status, 204);
  const { contact_id, account_id } = await customer();
  const apart = { note: "x", contact_id, account_id, notify: { users: [friend.id], teams: [north] } };
  assert.equal(
    (await member.call("PUT", `/v1/notes/${(await createRecord(member, "/v1/notes", apart)).id}`, apart))
      .status,
    201,
  );
  assert.deepEqual(await readNotified(), [...first, friend.id]);
  const shared = await customer(null);
  const open: Body = {
    note: "x",
    case_id: shared.case_id,
    notify: { users: [stranger.id], teams: [outside] },
  };
  assert.equal((await member.call("POST", "/v1/notes", open)).status, 201);
  const deleted = await member.call("POST", "/v1/notes", { ...open, notify: { users: [gone.id] } });
  assert.deepEqual(readCodes(deleted), ["notify.users[0] exists"]);
});

Deno.test("a note is rejected when its contact changes team or a mentioned user leaves it meanwhile", async () => {
  await using app = await startApp();
  const { company, admin, member, outside, north, stranger, customer } = await notesWorld(app);
  const { account_id, contact_id } = await customer();
  const body = { note: "Late", contact_id, account_id };
  const moved = await callMeanwhile(app, member, "POST", "/v1/notes", async () => {
    const put = await admin.call("PUT", `/v1/accounts/${account_id}`, {
      team_id: outside,
      user_id: stranger.id,
    });
    assert.equal(put.status, 200, put.text);
  }, body);
  assert.equal((await moved.json()).errors[0].path, "contact_id");
  const leaving = await company.user({ teams: [north] });
  const { case_id } = await customer();
  const unseen = await callMeanwhile(app, member, "POST", "/v1/notes", async () => {
    const path = `/v1/companies/${company.id}/users/${leaving.id}`;
    assert.equal((await admin.call("PUT", path, { team_ids: [outside] })).status, 200);
  }, { note: "Late", case_id, notify: { users: [leaving.id] } });
  assert.equal((await unseen.json()).errors[0].path, "notify.users[0]");
  assert.deepEqual(await app.sql("select 1 from notes"), []);
});
