import assert from "node:assert/strict";
import { type Actor, type Body, startApp } from "../support/app.ts";
import { callMeanwhile } from "../support/race.ts";
import { hour, put, tick } from "./leads_states.ts";
import { makeSales } from "./leads_world.ts";
import { newPath, readEvents } from "./parts.ts";

const at = (id: string) => `/v1/lead-types/${id}`;

/** Changes a lead type and compares the answer with GET. */
async function change(admin: Actor, id: string, body: unknown): Promise<Body> {
  const reply = await admin.call("PUT", at(id), body);
  assert.equal(reply.status, 200, reply.text);
  const got = await admin.call("GET", at(id));
  assert.equal(got.text, reply.text);
  assert.equal(got.headers.get("etag"), reply.headers.get("etag"));
  return reply.body;
}

Deno.test("a change of a lead type keeps absent members, and null clears optional ones", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin, dealer, member } = sales;
  const whole = {
    icon: "car",
    entity_type: "lead",
    team_id: dealer,
    escalation_ignore_weekends: true,
    escalation_user_ids: [admin.id],
    disabled: true,
    highlighted: true,
    team_settings: [{ team_id: dealer, relations_path_id: sales.path, user_id: member.id }],
  };
  const type = await sales.leadType(whole);
  const { body: before } = await admin.call("GET", at(type));
  app.clock.move(60_000);
  assert.deepEqual(await change(admin, type, { name: "Offer" }), {
    ...before,
    name: "Offer",
    updated_at: "2026-03-02 09:01:00",
  });
  const nothing = Object.fromEntries(Object.keys(whole).map((key) => [key, null]));
  const cleared = await change(admin, type, {
    ...nothing,
    escalation_accept: null,
    escalation_activity: null,
  });
  assert.deepEqual(cleared, {
    ...before,
    name: "Offer",
    icon: null,
    entity_type: "account",
    team_id: null,
    escalation_accept: null,
    escalation_activity: null,
    escalation_ignore_weekends: false,
    escalation_user_ids: [],
    disabled: false,
    highlighted: false,
    team_settings: [],
    updated_at: "2026-03-02 09:01:00",
  });
  for (const key of ["name", "relations_path_ids"]) {
    const refused = await admin.call("PUT", at(type), { [key]: null });
    assert.deepEqual([refused.status, refused.body.errors[0].path, refused.body.errors[0].code], [
      422,
      key,
      "required",
    ]);
  }
  const path = await newPath(admin);
  const swapped = await change(admin, type, { relations_path_ids: [path.id, sales.path] });
  assert.deepEqual(swapped.relations_paths.map(({ id }: Body) => id), [path.id, sales.path]);
});

Deno.test("an invalid change of a lead type is rejected with field and rule, and changes nothing", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin, dealer, member, company } = sales;
  const foreign = await app.company();
  const theirs = await newPath(foreign.admin);
  const other = await newPath(admin);
  const setting = { team_id: dealer, relations_path_id: sales.path, user_id: member.id };
  const type = await sales.leadType({ team_settings: [setting] });
  const gone = await company.user({ teams: [dealer] });
  await admin.call("DELETE", `/v1/companies/${company.id}/users/${gone.id}`);
  const { text: before } = await admin.call("GET", at(type));
  const faults: [unknown, string, string][] = [
    [{ name: " " }, "name", "min"],
    [{ relations_path_ids: [] }, "relations_path_ids", "min"],
    [{ relations_path_ids: [other.id, other.id] }, "relations_path_ids", "unique"],
    [{ relations_path_ids: [sales.path, theirs.id] }, "relations_path_ids[1]", "exists"],
    // A setting that stays names a removed path.
    [{ relations_path_ids: [other.id] }, "team_settings[0].relations_path_id", "exists"],
    [{ escalation_user_ids: [admin.id, foreign.admin.id] }, "escalation_user_ids[1]", "exists"],
    [{ escalation_user_ids: [gone.id] }, "escalation_user_ids[0]", "exists"],
    [{ escalation_user_ids: [admin.id, admin.id] }, "escalation_user_ids", "unique"],
    [{ escalation_accept: 0 }, "escalation_accept", "min"],
    [{ team_settings: [setting, { team_id: 999_999 }] }, "team_settings[1].team_id", "exists"],
    [{ team_settings: [setting, setting] }, "team_settings", "unique"],
    [{ team_settings: [{ ...setting, user_id: admin.id }] }, "team_settings[0].user_id", "exists"],
    [{ team_settings: [{ ...setting, user_id: gone.id }] }, "team_settings[0].user_id", "exists"],
    [
      { team_settings: [{ ...setting, relations_path_id: other.id }] },
      "team_settings[0].relations_path_id",
      "exists",
    ],
    [{ team_id: 999_999 }, "team_id", "exists"],
  ];
  for (const [body, where, code] of faults) {
    const refused = await admin.call("PUT", at(type), body);
    assert.equal(refused.status, 422, JSON.stringify(body));
    const found = refused.body.errors.find((error: Body) => error.path === where);
    assert.equal(found?.code, code, refused.text);
  }
  assert.equal((await admin.call("GET", at(type))).text, before);
});

