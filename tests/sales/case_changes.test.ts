import assert from "node:assert/strict";
import { Case } from "../../src/sales/cases/schema.ts";
import { type Body, startApp, type TestApp } from "../support/app.ts";
import { newCase, newContact, newPath, readEvents } from "./parts.ts";

/** A company with two teams, a member of each, one of both, and a case of the first. */
async function sales(app: TestApp) {
  const company = await app.company();
  const [north, south] = [await company.team(), await company.team()];
  const [member, other] = [
    await company.user({ teams: [north] }),
    await company.user({ teams: [south] }),
  ];
  const both = await company.user({ teams: [north, south] });
  const path = await newPath(company.admin);
  const made = await newCase(member, path);
  return { company, admin: company.admin, north, south, member, other, both, path, made };
}

const lastActivity = async (app: TestApp, { id }: Body) =>
  (await app.sql("select last_activity_at from accounts where id = ?", id))[0]!.last_activity_at;

Deno.test("a case changes user, team and contact in all views, and keeps its path", async () => {
  await using app = await startApp();
  const { admin, south, both, made, path } = await sales(app);
  const activity = { activity_type_ids: [path.types.Offer], created_at: "2026-03-02 09:00:00" };
  assert.equal((await admin.call("POST", `/v1/cases/${made.id}/activities`, activity)).status, 201);
  const { account, contact } = await newContact(admin, { account: "Boats", last: "Noether" });
  assert.equal(contact.status, "lead");
  app.clock.move(60_000);
  const before = (await readEvents(app)).length;
  const { status, body, text } = await both.call("PUT", `/v1/cases/${made.id}`, {
    user_id: both.id,
    team_id: south,
    contact_id: contact.id,
    relations_path_id: (await newPath(admin)).id,
    stock_vehicle_id: account.id,
    created_at: "2026-02-01 00:00:00",
  });
  assert.equal(status, 200, text);
  assert.equal(Case.strict().safeParse(body).error, undefined);
  assert.deepEqual([body.user.id, body.team_id, body.team.id], [both.id, south, south]);
  assert.deepEqual([body.account.id, body.contact.id, body.contact.status], [
    account.id,
    contact.id,
    "opportunity",
  ]);
  assert.deepEqual([body.relations_path.id, body.stock_vehicle_id], [path.id, account.id]);
  assert.deepEqual([body.created_at, body.updated_at], [made.created_at, "2026-03-02 09:01:00"]);
  assert.equal((await both.call("GET", `/v1/cases/${made.id}`)).text, text);
  const events = (await readEvents(app)).slice(before);
  assert.deepEqual(events.map(({ name }) => name), ["contact_updated", "case_updated"]);
  assert.deepEqual(events[1]!.body, body);
  assert.deepEqual(events[0]!.body, (await both.call("GET", `/v1/contacts/${contact.id}`)).body);
  // Search and lists use the new names only.
  const listFound = async (query: string) => (await admin.call("GET", `/v1/cases?${query}`)).body.data;
  assert.deepEqual([(await listFound("search=engines")).length, (await listFound("search=hopper")).length], [
    0,
    0,
  ]);
  const [entry] = await listFound("search=boats%20noether");
  assert.deepEqual(entry.account, { id: account.id, name: "Boats" });
  assert.deepEqual(entry.contact, { id: contact.id, name: "Grace Noether" });
  // Its activities count for the new customer.
  app.clock.move(60_000);
  assert.equal(await lastActivity(app, account), "2026-03-02 09:00:00");
  assert.equal(await lastActivity(app, made.account), made.account.created_at);
});

