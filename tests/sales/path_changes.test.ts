import assert from "node:assert/strict";
import { type Actor, type Body, startApp } from "../support/app.ts";
import { callMeanwhile } from "../support/race.ts";
import { newCase, newPath, readEvents } from "./parts.ts";

const at = (id: string) => `/v1/relations-paths/${id}`;
const names = (types: Body[]) => types.map(({ name }) => name);

/** Changes a path and compares the answer with GET. */
async function change(admin: Actor, id: string, body: unknown): Promise<Body> {
  const reply = await admin.call("PUT", at(id), body);
  assert.equal(reply.status, 200, reply.text);
  const got = await admin.call("GET", at(id));
  assert.equal(got.text, reply.text);
  assert.equal(got.headers.get("etag"), reply.headers.get("etag"));
  return reply.body;
}

Deno.test("a change of a path keeps absent members, and null clears optional ones", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const team = await company.team();
  const path = await newPath(admin, { team_id: team });
  const { body: before } = await admin.call("GET", at(path.id));
  app.clock.move(60_000);
  const renamed = await change(admin, path.id, { name: "Used cars" });
  assert.deepEqual(renamed, { ...before, name: "Used cars", updated_at: "2026-03-02 09:01:00" });
  const cleared = await change(admin, path.id, { team_id: null, is_sales_type: null });
  assert.deepEqual([cleared.team_id, cleared.is_sales_type, cleared.name], [null, false, "Used cars"]);
  for (
    const [body, where] of [
      [{ name: null }, "name"],
      [{ activity_types: null }, "activity_types"],
      [{ activity_types: { milestones: null } }, "activity_types.milestones"],
    ] as const
  ) {
    const refused = await admin.call("PUT", at(path.id), body);
    assert.deepEqual([refused.status, refused.body.errors[0].path, refused.body.errors[0].code], [
      422,
      where,
      "required",
    ]);
  }
});

Deno.test("activity types with an id are changed, without are created, and missing ones are retired", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const path = await newPath(admin);
  const { body: before } = await admin.call("GET", at(path.id));
  const [contacted, offer] = before.activity_types.milestones;
  const { activity_types: after } = await change(admin, path.id, {
    activity_types: {
      milestones: [
        { id: offer.id, name: "Quote", chance_of_success: null },
        { name: "Test drive", type: "test_drive" },
        { id: contacted.id },
      ],
    },
  });
  const [quote, drive, kept] = after.milestones;
  assert.deepEqual(quote, { ...offer, name: "Quote", chance_of_success: null, sort_order: 1 });
  assert.deepEqual([drive.name, drive.type, drive.sort_order], ["Test drive", "test_drive", 2]);
  assert.ok(![offer.id, contacted.id].includes(drive.id));
  assert.deepEqual(kept, { ...contacted, sort_order: 3 });
  assert.equal(after.milestones.length, 3);
  assert.deepEqual(after.supportive, before.activity_types.supportive, "a list that is absent stays");
  const emptied = await change(admin, path.id, { activity_types: { supportive: null } });
  assert.deepEqual(emptied.activity_types, { milestones: after.milestones, supportive: [] });
});

Deno.test("the rank of an activity type is its sort_order, or its place in the list", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const path = await newPath(admin);
  const { Contacted, Offer, Sold } = path.types;
  const turned = await change(admin, path.id, {
    activity_types: { milestones: [{ id: Sold }, { id: Offer }, { id: Contacted }] },
  });
  assert.deepEqual(names(turned.activity_types.milestones), ["Sold", "Offer", "Contacted"]);
  const ranked = await change(admin, path.id, {
    activity_types: {
      milestones: [{ id: Sold, sort_order: 9 }, { name: "New", sort_order: 9 }, {
        id: Offer,
        sort_order: -1,
      }],
    },
  });
  assert.deepEqual(names(ranked.activity_types.milestones), ["Offer", "Sold", "New"]);
});