Deno.test("a change may repeat the references of a lead type, also those that could not be added any more", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin, dealer, company } = sales;
  await admin.call("PUT", `/v1/companies/${company.id}/settings`, { teams_can_create_relations_paths: true });
  const teamAdmin = await company.user({ type: "team_admin", teams: [dealer] });
  const leaving = await company.user({ teams: [dealer] });
  const path = await newPath(admin);
  const names = {
    relations_path_ids: [path.id],
    team_settings: [{ team_id: dealer, relations_path_id: path.id, user_id: leaving.id }],
    escalation_user_ids: [leaving.id],
  };
  const type = await sales.leadType({ team_id: dealer, ...names });
  await admin.call("PUT", `/v1/companies/${company.id}/users/${leaving.id}`, { team_ids: [] });
  await admin.call("PUT", `/v1/relations-paths/${path.id}`, { team_id: await company.team() });
  const { body } = await teamAdmin.call("GET", at(type));
  const again = await teamAdmin.call("PUT", at(type), { ...body, ...names, name: "Offer" });
  assert.deepEqual([again.status, again.body.name, again.body.team_settings], [
    200,
    "Offer",
    names.team_settings,
  ]);
  const own = await newPath(admin, { team_id: dealer });
  const moved = { relations_path_ids: [own.id], team_settings: [] };
  assert.equal((await teamAdmin.call("PUT", at(type), moved)).status, 200);
  const back = await teamAdmin.call("PUT", at(type), names);
  assert.deepEqual(back.body.errors.map(({ path }: Body) => path), [
    "relations_path_ids[0]",
    "team_settings[0].user_id",
  ]);
});

Deno.test("a disabled lead type takes no new leads, keeps its leads, and can be enabled again", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin, type } = sales;
  const [running, other] = [await sales.lead(), await sales.lead({ lead_type_id: await sales.leadType() })];
  await change(admin, type, { disabled: true });
  for (
    const refused of [
      await admin.call("POST", "/v1/leads", sales.body()),
      await admin.call("PUT", `/v1/leads/${other.id}`, { lead_type_id: type }),
    ]
  ) {
    assert.deepEqual([refused.status, refused.body.errors[0].path], [422, "lead_type_id"]);
  }
  const kept = await admin.call("PUT", `/v1/leads/${running.id}`, { lead_type_id: type, interest: "Van" });
  assert.deepEqual([kept.status, kept.body.lead_type.disabled], [200, true]);
  const made = await callMeanwhile(
    app,
    admin,
    "POST",
    "/v1/leads",
    () => change(admin, type, { disabled: false }),
    sales.body(),
  );
  assert.equal(made.status, 422, "it was disabled before the lead was created");
  assert.equal((await admin.call("POST", "/v1/leads", sales.body())).status, 201);
  const disable = () => change(admin, type, { disabled: true });
  const late = await callMeanwhile(app, admin, "POST", "/v1/leads", disable, sales.body());
  assert.equal(late.status, 422, "it is disabled while the lead keeps its type");
  app.clock.move(2 * hour);
  assert.ok(await tick(sales) > 0);
  assert.equal((await admin.call("GET", `/v1/leads/${running.id}`)).body.status, "escalated");
});