Deno.test("the last activity of the account follows a case in both directions", async () => {
  await using app = await startApp();
  const { admin, made, path } = await sales(app);
  app.clock.move(3_600_000);
  await admin.call("POST", `/v1/cases/${made.id}/activities`, { activity_type_ids: [path.types.Offer] });
  const { account, contact } = await newContact(admin);
  app.clock.move(3_600_000);
  for (
    const [to, there, here] of [
      [contact.id, "2026-03-02 10:00:00", "2026-03-02 09:00:00"],
      [made.contact.id, "2026-03-02 10:00:00", "2026-03-02 10:00:00"],
    ]
  ) {
    const reply = await admin.call("PUT", `/v1/cases/${made.id}`, { contact_id: to });
    assert.equal(reply.status, 200, reply.text);
    assert.deepEqual([await lastActivity(app, account), await lastActivity(app, made.account)], [
      there,
      here,
    ]);
  }
});

Deno.test("absent members stay; a null team shares the case, a null vehicle is cleared", async () => {
  await using app = await startApp();
  const { member, made, company } = await sales(app);
  const put = async (body: object) => (await member.call("PUT", `/v1/cases/${made.id}`, body)).body;
  const vehicle = made.account.id;
  app.clock.move(60_000);
  const named = await put({ stock_vehicle_id: vehicle });
  assert.deepEqual(named, { ...made, stock_vehicle_id: vehicle, updated_at: "2026-03-02 09:01:00" });
  assert.deepEqual(await put({}), named);
  const shared = await put({ team_id: null, stock_vehicle_id: null });
  assert.deepEqual(shared, { ...named, team_id: null, team: null, stock_vehicle_id: null });
  const stranger = await company.user({ teams: [await company.team()] });
  assert.equal((await stranger.call("GET", `/v1/cases/${made.id}`)).status, 200);
});

Deno.test("an invalid change of a case is rejected with field and rule, and changes nothing", async () => {
  await using app = await startApp();
  const { company, admin, north, south, member, other, both, made } = await sales(app);
  const foreign = await app.company();
  const { contact: theirs } = await newContact(other);
  const { contact: abroad } = await newContact(foreign.admin);
  const before = (await readEvents(app)).length;
  const faults: [unknown, string, string][] = [
    [{ user_id: null }, "user_id", "required"],
    [{ user_id: "x" }, "user_id", "type"],
    [{ user_id: other.id }, "user_id", "exists"],
    [{ user_id: foreign.admin.id }, "user_id", "exists"],
    [{ user_id: admin.id }, "user_id", "exists"],
    [{ team_id: south }, "team_id", "exists"],
    [{ team_id: south, user_id: other.id }, "team_id", "exists"],
    [{ team_id: await foreign.team() }, "team_id", "exists"],
    [{ contact_id: null }, "contact_id", "required"],
    [{ contact_id: "x" }, "contact_id", "type"],
    [{ contact_id: theirs.id }, "contact_id", "exists"],
    [{ contact_id: abroad.id }, "contact_id", "exists"],
    [{ contact_id: made.account.id }, "contact_id", "exists"],
    [{ stock_vehicle_id: 5 }, "stock_vehicle_id", "type"],
    [{ notify_user: "yes" }, "notify_user", "type"],
  ];
  const assertRefused = async (who: typeof member, sent: unknown, where: string, code: string) => {
    const { status, body, text } = await who.call("PUT", `/v1/cases/${made.id}`, sent);
    assert.equal(status, 422, JSON.stringify(sent));
    assert.deepEqual(body.errors.map((error: Body) => [error.path, error.code]), [[where, code]], text);
  };
  for (const [sent, where, code] of faults) await assertRefused(member, sent, where, code);
  // A team that the caller may use, but not the user of the case.
  await assertRefused(both, { team_id: south }, "team_id", "exists");
  await assertRefused(both, { team_id: south, user_id: member.id }, "team_id", "exists");
  await assertRefused(admin, { team_id: south, user_id: company.admin.id }, "user_id", "exists");
  assert.deepEqual((await admin.call("GET", `/v1/cases/${made.id}`)).body, made);
  assert.equal((await readEvents(app)).length, before);
  const given = await both.call("PUT", `/v1/cases/${made.id}`, { team_id: south, user_id: other.id });
  assert.deepEqual([given.status, given.body.team_id, given.body.user.id], [200, south, other.id]);
  assert.equal((await member.call("PUT", `/v1/cases/${made.id}`, { team_id: north })).status, 404);
});