Deno.test("an extra step is renamed by its id, replaced without one, and removed by null", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const path = await newPath(admin);
  const step = async (extra_step: unknown) => {
    const milestones = [{ id: path.types.Offer, ...(extra_step === undefined ? {} : { extra_step }) }];
    return (await change(admin, path.id, { activity_types: { milestones } })).activity_types.milestones[0]
      .extra_step;
  };
  assert.deepEqual(await step({ id: path.extraStep, name: "Sent" }), { id: path.extraStep, name: "Sent" });
  assert.deepEqual(await step(undefined), { id: path.extraStep, name: "Sent" });
  const other = await step({ name: "Stamped" });
  assert.equal(other.name, "Stamped");
  assert.notEqual(other.id, path.extraStep);
  assert.equal(await step(null), null);
});

Deno.test("an invalid change of a path is rejected with field and rule, and changes nothing", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const [path, other] = [await newPath(admin), await newPath(admin)];
  const foreign = await newPath((await app.company()).admin);
  const { Contacted, Offer, Lost, Call } = path.types;
  await newCase(admin, path).then(({ id }) =>
    admin.call("POST", `/v1/cases/${id}/activities`, { activity_type_ids: [Lost] })
  );
  await change(admin, path.id, { activity_types: { milestones: [{ id: Contacted }, { id: Offer }] } });
  const { text: before } = await admin.call("GET", at(path.id));
  const milestones = (...list: unknown[]) => ({ activity_types: { milestones: list } });
  const first = "activity_types.milestones[0]";
  const faults: [unknown, string, string][] = [
    [{ name: "" }, "name", "min"],
    [milestones(), "activity_types.milestones", "min"],
    [milestones({}), `${first}.name`, "required"],
    [milestones({ id: Offer, name: null }), `${first}.name`, "required"],
    [milestones({ id: "x" }), `${first}.id`, "type"],
    [milestones({ id: Lost }), `${first}.id`, "exists"],
    [milestones({ id: other.types.Offer }), `${first}.id`, "exists"],
    [milestones({ id: foreign.types.Offer, name: "x" }), `${first}.id`, "exists"],
    [milestones({ id: Call }), `${first}.id`, "exists"],
    [
      { activity_types: { supportive: [{ id: Offer }] } },
      "activity_types.supportive[0].id",
      "exists",
    ],
    [milestones({ id: Offer }, { id: Offer }), "activity_types", "unique"],
    [
      milestones({ id: Contacted, extra_step: { id: path.extraStep, name: "x" } }),
      `${first}.extra_step.id`,
      "exists",
    ],
    [
      milestones({ name: "x", extra_step: { id: path.extraStep, name: "x" } }),
      `${first}.extra_step.id`,
      "exists",
    ],
    [milestones({ id: Offer, chance_of_success: 101 }), `${first}.chance_of_success`, "max"],
    [milestones({ id: Offer, template_id: 1 }), `${first}.template_id`, "exists"],
    [{ team_id: 1, group_id: 1 }, "group_id", "excluded"],
    [{ team_id: 999_999 }, "team_id", "exists"],
    [{ group_id: 999_999 }, "group_id", "exists"],
  ];
  for (const [body, where, code] of faults) {
    const refused = await admin.call("PUT", at(path.id), body);
    assert.equal(refused.status, 422, JSON.stringify(body));
    const found = refused.body.errors.find((error: Body) => error.path === where);
    assert.equal(found?.code, code, refused.text);
  }
  assert.equal((await admin.call("GET", at(path.id))).text, before);
});

