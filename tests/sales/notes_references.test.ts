/** The records and users that a note names. */
import assert from "node:assert/strict";
import { startApp } from "../support/app.ts";
import { callMeanwhile } from "../support/race.ts";
import { createRecord, notesWorld, readCodes } from "./notes_world.ts";

Deno.test("a note cannot name records or users of another company", async () => {
  await using app = await startApp();
  const { admin, customer } = await notesWorld(app);
  const foreign = await notesWorld(app);
  const { case_id } = await customer(null);
  const { account_id, contact_id, ...theirs } = await foreign.customer(null);
  const faults: [object, string][] = [
    [{ case_id: theirs.case_id }, "case_id exists"],
    [{ contact_id, account_id }, "contact_id exists"],
    [{ case_id, activity_id: theirs.activity_id }, "activity_id exists"],
    [{ case_id, notify: { users: [foreign.admin.id] } }, "notify.users[0] exists"],
    [{ case_id, notify: { teams: [foreign.north] } }, "notify.teams[0] exists"],
  ];
  for (const [ids, fault] of faults) {
    const refused = await admin.call("POST", "/v1/notes", { note: "x", ...ids });
    assert.deepEqual([refused.status, ...readCodes(refused)], [422, fault]);
  }
});

Deno.test("a team in the group of the note's team may be notified", async () => {
  await using app = await startApp();
  const { member, friend, customer } = await notesWorld(app);
  const { case_id } = await customer();
  const [near] = await app.sql("select team_id from team_members where user_id = ?", friend.id);
  await createRecord(member, "/v1/notes", { note: "x", case_id, notify: { teams: [near!.team_id] } });
});

Deno.test("a note on a case gets the present team of the case, even with a contact of another team", async () => {
  await using app = await startApp();
  const { admin, member, stranger, outside, customer } = await notesWorld(app);
  const [moving, shared, north] = [await customer(), await customer(null), await customer()];
  const late = await callMeanwhile(app, admin, "POST", "/v1/notes", async () => {
    const body = { team_id: outside, user_id: stranger.id };
    const put = await admin.call("PUT", `/v1/cases/${moving.case_id}`, body);
    assert.equal(put.status, 200, put.text);
  }, { note: "Late", case_id: moving.case_id });
  assert.equal(late.status, 201);
  const path = `/v1/notes/${(await late.json()).id}`;
  assert.deepEqual([(await member.call("GET", path)).status, (await stranger.call("GET", path)).status], [
    404,
    200,
  ]);
  const { account_id, contact_id } = north;
  const both = await createRecord(admin, "/v1/notes", {
    note: "x",
    case_id: shared.case_id,
    account_id,
    contact_id,
  });
  assert.equal((await stranger.call("GET", `/v1/notes/${both.id}`)).status, 200);
});

Deno.test("a note cannot name a case or a contact that is being deleted", async () => {
  await using app = await startApp();
  const { admin, customer } = await notesWorld(app);
  const { case_id, account_id, contact_id } = await customer();
  const leaving = (kind: string, id: string) =>
    app.deps.db.write([{
      sql:
        "insert into staged_work (kind, subject, company_id, created_at) select ?, ?, company_id, created_at from cases",
      args: [kind, id],
    }]);
  await leaving("case_removal", case_id);
  assert.deepEqual(readCodes(await admin.call("POST", "/v1/notes", { note: "x", case_id })), [
    "case_id exists",
  ]);
  await leaving("account_removal", account_id);
  const on = { note: "x", contact_id, account_id };
  assert.deepEqual(readCodes(await admin.call("POST", "/v1/notes", on)), ["contact_id exists"]);
});
