import assert from "node:assert/strict";
import { type Actor, type Body, startApp, type TestApp } from "../support/app.ts";
import { callMeanwhile } from "../support/race.ts";
import { newCase, newContact, newPath, readEvents } from "./parts.ts";

/** A company with a team of two, and a case of the first. */
async function pair(app: TestApp) {
  const company = await app.company();
  const { admin } = company;
  const team = await company.team();
  const [member, colleague] = [await company.user({ teams: [team] }), await company.user({ teams: [team] })];
  const path = await newPath(admin);
  return { company, admin, team, member, colleague, path, made: await newCase(member, path) };
}

const makeUserPath = (admin: Actor, { id }: Actor) => `/v1/companies/${admin.companyId}/users/${id}`;

async function rename(admin: Actor, user: Actor, first_name: string): Promise<void> {
  const renamed = await admin.call("PUT", makeUserPath(admin, user), { first_name });
  assert.equal(renamed.status, 200, renamed.text);
}

async function readRefusal(answer: Response): Promise<string> {
  const body: Body = await answer.json();
  return [answer.status, ...(body.errors ?? []).map(({ path, code }: Body) => `${path} ${code}`)].join(" ");
}

Deno.test("a case is not assigned to a user who leaves its team meanwhile", async () => {
  await using app = await startApp();
  const { admin, team, member, colleague, made } = await pair(app);
  const answer = await callMeanwhile(app, member, "PUT", `/v1/cases/${made.id}`, async () => {
    const left = await admin.call("PUT", makeUserPath(admin, colleague), { team_ids: [] });
    assert.equal(left.status, 200, left.text);
  }, { user_id: colleague.id });
  assert.equal(await readRefusal(answer), "422 user_id exists");
  const { body } = await member.call("GET", `/v1/cases/${made.id}`);
  assert.deepEqual([body.user.id, body.team_id], [member.id, team]);
});

Deno.test("a case is not assigned to a team that its user leaves meanwhile", async () => {
  await using app = await startApp();
  const { company, admin, team, path } = await pair(app);
  const south = await company.team();
  const both = await company.user({ teams: [team, south] });
  const made = await newCase(both, path);
  const answer = await callMeanwhile(app, admin, "PUT", `/v1/cases/${made.id}`, async () => {
    const left = await admin.call("PUT", makeUserPath(admin, both), { team_ids: [team] });
    assert.equal(left.status, 200, left.text);
  }, { team_id: south });
  assert.equal(await readRefusal(answer), "422 team_id exists");
});

Deno.test("a shared case is not assigned to a user who is deleted meanwhile or does not exist", async () => {
  await using app = await startApp();
  const { admin, member, colleague, made } = await pair(app);
  const at = `/v1/cases/${made.id}`;
  assert.equal((await member.call("PUT", at, { team_id: null })).status, 200);
  const answer = await callMeanwhile(app, member, "PUT", at, async () => {
    assert.equal((await admin.call("DELETE", makeUserPath(admin, colleague))).status, 204);
  }, { user_id: colleague.id });
  assert.equal(await readRefusal(answer), "422 user_id exists");
  const foreign = await app.company();
  for (const user_id of [colleague.id, foreign.admin.id, 999_999]) {
    const { status, body } = await member.call("PUT", at, { user_id });
    assert.deepEqual([status, body.errors?.[0]?.path, body.errors?.[0]?.code], [422, "user_id", "exists"]);
  }
});

Deno.test("the answer has the present name of the new user", async () => {
  await using app = await startApp();
  const { admin, member, colleague, made } = await pair(app);
  await rename(admin, colleague, "Emmy");
  const answer = await callMeanwhile(
    app,
    member,
    "PUT",
    `/v1/cases/${made.id}`,
    () => rename(admin, colleague, "Sofia"),
    { user_id: colleague.id },
  );
  const text = await answer.text();
  assert.equal(JSON.parse(text).user.name.split(" ")[0], "Sofia");
  assert.equal(text, (await member.call("GET", `/v1/cases/${made.id}`)).text);
});

Deno.test("the last activity of contacts follows a case", async () => {
  await using app = await startApp();
  const { member, made, path } = await pair(app);
  const { contact } = await newContact(member);
  app.clock.move(3_600_000);
  const activity = { activity_type_ids: [path.types.Offer] };
  assert.equal((await member.call("POST", `/v1/cases/${made.id}/activities`, activity)).status, 201);
  app.clock.move(3_600_000);
  assert.equal((await member.call("PUT", `/v1/cases/${made.id}`, { contact_id: contact.id })).status, 200);
  const last = async ({ id }: Body) =>
    (await app.sql("select last_activity_at from contacts where id = ?", id))[0]!.last_activity_at;
  assert.deepEqual([await last(contact), await last(made.contact)], [
    "2026-03-02 10:00:00",
    "2026-03-02 09:00:00",
  ]);
});

Deno.test("the answer to a change of a case has only fields that the caller sees", async () => {
  await using app = await startApp();
  const { company, admin, member, made } = await pair(app);
  const elsewhere = await company.team();
  const chief = await company.user({ type: "team_admin", teams: [elsewhere] });
  const field = await chief.call("POST", "/v1/fields/account", {
    label: "Secret",
    type: "text",
    team_id: elsewhere,
  });
  assert.equal(field.status, 201, field.text);
  const at = `/v1/cases/${made.id}`;
  for (
    const [path, body] of [
      [at, {}],
      [`${at}/chance_of_success`, { chance_of_success: 3 }],
      [`${at}/decline`, { reason: "No" }],
    ] as const
  ) {
    const changed = await member.call("PUT", path, body);
    assert.equal(changed.text, (await member.call("GET", at)).text);
    assert.deepEqual(changed.body.account.custom_fields, []);
    assert.equal((await admin.call("GET", at)).body.account.custom_fields.length, 1);
  }
});

