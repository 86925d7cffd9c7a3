import assert from "node:assert/strict";
import { startApp } from "../support/app.ts";

const path = (more: object = {}) => ({
  name: "New cars",
  activity_types: { milestones: [{ name: "Offer" }] },
  ...more,
});

Deno.test("POST returns the relations path with its milestones in order", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const made = await admin.call("POST", "/v1/relations-paths", {
    name: "New cars",
    is_sales_type: true,
    activity_types: {
      milestones: [
        { name: "Sold", sort_order: 30, set_status: "closed", chance_of_success: 100 },
        {
          name: "Test drive",
          sort_order: 10,
          type: "test_drive",
          description: "On the road",
          suggest_task_after: 3,
          content_suggestions: ["Liked it"],
          extra_step: { name: "Licence copied" },
          additional_steps: ["product_details"],
          chance_of_success: 20,
        },
      ],
      supportive: [{ name: "Call" }, { name: "Letter" }],
    },
  });
  assert.equal(made.status, 201, made.text);
  const { milestones, supportive } = made.body.activity_types;
  assert.deepEqual(milestones.map(({ name }: { name: string }) => name), ["Test drive", "Sold"]);
  assert.deepEqual(
    supportive.map(({ name, sort_order }: { name: string; sort_order: number }) => [name, sort_order]),
    [["Call", 1], ["Letter", 2]],
  );
  const { id: _id, extra_step, ...drive } = milestones[0];
  assert.deepEqual(drive, {
    name: "Test drive",
    description: "On the road",
    type: "test_drive",
    sort_order: 10,
    set_status: null,
    suggest_task_after: 3,
    template_id: null,
    content_suggestions: ["Liked it"],
    additional_steps: ["product_details"],
    automated_communications: [],
    chance_of_success: 20,
  });
  assert.equal(extra_step.name, "Licence copied");
  assert.deepEqual([made.body.team_id, made.body.group_id, made.body.is_sales_type], [null, null, true]);
  const got = await admin.call("GET", `/v1/relations-paths/${made.body.id}`);
  assert.equal(got.text, made.text);
  const listed = await admin.call("GET", "/v1/relations-paths");
  assert.deepEqual(listed.body.data, [made.body]);
  assert.equal(listed.body.pagination.total, 1);
});

Deno.test("an invalid relations path is rejected with field and rule, and nothing is created", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const id = "01939c5e-7d3a-7c3f-8a55-0a4be5a1a001";
  const milestone = (more: object) => path({ activity_types: { milestones: [{ name: "Offer", ...more }] } });
  const faults: [unknown, string, string][] = [
    [{}, "name", "required"],
    [{ name: "x" }, "activity_types", "required"],
    [path({ activity_types: { milestones: [] } }), "activity_types.milestones", "min"],
    [path({ name: "n".repeat(256) }), "name", "max"],
    [path({ team_id: 1, group_id: 1 }), "group_id", "excluded"],
    [path({ team_id: 999_999 }), "team_id", "exists"],
    [path({ group_id: 999_999 }), "group_id", "exists"],
    [milestone({ type: "lunch" }), "activity_types.milestones[0].type", "enum"],
    [milestone({ chance_of_success: 101 }), "activity_types.milestones[0].chance_of_success", "max"],
    [milestone({ template_id: 1 }), "activity_types.milestones[0].template_id", "exists"],
    [
      milestone({ automated_communications: [id] }),
      "activity_types.milestones[0].automated_communications[0]",
      "exists",
    ],
  ];
  for (const [body, where, code] of faults) {
    const refused = await admin.call("POST", "/v1/relations-paths", body);
    assert.equal(refused.status, 422, JSON.stringify(body));
    const found = refused.body.errors.find((error: { path: string }) => error.path === where);
    assert.equal(found?.code, code, refused.text);
  }
  assert.deepEqual(await app.sql("select id from relations_paths"), []);
});

Deno.test("group and team admins write own paths if the company allows it; users never", async () => {
  await using app = await startApp();
  const company = await app.company();
  const group = await company.group();
  const otherGroup = await company.group();
  const team = await company.team({ group_id: group });
  const other = await company.team();
  const teamAdmin = await company.user({ type: "team_admin", teams: [team] });
  const groupAdmin = await company.user({ type: "group_admin", teams: [team] });
  const user = await company.user({ teams: [team] });
  const make = async (who: typeof user, more: object) =>
    (await who.call("POST", "/v1/relations-paths", path(more))).status;

  assert.equal(await make(teamAdmin, { team_id: team }), 403);
  assert.equal(await make(groupAdmin, { group_id: group }), 403);
  const allow =
    "update companies set teams_can_create_relations_paths = 1, groups_can_create_relations_paths = 1";
  await app.deps.db.write([{ sql: allow, args: [] }]);

  assert.equal(await make(teamAdmin, { team_id: team }), 201);
  assert.equal(await make(teamAdmin, { team_id: other }), 422);
  assert.equal(await make(teamAdmin, { group_id: group }), 422);
  assert.equal(await make(teamAdmin, {}), 403);
  assert.equal(await make(groupAdmin, { group_id: group }), 201);
  assert.equal(await make(groupAdmin, { team_id: team }), 201);
  assert.equal(await make(groupAdmin, { group_id: otherGroup }), 422);
  assert.equal(await make(groupAdmin, { team_id: other }), 422);
  assert.equal(await make(user, { team_id: team }), 403);
  assert.equal(await make(company.admin, { team_id: other }), 201);
});

Deno.test("only its team or group sees a path, all see those of the company, and admins see every path", async () => {
  await using app = await startApp();
  const [company, foreign] = [await app.company(), await app.company()];
  const group = await company.group();
  const team = await company.team({ group_id: group });
  const sibling = await company.team({ group_id: group });
  const make = async (more: object): Promise<string> =>
    (await company.admin.call("POST", "/v1/relations-paths", path(more))).body.id;
  const shared = await make({});
  const teams = await make({ team_id: team });
  const groups = await make({ group_id: group });
  const seen = {
    member: [await company.user({ teams: [team] }), [shared, teams, groups]],
    sibling: [await company.user({ teams: [sibling] }), [shared, groups]],
    stranger: [await company.user(), [shared]],
    admin: [company.admin, [shared, teams, groups]],
    foreign: [foreign.admin, []],
  } as const;
  for (const [name, [who, expected]] of Object.entries(seen)) {
    const list = await who.call("GET", "/v1/relations-paths?sort=created_at");
    assert.deepEqual(list.body.data.map(({ id }: { id: string }) => id), expected, name);
    assert.equal(list.body.pagination.total, expected.length, name);
    for (const id of [shared, teams, groups]) {
      const { status } = await who.call("GET", `/v1/relations-paths/${id}`);
      assert.equal(status, (expected as readonly string[]).includes(id) ? 200 : 404, name);
    }
  }
});