Deno.test("only an open case can be declined; any other is 409 case_state and changes nothing", async () => {
  await using app = await startApp();
  const { member, path } = await sales(app);
  for (
    const [type, status, code] of [
      [null, 200, undefined],
      ["Offer", 200, undefined],
      ["Reopened", 200, undefined],
      ["Sold", 409, "case_state"],
      ["Lost", 409, "case_state"],
    ] as const
  ) {
    const made = await newCase(member, path);
    if (type !== null) {
      const body = { activity_type_ids: [path.types[type]] };
      assert.equal((await member.call("POST", `/v1/cases/${made.id}/activities`, body)).status, 201);
    }
    const before = await member.call("GET", `/v1/cases/${made.id}`);
    const sent = (await readEvents(app)).length;
    const declined = await member.call("PUT", `/v1/cases/${made.id}/decline`, { reason: "Too dear" });
    assert.deepEqual([declined.status, declined.body.code], [status, code], `${type}`);
    const after = await member.call("GET", `/v1/cases/${made.id}`);
    assert.equal(after.text, status === 200 ? declined.text : before.text);
    assert.equal((await readEvents(app)).length, sent + (status === 200 ? 1 : 0));
  }
});

Deno.test("a decline creates no activity, stores the reason, and sends case_declined", async () => {
  await using app = await startApp();
  const { member, made, path } = await sales(app);
  app.clock.move(60_000);
  const before = (await readEvents(app)).length;
  const { body } = await member.call("PUT", `/v1/cases/${made.id}/decline`, { reason: "Bought elsewhere" });
  assert.deepEqual([body.status, body.decline_reason, body.activity_count], [
    "declined",
    "Bought elsewhere",
    0,
  ]);
  assert.equal(body.updated_at, "2026-03-02 09:01:00");
  const events = (await readEvents(app)).slice(before);
  assert.deepEqual(events, [{ name: "case_declined", body }]);
  const changes = () =>
    app.sql(
      "select at, from_status, to_status, reason, user_id from case_status_changes where case_id = ? order by id",
      made.id,
    );
  const kept = {
    at: "2026-03-02 09:01:00",
    from_status: "open",
    to_status: "declined",
    reason: "Bought elsewhere",
    user_id: member.id,
  };
  assert.deepEqual(await changes(), [kept]);
  // Reopened, the case has no reason; its timeline keeps it.
  const reopened = { activity_type_ids: [path.types.Reopened] };
  assert.equal((await member.call("POST", `/v1/cases/${made.id}/activities`, reopened)).status, 201);
  const again = (await member.call("GET", `/v1/cases/${made.id}`)).body;
  assert.deepEqual([again.status, again.decline_reason], ["open", null]);
  assert.deepEqual((await changes())[0], kept);
  const timeline = (await member.call("GET", `/v1/cases/${made.id}/timeline`)).body.data;
  const declined = timeline.find(({ data }: Body) => data.to === "declined");
  assert.deepEqual([declined.type, declined.occurred_at, declined.data.reason, declined.data.user.id], [
    "status_change",
    kept.at,
    "Bought elsewhere",
    member.id,
  ]);
  for (
    const [sent, code] of [[{}, "required"], [{ reason: null }, "required"], [{ reason: "" }, "min"], [
      { reason: "x".repeat(65_536) },
      "max",
    ]] as const
  ) {
    const refused = await member.call("PUT", `/v1/cases/${made.id}/decline`, sent);
    assert.deepEqual([refused.status, refused.body.errors[0].path, refused.body.errors[0].code], [
      422,
      "reason",
      code,
    ]);
  }
});