Deno.test("a change of a type keeps running countdowns and applies to new ones", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin, type } = sales;
  const lead = await sales.lead();
  assert.equal(lead.escalates_at, "2026-03-02 10:00:00");
  await change(admin, type, {
    escalation_accept: 5,
    escalation_activity: 10,
    escalation_ignore_weekends: true,
  });
  const now = async () => (await admin.call("GET", `/v1/leads/${lead.id}`)).body;
  assert.deepEqual([(await now()).escalates_at, (await now()).lead_type.escalation_accept], [
    lead.escalates_at,
    5,
  ]);
  app.clock.move(hour - 1000);
  assert.equal(await tick(sales), 0);
  assert.equal((await put(sales, "member", lead.id, "/accept")).body.escalates_at, "2026-03-02 10:09:59");
  await change(admin, type, { escalation_activity: null });
  assert.equal((await now()).escalates_at, "2026-03-02 10:09:59");
  assert.equal((await sales.lead()).escalates_at, "2026-03-02 10:04:59");
});

Deno.test("a lead type and its leads show the present path, also in the event of a concurrent change", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin, type } = sales;
  const lead = await sales.lead();
  const { headers } = await admin.call("GET", at(type));
  const rename = (name: string) => admin.call("PUT", `/v1/relations-paths/${sales.path}`, { name });
  const { body: path } = await rename("Vans");
  const shown = await admin.call("GET", at(type));
  assert.deepEqual(shown.body.relations_paths, [path]);
  assert.notEqual(shown.headers.get("etag"), headers.get("etag"));
  for (
    const [method, address, body, event] of [
      ["PUT", `/v1/leads/${lead.id}`, { interest: "Van" }, "lead_updated"],
      ["PUT", `/v1/leads/${lead.id}/accept`, { user_id: sales.member.id }, "lead_accepted"],
    ] as const
  ) {
    const name = `As of ${event}`;
    const reply = await callMeanwhile(app, admin, method, address, () => rename(name), body);
    const answer = await reply.json();
    assert.equal(answer.lead_type.relations_paths[0].name, name);
    assert.deepEqual((await readEvents(app)).findLast((one) => one.name === event)!.body, answer);
  }
  const change = await callMeanwhile(app, admin, "PUT", at(type), () => rename("Last"), { icon: "car" });
  assert.equal((await change.json()).relations_paths[0].name, "Last");
});

Deno.test("filters find leads by the new name of their type", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin, type } = sales;
  await sales.lead();
  const listFound = async (value: string) => {
    const { body } = await admin.call("POST", "/v1/contacts/filter", {
      filter: [{ field: "lead.lead_type", operator: "eq", value }],
    });
    return body.pagination.total;
  };
  await put(sales, "member", (await sales.lead()).id, "/accept");
  await change(admin, type, { name: "ÜBERFÜHRUNG" });
  assert.deepEqual([await listFound("überführung"), await listFound("Test drive")], [1, 0]);
});

Deno.test("two concurrent changes of a lead type are both applied, and If-Match rejects a stale one", async () => {
  await using app = await startApp();
  const { admin, type } = await makeSales(app);
  const first = () => change(admin, type, { name: "First" });
  const second = await callMeanwhile(app, admin, "PUT", at(type), first, { icon: "van" });
  const body = await second.json();
  assert.deepEqual([second.status, body.name, body.icon], [200, "First", "van"]);
  await change(admin, type, { name: "Last" });
  for (const method of ["PUT", "DELETE"]) {
    const headers = { "If-Match": second.headers.get("etag")! };
    assert.equal((await admin.call(method, at(type), { name: "x" }, headers)).status, 412, method);
  }
});