Deno.test("a retired milestone stays on cases that have done it and in filters, and cannot be done any more", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const path = await newPath(admin);
  const [done, open] = [await newCase(admin, path), await newCase(admin, path)];
  const act = (id: string, type: string) =>
    admin.call("POST", `/v1/cases/${id}/activities`, { activity_type_ids: [path.types[type]] });
  await act(done.id, "Offer");
  await act(done.id, "Call");
  const { Contacted, Sold, Offer, Call } = path.types;
  await change(admin, path.id, {
    activity_types: { milestones: [{ id: Contacted }, { name: "Order" }, { id: Sold }], supportive: [] },
  });
  const readCase = async (id: string) => (await admin.call("GET", `/v1/cases/${id}`)).body;
  const milestones = async (id: string) =>
    (await readCase(id)).milestones.map(({ name, done }: Body) => [name, done]);
  assert.deepEqual(await milestones(done.id), [
    ["Contacted", false],
    ["Offer", true],
    ["Order", false],
    ["Sold", false],
  ]);
  assert.deepEqual(await milestones(open.id), [["Contacted", false], ["Order", false], ["Sold", false]]);
  assert.equal((await readCase(done.id)).chance_of_success, 60);
  for (const query of [`milestone_ids=${Offer}`, "milestone_types=offer"]) {
    const { body } = await admin.call("GET", `/v1/cases?${query}`);
    assert.deepEqual(body.data.map(({ id }: Body) => id), [done.id], query);
  }
  for (
    const [field, value] of [
      ["case.milestones.id", Offer],
      ["case.milestones.type", "offer"],
      ["case.supportive.id", Call],
    ]
  ) {
    const { body } = await admin.call("POST", "/v1/contacts/filter", {
      filter: [{ field, operator: "eq", value }],
    });
    assert.deepEqual(body.data.map(({ id }: Body) => id), [done.contact.id], field);
  }
  for (const [id, type] of [[open.id, "Offer"], [done.id, "Offer"], [open.id, "Call"]] as const) {
    const refused = await act(id, type);
    assert.deepEqual([refused.status, refused.body.errors[0].path], [422, "activity_type_ids[0]"]);
  }
  const next = await act(done.id, "Contacted");
  assert.equal(next.status, 201, next.text);
  const after = await readCase(done.id);
  assert.deepEqual([after.chance_of_success, after.milestones[1].done], [60, true], "it still ranks highest");
  const last = (await readEvents(app)).findLast(({ name }) => name === "case_updated")!;
  assert.deepEqual(last.body, after);
});

Deno.test("retired activity types stay only if a case has done them", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const path = await newPath(admin);
  const { id } = await newCase(admin, path);
  await admin.call("POST", `/v1/cases/${id}/activities`, { activity_type_ids: [path.types.Offer] });
  for (const name of ["A", "B", "C"]) {
    await change(admin, path.id, { activity_types: { milestones: [{ name }], supportive: [{ name }] } });
  }
  const rows = await app.sql(
    "select name, retired_at is not null as retired from activity_types order by name, retired",
  );
  assert.deepEqual(rows, [{ name: "C", retired: 0 }, { name: "C", retired: 0 }, {
    name: "Offer",
    retired: 1,
  }]);
});

Deno.test("cases show the present name and milestones of their path", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const path = await newPath(admin);
  const { id } = await newCase(admin, path);
  await change(admin, path.id, {
    name: "Vans",
    is_sales_type: false,
    activity_types: { milestones: [{ id: path.types.Offer, name: "Quote" }] },
  });
  const { body } = await admin.call("GET", `/v1/cases/${id}`);
  assert.deepEqual(body.relations_path, { id: path.id, name: "Vans", is_sales_type: false });
  assert.deepEqual(names(body.milestones), ["Quote"]);
  const reply = await admin.call("POST", `/v1/cases/${id}/activities`, {
    activity_type_ids: [path.types.Offer],
  });
  assert.equal(reply.body.activity_types[0].name, "Quote");
});

Deno.test("an activity with a milestone that is retired meanwhile is rejected, and a case opened meanwhile equals GET", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const path = await newPath(admin);
  const { id, contact } = await newCase(admin, path);
  const retire = () => change(admin, path.id, { activity_types: { milestones: [{ name: "Other" }] } });
  const body = { activity_type_ids: [path.types.Offer] };
  const refused = await callMeanwhile(app, admin, "POST", `/v1/cases/${id}/activities`, retire, body);
  assert.equal(refused.status, 422);
  assert.deepEqual(await app.sql("select * from case_milestones"), []);
  const rename = () => change(admin, path.id, { name: "Vans" });
  const given = { contact_id: contact.id, relations_path_id: path.id };
  const opened = await (await callMeanwhile(app, admin, "POST", "/v1/cases", rename, given)).json();
  assert.deepEqual(opened, (await admin.call("GET", `/v1/cases/${opened.id}`)).body);
  assert.equal(opened.relations_path.name, "Vans");
});