Deno.test("of twenty concurrent declines one succeeds, and nineteen are 409", async () => {
  await using app = await startApp();
  const { member, admin, made } = await sales(app);
  const replies = await Promise.all(
    Array.from(
      { length: 20 },
      (_, n) => (n % 2 ? member : admin).call("PUT", `/v1/cases/${made.id}/decline`, { reason: `${n}` }),
    ),
  );
  const outcomes = replies.map(({ status, body }) => (status === 200 ? "declined" : body.code)).sort();
  assert.deepEqual(outcomes, [...Array(19).fill("case_state"), "declined"]);
  assert.equal((await readEvents(app)).filter(({ name }) => name === "case_declined").length, 1);
  assert.equal((await app.sql("select count(*) as n from case_status_changes"))[0]!.n, 1);
});

Deno.test("the chance of success is set from 0 to 100, and then follows the next highest milestone", async () => {
  await using app = await startApp();
  const { member, made, path } = await sales(app);
  const put = (chance_of_success: unknown) =>
    member.call("PUT", `/v1/cases/${made.id}/chance_of_success`, { chance_of_success });
  for (const chance of [100, 0, 35]) {
    const { status, body, text } = await put(chance);
    assert.deepEqual([status, body.chance_of_success], [200, chance]);
    assert.equal((await member.call("GET", `/v1/cases/${made.id}`)).text, text);
    assert.deepEqual((await readEvents(app)).at(-1), { name: "case_updated", body });
  }
  for (
    const [chance, code] of [[-1, "min"], [101, "max"], [1.5, "type"], ["5", "type"], [null, "required"]]
  ) {
    const { status, body } = await put(chance);
    assert.deepEqual([status, body.errors[0].path, body.errors[0].code], [422, "chance_of_success", code]);
  }
  await member.call("POST", `/v1/cases/${made.id}/activities`, { activity_type_ids: [path.types.Offer] });
  const after = (await member.call("GET", `/v1/cases/${made.id}`)).body;
  assert.equal(after.chance_of_success, 60);
  assert.equal((await put(20)).body.chance_of_success, 20);
});

Deno.test("the estimated close date is set", async () => {
  await using app = await startApp();
  const { member, made } = await sales(app);
  const put = (date: unknown) => member.call("PUT", `/v1/cases/${made.id}/estimated_close_date`, { date });
  const { status, body, text } = await put("2028-02-29");
  assert.deepEqual([status, body.estimated_close_date], [200, "2028-02-29"]);
  assert.equal((await member.call("GET", `/v1/cases/${made.id}`)).text, text);
  assert.deepEqual((await readEvents(app)).at(-1), { name: "case_updated", body });
  for (
    const [date, code] of [["2026-02-29", "format"], ["2026-02-01 00:00:00", "format"], [null, "required"]]
  ) {
    const refused = await put(date);
    assert.deepEqual([refused.status, refused.body.errors[0].path, refused.body.errors[0].code], [
      422,
      "date",
      code,
    ]);
  }
});

Deno.test("If-Match limits each change and the deletion of a case to its version", async () => {
  await using app = await startApp();
  const { admin, made } = await sales(app);
  const path = `/v1/cases/${made.id}`;
  const old = (await admin.call("GET", path)).headers.get("etag")!;
  assert.equal((await admin.call("PUT", path, { stock_vehicle_id: made.id })).status, 200);
  const calls: [string, string, unknown][] = [
    ["PUT", path, {}],
    ["PUT", `${path}/chance_of_success`, { chance_of_success: 1 }],
    ["PUT", `${path}/estimated_close_date`, { date: "2026-06-30" }],
    ["PUT", `${path}/decline`, { reason: "No" }],
    ["DELETE", path, undefined],
  ];
  for (const [method, where, body] of calls) {
    assert.equal((await admin.call(method, where, body, { "If-Match": old })).status, 412, where);
  }
  for (const [method, where, body] of calls) {
    const etag = (await admin.call("GET", path)).headers.get("etag")!;
    app.clock.move(1000);
    const { status } = await admin.call(method, where, body, { "If-Match": etag });
    assert.equal(status, method === "DELETE" ? 204 : 200, where);
  }
});
