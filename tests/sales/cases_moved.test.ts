import assert from "node:assert/strict";
import { copy, makePath } from "../customers/deletion_world.ts";
import { nameValues } from "../customers/fields_world.ts";
import { type Actor, type Body, type Reply, startApp, type TestApp } from "../support/app.ts";
import { callMeanwhile } from "../support/race.ts";
import { newContact, newPath } from "./parts.ts";

async function done(reply: Promise<Reply>): Promise<Body> {
  const { status, text, body } = await reply;
  assert.ok(status < 300, text);
  return body;
}

/** The names and bodies of the events since. */
async function eventsSince(app: TestApp, row: unknown): Promise<{ name: string; body: Body }[]> {
  const rows = await app.sql(
    "select event_name, body from outbox where rowid > ? order by rowid",
    Number(row),
  );
  return rows.map(({ event_name, body }) => ({ name: String(event_name), body: JSON.parse(String(body)) }));
}

const last = async (app: TestApp) => (await app.sql("select max(rowid) as n from outbox"))[0]!.n;

async function newCases(admin: Actor, contact_id: string, number: number): Promise<Body[]> {
  const path = await newPath(admin);
  const cases: Body[] = [];
  for (let n = 0; n < number; n++) {
    cases.push(await done(admin.call("POST", "/v1/cases", { contact_id, relations_path_id: path.id })));
  }
  return cases;
}

Deno.test("a contact that moves with its cases moves those of any user, each with an event", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const [near, far] = [await company.team(), await company.team()];
  const member = await company.user({ teams: [near] });
  const from = await newContact(member);
  const there = await newContact(member, { account: "Navy" });
  const [open, hidden] = await newCases(admin, from.contact.id, 2);
  const stranger = await company.user({ teams: [far] });
  await done(admin.call("PUT", `/v1/cases/${hidden.id}`, { team_id: far, user_id: stranger.id }));
  const colleague = await done(
    admin.call("POST", `${makePath(from.account)}/contacts`, {
      fixed_fields: nameValues({ last_name: "King" }),
    }),
  );
  const [others] = await newCases(admin, colleague.id, 1);
  const types =
    (await admin.call("GET", `/v1/relations-paths/${open.relations_path.id}`)).body.activity_types;
  app.clock.move(60_000);
  await done(
    admin.call("POST", `/v1/cases/${open.id}/activities`, { activity_type_ids: [types.milestones[0].id] }),
  );
  app.clock.move(60_000);
  const row = await last(app);
  const body = { account_id: there.account.id, with_cases: true };
  const moved = await done(member.call("PUT", makePath(from.account, from.contact), body));
  assert.equal(moved.account.id, there.account.id);
  const events = await eventsSince(app, row);
  assert.deepEqual(events.map(({ name }) => name), ["contact_updated", "case_updated", "case_updated"]);
  for (const { name, body } of events) {
    const path = name === "contact_updated" ? "contacts" : "cases";
    assert.deepEqual((await admin.call("GET", `/v1/${path}/${body.id}`)).body, body);
  }
  assert.deepEqual(new Set(events.slice(1).map(({ body }) => body.id)), new Set([open.id, hidden.id]));
  const total = async (account: Body) =>
    (await admin.call("GET", `/v1/accounts/${account.id}/cases`)).body.pagination.total;
  assert.deepEqual([await total(from.account), await total(there.account)], [1, 2]);
  assert.equal((await admin.call("GET", `/v1/cases/${others.id}`)).body.account.id, from.account.id);
  assert.equal((await admin.call("GET", `/v1/cases/${hidden.id}`)).body.team_id, far);
  // Search finds the cases by the new account; lists use their activities.
  assert.equal((await admin.call("GET", "/v1/cases?search=navy")).body.pagination.total, 2);
  const [activity] = await app.sql(
    "select last_activity_at > created_at as moved from accounts where id in (?, ?) order by id = ?",
    from.account.id,
    there.account.id,
    there.account.id,
  );
  assert.equal(activity!.moved, 0);
  const milestones = await app.sql("select distinct account_id from case_milestones");
  assert.deepEqual(milestones, [{ account_id: there.account.id }]);
});

Deno.test("cases that stayed behind can be moved later, and stay without with_cases", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const from = await newContact(admin);
  const there = await newContact(admin, { account: "Navy" });
  const [its] = await newCases(admin, from.contact.id, 1);
  const readAccount = async () => (await admin.call("GET", `/v1/cases/${its.id}`)).body.account.id;
  await done(admin.call("PUT", makePath(from.account, from.contact), { account_id: there.account.id }));
  await done(admin.call("PUT", makePath(there.account, from.contact), { with_cases: false }));
  assert.equal(await readAccount(), from.account.id);
  const row = await last(app);
  await done(admin.call("PUT", makePath(there.account, from.contact), { with_cases: true }));
  assert.equal(await readAccount(), there.account.id);
  assert.deepEqual((await eventsSince(app, row)).map(({ name }) => name), [
    "contact_updated",
    "case_updated",
  ]);
});