Deno.test("no case is opened for or moved to a customer that is being deleted", async () => {
  await using app = await startApp();
  const { admin, member, made, path } = await pair(app);
  const { account, contact } = await newContact(member);
  // The state between the steps of a large deletion.
  await app.deps.db.write([{
    sql:
      "insert into staged_work (kind, subject, company_id, created_at) values ('account_removal', ?, ?, '')",
    args: [account.id, admin.companyId],
  }]);
  const calls = [
    ["PUT", `/v1/cases/${made.id}`, { contact_id: contact.id }],
    ["POST", "/v1/cases", { contact_id: contact.id, relations_path_id: path.id }],
  ] as const;
  for (const [method, to, sent] of calls) {
    const { status, body } = await admin.call(method, to, sent);
    assert.deepEqual([status, body.errors?.[0]?.path, body.errors?.[0]?.code], [422, "contact_id", "exists"]);
  }
});

Deno.test("two concurrent changes of a case are both applied, each with an event that equals its answer", async () => {
  await using app = await startApp();
  const { member, colleague, made } = await pair(app);
  const at = `/v1/cases/${made.id}`;
  const known = (await readEvents(app)).length;
  let first = "";
  const second = await callMeanwhile(app, member, "PUT", `${at}/chance_of_success`, async () => {
    const dated = await colleague.call("PUT", `${at}/estimated_close_date`, { date: "2026-04-01" });
    assert.equal(dated.status, 200);
    first = dated.text;
  }, { chance_of_success: 42 });
  const text = await second.text();
  const { chance_of_success, estimated_close_date } = JSON.parse(text);
  assert.deepEqual([second.status, chance_of_success, estimated_close_date], [200, 42, "2026-04-01"]);
  assert.equal((await member.call("GET", at)).text, text);
  const reported = (await readEvents(app)).slice(known);
  assert.deepEqual(reported, [first, text].map((body) => ({ name: "case_updated", body: JSON.parse(body) })));
});

Deno.test("the answer and event of a case have the present customer, team and path", async () => {
  await using app = await startApp();
  const { admin, member, team, path, made } = await pair(app);
  const at = `/v1/cases/${made.id}`;
  const account = `/v1/accounts/${made.account.id}`;
  const makeNamed = (name: string, value: string) => ({ fixed_fields: [{ name, value }] });
  const changes = [
    [account, makeNamed("name", "Boats")],
    [`${account}/contacts/${made.contact.id}`, makeNamed("last_name", "Noether")],
    [`/v1/relations-paths/${path.id}`, { name: "Used cars" }],
    [`/v1/teams/${team}`, { name: "Harbour" }],
  ] as const;
  for (const [index, [what, change]] of changes.entries()) {
    const answer = await callMeanwhile(app, member, "PUT", `${at}/chance_of_success`, async () => {
      const changed = await admin.call("PUT", what, change);
      assert.equal(changed.status, 200, changed.text);
    }, { chance_of_success: 42 + index });
    const text = await answer.text();
    assert.equal((await member.call("GET", at)).text, text, what);
    assert.deepEqual((await readEvents(app)).at(-1)!.body, JSON.parse(text), what);
  }
});

Deno.test("a case can be backdated, which lists respect, and never postdated", async () => {
  await using app = await startApp();
  const { member, path, made } = await pair(app);
  const old = await newCase(member, path, { created_at: "2020-02-29T01:00:00+01:00" });
  assert.deepEqual([old.created_at, old.updated_at, old.case_number], [
    "2020-02-29 00:00:00",
    "2026-03-02 09:00:00",
    2,
  ]);
  const list = async (query = "") =>
    (await member.call("GET", `/v1/cases?${query}`)).body.data.map(({ id }: Body) => id);
  assert.deepEqual(await list(), [old.id, made.id]);
  assert.deepEqual(await list("end_at=2021-01-01%2000:00:00"), [old.id]);
  const ahead = await member.call("POST", "/v1/cases", {
    contact_id: made.contact.id,
    relations_path_id: path.id,
    created_at: "2026-03-02 09:00:01",
  });
  assert.deepEqual([ahead.status, ahead.body.errors[0].path, ahead.body.errors[0].code], [
    422,
    "created_at",
    "before",
  ]);
});

Deno.test("no case is opened for a user who leaves its team meanwhile", async () => {
  await using app = await startApp();
  const { admin, team, member, colleague, path, made } = await pair(app);
  const body = { contact_id: made.contact.id, relations_path_id: path.id, team_id: team };
  const answer = await callMeanwhile(app, member, "POST", "/v1/cases", async () => {
    const left = await admin.call("PUT", makeUserPath(admin, colleague), { team_ids: [] });
    assert.equal(left.status, 200, left.text);
  }, { ...body, user_id: colleague.id });
  assert.equal(await readRefusal(answer), "422 user_id exists");
});

Deno.test("among cases without activity the last changed is the most recent", async () => {
  await using app = await startApp();
  const { member, path, made } = await pair(app);
  app.clock.move(60_000);
  const newer = await newCase(member, path);
  const recent = async () =>
    (await member.call("GET", "/v1/cases?sort_mode=recent")).body.data.map(({ id }: Body) => id);
  assert.deepEqual(await recent(), [newer.id, made.id]);
  app.clock.move(60_000);
  const dated = await member.call("PUT", `/v1/cases/${made.id}/estimated_close_date`, { date: "2026-04-01" });
  assert.equal(dated.status, 200);
  assert.deepEqual(await recent(), [made.id, newer.id]);
});
