import assert from "node:assert/strict";
import { type Actor, startApp } from "../support/app.ts";

async function createPath(admin: Actor, name: string, more: object = {}): Promise<string> {
  const body = { name, activity_types: { milestones: [{ name: "Offer" }] }, ...more };
  return (await admin.call("POST", "/v1/relations-paths", body)).body.id;
}

Deno.test("POST returns a lead type with its paths in the given order, and its countdowns", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const team = await company.team({ team_type: "dealer" });
  const member = await company.user({ teams: [team] });
  const [one, two] = [await createPath(admin, "One"), await createPath(admin, "Two")];
  const made = await admin.call("POST", "/v1/lead-types", {
    name: "Test drive",
    icon: "car",
    relations_path_ids: [two, one],
    escalation_accept: 120,
    escalation_ignore_weekends: true,
    escalation_user_ids: [admin.id],
    highlighted: true,
    team_settings: [{ team_id: team, relations_path_id: one, user_id: member.id }],
  });
  assert.equal(made.status, 201, made.text);
  const { id: _id, relations_paths, ...rest } = made.body;
  assert.deepEqual(rest, {
    name: "Test drive",
    icon: "car",
    entity_type: "account",
    team_id: null,
    escalation_accept: 120,
    escalation_activity: null,
    escalation_ignore_weekends: true,
    escalation_user_ids: [admin.id],
    disabled: false,
    highlighted: true,
    team_settings: [{ team_id: team, relations_path_id: one, user_id: member.id }],
    created_at: "2026-03-02 09:00:00",
    updated_at: "2026-03-02 09:00:00",
  });
  assert.deepEqual(relations_paths, [
    (await admin.call("GET", `/v1/relations-paths/${two}`)).body,
    (await admin.call("GET", `/v1/relations-paths/${one}`)).body,
  ]);
  const got = await admin.call("GET", `/v1/lead-types/${made.body.id}`);
  assert.equal(got.text, made.text);
  const listed = await member.call("GET", "/v1/lead-types");
  assert.deepEqual(listed.body.data, [made.body]);
  assert.equal(listed.body.pagination.total, 1);
});

Deno.test("an invalid lead type is rejected with field and rule, and nothing is created", async () => {
  await using app = await startApp();
  const [company, foreign] = [await app.company(), await app.company()];
  const path = await createPath(company.admin, "One");
  const other = await createPath(company.admin, "Two");
  const theirs = await createPath(foreign.admin, "Theirs");
  const team = await company.team();
  const outsider = await company.user();
  const type = (more: object) => ({ name: "Type", relations_path_ids: [path], ...more });
  const faults: [unknown, string, string][] = [
    [{ relations_path_ids: [path] }, "name", "required"],
    [{ name: "x" }, "relations_path_ids", "required"],
    [type({ relations_path_ids: [] }), "relations_path_ids", "min"],
    [type({ relations_path_ids: [path, path] }), "relations_path_ids", "unique"],
    [type({ relations_path_ids: [path, theirs] }), "relations_path_ids[1]", "exists"],
    [type({ relations_path_ids: ["x"] }), "relations_path_ids[0]", "type"],
    [type({ escalation_accept: 0 }), "escalation_accept", "min"],
    [type({ escalation_activity: 10_000_000 }), "escalation_activity", "max"],
    [type({ escalation_user_ids: [foreign.admin.id] }), "escalation_user_ids[0]", "exists"],
    [type({ team_settings: [{ team_id: 999_999 }] }), "team_settings[0].team_id", "exists"],
    [
      type({ team_settings: [{ team_id: team, relations_path_id: other }] }),
      "team_settings[0].relations_path_id",
      "exists",
    ],
    [
      type({ team_settings: [{ team_id: team, user_id: outsider.id }] }),
      "team_settings[0].user_id",
      "exists",
    ],
    [type({ team_settings: [{ team_id: team }, { team_id: team }] }), "team_settings", "unique"],
    [type({ team_id: 999_999 }), "team_id", "exists"],
  ];
  for (const [body, where, code] of faults) {
    const refused = await company.admin.call("POST", "/v1/lead-types", body);
    assert.equal(refused.status, 422, JSON.stringify(body));
    const found = refused.body.errors.find((error: { path: string }) => error.path === where);
    assert.equal(found?.code, code, refused.text);
  }
  assert.deepEqual(await app.sql("select id from lead_types"), []);
});

Deno.test("team admins write lead types of their team if the company allows it, and the team sees them", async () => {
  await using app = await startApp();
  const company = await app.company();
  const team = await company.team();
  const path = await createPath(company.admin, "One");
  const teamAdmin = await company.user({ type: "team_admin", teams: [team] });
  const [member, stranger] = [await company.user({ teams: [team] }), await company.user()];
  const body = { name: "Ours", relations_path_ids: [path], team_id: team };
  assert.equal((await teamAdmin.call("POST", "/v1/lead-types", body)).status, 403);
  await app.deps.db.write([{ sql: "update companies set teams_can_create_relations_paths = 1", args: [] }]);
  const made = await teamAdmin.call("POST", "/v1/lead-types", body);
  assert.equal(made.status, 201, made.text);
  assert.equal((await member.call("POST", "/v1/lead-types", body)).status, 403);
  for (
    const [who, status, total] of [[member, 200, 1], [stranger, 404, 0], [company.admin, 200, 1]] as const
  ) {
    assert.equal((await who.call("GET", `/v1/lead-types/${made.body.id}`)).status, status);
    assert.equal((await who.call("GET", "/v1/lead-types")).body.pagination.total, total);
  }
});