Deno.test("a move to a consumer's account moves the cases under the contact's name, by external id too", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const from = await newContact(admin);
  await done(admin.call("PUT", makePath(from.account, from.contact), { external_id: "x1" }));
  const there = await done(admin.call("POST", "/v1/accounts", { b2c: true, fixed_fields: [] }));
  const [its] = await newCases(admin, from.contact.id, 1);
  const row = await last(app);
  await done(
    admin.call("PUT", `${makePath(from.account)}/contacts/by-external-id/x1`, {
      account_id: there.id,
      with_cases: true,
    }),
  );
  const events = await eventsSince(app, row);
  assert.deepEqual(events.map(({ name }) => name), ["contact_updated", "account_updated", "case_updated"]);
  assert.deepEqual(events[2]!.body, (await admin.call("GET", `/v1/cases/${its.id}`)).body);
  const { body: { data: [entry] } } = await admin.call("GET", "/v1/cases");
  assert.deepEqual(entry.account, { id: there.id, name: "Grace Hopper" });
});

Deno.test("many cases and notes move before their contact in steps, with one event each", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const from = await newContact(admin);
  const there = await newContact(admin, { account: "Navy" });
  const [its] = await newCases(admin, from.contact.id, 1);
  const number = 50;
  const set = { id: "printf('00000000-0000-7000-8000-%012x', i)", case_number: "x.case_number + i" };
  await copy(app, "cases", `x.id = '${its.id}'`, set, number);
  const on = { contact_id: from.contact.id, account_id: from.account.id };
  const note = await done(admin.call("POST", "/v1/notes", { note: "Much", ...on }));
  await copy(app, "notes", `x.id = ${note.id}`, { id: "null" }, 210);
  const row = await last(app);
  const commits: number[] = [];
  const { write } = app.deps.db;
  app.deps.db.write = async (statements) => {
    commits.push(statements.filter(({ sql }) => sql.startsWith("insert into outbox")).length);
    return await write.call(app.deps.db, statements);
  };
  const body = { account_id: there.account.id, with_cases: true };
  const key = { "Idempotency-Key": "once" };
  const moved = await done(admin.call("PUT", makePath(from.account, from.contact), body, key));
  app.deps.db.write = write;
  assert.ok(commits.length === 3 && Math.max(...commits) <= 121, `${commits}`);
  assert.deepEqual(await done(admin.call("PUT", makePath(from.account, from.contact), body, key)), moved);
  const events = await eventsSince(app, row);
  const ids = (name: string) => events.filter((event) => event.name === name).map(({ body }) => body.id);
  for (
    const [name, n] of [["case_updated", number + 1], ["note_updated", 211], ["contact_updated", 1]] as const
  ) {
    assert.deepEqual([ids(name).length, new Set(ids(name)).size], [n, n], name);
  }
  for (const table of ["cases", "notes"]) {
    const found = await app.sql(`select distinct account_id from ${table}`);
    assert.deepEqual(found, [{ account_id: there.account.id }], table);
  }
  for (const { body } of events.filter(({ name }) => name === "note_updated")) {
    assert.deepEqual((await admin.call("GET", `/v1/notes/${body.id}`)).body, body);
  }
});

Deno.test("of two concurrent moves of many cases to different accounts one succeeds, the other is rejected", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const from = await newContact(admin);
  const targets = [
    await newContact(admin, { account: "Navy" }),
    await newContact(admin, { account: "Mill" }),
  ];
  const [its] = await newCases(admin, from.contact.id, 1);
  const set = { id: "printf('00000000-0000-7000-8000-%012x', i)", case_number: "x.case_number + i" };
  await copy(app, "cases", `x.id = '${its.id}'`, set, 100);
  const row = await last(app);
  const { write } = app.deps.db;
  let commits = 0;
  app.deps.db.write = async (statements) => {
    assert.ok(++commits < 80, "they move the cases back and forth");
    const results = await write.call(app.deps.db, statements);
    // Makes the two calls take turns.
    await new Promise((resolve) => setTimeout(resolve, 20));
    return results;
  };
  const replies = await Promise.all(targets.map(({ account }) => {
    const body = { account_id: account.id, with_cases: true };
    return admin.call("PUT", makePath(from.account, from.contact), body);
  }));
  const [done, ...refused] = replies.toSorted((one, other) => one.status - other.status);
  assert.equal(done!.status, 200);
  assert.ok([404, 503].includes(refused[0]!.status), refused[0]!.text);
  const names = (await eventsSince(app, row)).map(({ name }) => name);
  assert.equal(names.filter((name) => name === "case_updated").length, 101);
  assert.deepEqual(await app.sql("select distinct account_id from cases"), [
    { account_id: done!.body.account.id },
  ]);
  assert.deepEqual(await app.sql("select name from leases where name like 'move:%'"), []);
});