Deno.test("two concurrent changes of a path are both applied, and If-Match rejects a stale one", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const path = await newPath(admin);
  const first = () => change(admin, path.id, { name: "Vans" });
  const second = await callMeanwhile(app, admin, "PUT", at(path.id), first, { is_sales_type: false });
  const body = await second.json();
  assert.deepEqual([second.status, body.name, body.is_sales_type], [200, "Vans", false]);
  const etag = second.headers.get("etag")!;
  await change(admin, path.id, { name: "Lorries" });
  for (const method of ["PUT", "DELETE"]) {
    const refused = await admin.call(method, at(path.id), { name: "Bikes" }, { "If-Match": etag });
    assert.equal(refused.status, 412, method);
  }
  const now = (await admin.call("GET", at(path.id))).headers.get("etag")!;
  assert.equal((await admin.call("PUT", at(path.id), { name: "Bikes" }, { "If-Match": now })).status, 200);
});

Deno.test("a given team replaces the group of a path, and a given group its team", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const group = await company.group();
  const [team, far] = [await company.team({ group_id: group }), await company.team()];
  const path = await newPath(admin, { group_id: group });
  const owner = async (body: object) => {
    const { team_id, group_id } = await change(admin, path.id, body);
    return [team_id, group_id];
  };
  const member = await company.user({ teams: [team] });
  const sees = async () => {
    const { body } = await member.call("GET", "/v1/relations-paths");
    return [(await member.call("GET", at(path.id))).status, body.pagination.total];
  };
  assert.deepEqual(await owner({ team_id: null }), [null, group]);
  assert.deepEqual(await owner({ team_id: far }), [far, null]);
  assert.deepEqual(await sees(), [404, 0]);
  assert.deepEqual(await owner({ group_id: group }), [null, group]);
  assert.deepEqual(await sees(), [200, 1]);
  assert.deepEqual(await owner({ group_id: group, team_id: null }), [null, group]);
  assert.deepEqual(await owner({ group_id: null }), [null, null]);
  assert.deepEqual(await sees(), [200, 1]);
});

Deno.test("a team admin cannot change a path that the company forbids or that changes owner meanwhile", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const [team, other] = [await company.team(), await company.team()];
  const settings = (allowed: boolean) =>
    admin.call("PUT", `/v1/companies/${company.id}/settings`, { teams_can_create_relations_paths: allowed });
  await settings(true);
  const teamAdmin = await company.user({ type: "team_admin", teams: [team] });
  const path = await newPath(admin, { team_id: team });
  const forbid = await callMeanwhile(app, teamAdmin, "PUT", at(path.id), () => settings(false), {
    name: "x",
  });
  assert.equal(forbid.status, 403);
  await settings(true);
  const away = () => change(admin, path.id, { team_id: other });
  assert.equal((await callMeanwhile(app, teamAdmin, "PUT", at(path.id), away, { name: "x" })).status, 404);
  assert.equal((await admin.call("GET", at(path.id))).body.name, "New cars");
});

Deno.test("a path is not created for or moved to a group or team that is deleted meanwhile", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const path = await newPath(admin);
  for (const key of ["group", "team"] as const) {
    const calls = [["POST", "/v1/relations-paths"], ["PUT", at(path.id)]] as const;
    for (const [method, where] of calls) {
      const id = await company[key]();
      const remove = () => admin.call("DELETE", `/v1/${key}s/${id}`);
      const milestones = [{ name: "Offer" }];
      const body = { name: "New", [`${key}_id`]: id, activity_types: { milestones } };
      const reply = await callMeanwhile(app, admin, method, where, remove, body);
      assert.equal(reply.status, 422, `${method} ${key}`);
      assert.equal((await reply.json()).errors[0].path, `${key}_id`);
    }
  }
});