Deno.test("an interrupted move blocks others for a few seconds", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const from = await newContact(admin);
  const [there, elsewhere] = [
    await newContact(admin, { account: "Navy" }),
    await newContact(admin, { account: "Mill" }),
  ];
  const [its] = await newCases(admin, from.contact.id, 1);
  const set = { id: "printf('00000000-0000-7000-8000-%012x', i)", case_number: "x.case_number + i" };
  await copy(app, "cases", `x.id = '${its.id}'`, set, 50);
  const { write } = app.deps.db;
  let commits = 0;
  app.deps.db.write = async (statements) => {
    if (++commits > 1) throw new Error("broken off");
    return await write.call(app.deps.db, statements);
  };
  const move = (to: Body, by = from) =>
    admin.call("PUT", makePath(by.account, by.contact), { account_id: to.account.id, with_cases: true });
  assert.equal((await move(there)).status, 500);
  app.deps.db.write = write;
  assert.equal((await move(elsewhere)).status, 503);
  app.clock.move(10_000);
  assert.equal((await move(elsewhere)).status, 200);
  assert.deepEqual(await app.sql("select distinct account_id from cases"), [
    { account_id: elsewhere.account.id },
  ]);
});

Deno.test("a case that is opened or reassigned while its contact moves ends at the right account", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  for (const what of ["opened", "given away"]) {
    const from = await newContact(admin);
    const there = await newContact(admin, { account: "Navy" });
    const [its] = await newCases(admin, from.contact.id, 1);
    const other = await newContact(admin, { account: "Mill" });
    const late = async () => {
      if (what === "opened") await newCases(admin, from.contact.id, 1);
      else await done(admin.call("PUT", `/v1/cases/${its.id}`, { contact_id: other.contact.id }));
    };
    const body = { account_id: there.account.id, with_cases: true };
    const reply = await callMeanwhile(app, admin, "PUT", makePath(from.account, from.contact), late, body);
    assert.equal(reply.status, 200);
    await reply.body?.cancel();
    const found = await app.sql("select account_id from cases where contact_id = ?", from.contact.id);
    const expected = what === "opened" ? [there.account.id, there.account.id] : [];
    assert.deepEqual(found.map(({ account_id }) => account_id), expected, what);
  }
});

Deno.test("with_cases must be true or false", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const { account, contact } = await newContact(admin);
  for (const path of [makePath(account, contact), `${makePath(account)}/contacts/by-external-id/x1`]) {
    const { status, body } = await admin.call("PUT", path, { with_cases: "yes" });
    assert.deepEqual([status, body.errors[0].path, body.errors[0].code], [422, "with_cases", "type"]);
  }
});

Deno.test("a new case without a team in body and caller gets the team of its account", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const [team, active] = [await company.team(), await company.team()];
  const colleague = await company.user({ teams: [active] });
  const path = await newPath(admin);
  const its = await newContact(admin, {}, { team_id: team });
  const open = async (by: Actor, contact: Body, more: object = {}) => {
    const body = { contact_id: contact.id, relations_path_id: path.id, ...more };
    return await by.call("POST", "/v1/cases", body);
  };
  const readTeam = async (reply: Promise<Reply>) => {
    const { body, status, text } = await reply;
    assert.equal(status, 201, text);
    return [body.team_id, body.team?.id ?? null, body.user.id];
  };
  assert.deepEqual(await readTeam(open(admin, its.contact)), [team, team, admin.id]);
  assert.deepEqual(await readTeam(open(admin, its.contact, { team_id: null })), [null, null, admin.id]);
  assert.deepEqual(await readTeam(open(admin, its.contact, { team_id: active })), [active, active, admin.id]);
  // A given user must belong to that team.
  const refused = await open(admin, its.contact, { user_id: colleague.id });
  assert.deepEqual([refused.status, refused.body.errors[0].path], [422, "user_id"]);
  assert.deepEqual(await readTeam(open(admin, its.contact, { user_id: admin.id })), [team, team, admin.id]);
  const shared = await newContact(admin, {}, { team_id: null });
  assert.deepEqual(await readTeam(open(colleague, shared.contact)), [active, active, colleague.id]);
  assert.deepEqual(await readTeam(open(admin, shared.contact)), [null, null, admin.id]);
  // The account of an unseen team reveals nothing and gets no case.
  const hidden = await open(await company.user({ active: null }), its.contact);
  assert.deepEqual([hidden.status, hidden.body.errors.map(({ path }: Body) => path)], [422, ["contact_id"]]);
  // A user who sees the case sees its account and contact.
  const { body: seen } = await open(admin, its.contact, { team_id: active });
  const shown = (await colleague.call("GET", `/v1/cases/${seen.id}`)).body;
  assert.deepEqual([shown.account.id, shown.contact.id], [its.account.id, its.contact.id]);
  assert.equal((await colleague.call("GET", makePath(its.account))).status, 404);
});
