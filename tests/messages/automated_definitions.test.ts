import assert from "node:assert/strict";
import { type Actor, type Body, startApp } from "../support/app.ts";
import { makeCommunication, makeDefinition, makeRoad, posted } from "./automated_world.ts";

const path = "/v1/automated-communications";

Deno.test("POST returns an automated communication, GET the same, and lists omit the attachments", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const file = await posted(admin, "/v1/files", { name: "offer.txt", data: btoa("x") });
  const made = await admin.call("POST", path, {
    ...makeDefinition(),
    description: "d",
    icon: "car",
    communications: [makeCommunication({ attachments: [file.id] }), makeCommunication({ name: "Again" })],
  });
  assert.equal(made.status, 201, made.text);
  const [first, second] = made.body.communications;
  assert.deepEqual(made.body, {
    id: made.body.id,
    team_id: null,
    group_id: null,
    name: "After a test drive",
    description: "d",
    icon: "car",
    communications: [
      { id: first.id, ...makeCommunication(), template_id: 0, attachments: [file.id] },
      { id: second.id, ...makeCommunication(), name: "Again", template_id: 0, attachments: [] },
    ],
    created_at: "2026-03-02 09:00:00",
    updated_at: "2026-03-02 09:00:00",
  });
  assert.equal((await admin.call("GET", `${path}/${made.body.id}`)).text, made.text);
  const { body } = await admin.call("GET", path);
  const listed = made.body.communications.map(({ attachments: _, ...rest }: Body) => rest);
  assert.deepEqual(body.data, [{ ...made.body, communications: listed }]);
  assert.equal(body.pagination.total, 1);
  // A file that is deleted is left out.
  assert.equal((await admin.call("DELETE", `/v1/files/${file.id}`)).status, 204);
  const { body: without } = await admin.call("GET", `${path}/${made.body.id}`);
  assert.deepEqual(without.communications[0].attachments, []);
});

Deno.test("rejects an invalid automated communication with field and rule, and creates nothing", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const letter = await posted(admin, "/v1/templates", {
    type: "letter",
    title: "L",
    content: "x",
    team_id: null,
  });
  const with_ = (more: object) => makeDefinition({ communications: [makeCommunication(more)] });
  const at = "communications[0]";
  const id = "01939c5e-7d3a-7c3f-8a55-0a4be5a1a001";
  const { name: _name, ...nameless } = makeCommunication();
  const faults: [object, string, string][] = [
    [makeDefinition({ name: "" }), "name", "min"],
    [makeDefinition({ name: "x".repeat(256) }), "name", "max"],
    [makeDefinition({ description: "" }), "description", "min"],
    [makeDefinition({ description: "x".repeat(1025) }), "description", "max"],
    [makeDefinition({ icon: "" }), "icon", "min"],
    [makeDefinition({ icon: "x".repeat(51) }), "icon", "max"],
    [makeDefinition({ communications: undefined }), "communications", "required"],
    [makeDefinition({ communications: [nameless] }), `${at}.name`, "required"],
    [with_({ name: "x".repeat(256) }), `${at}.name`, "max"],
    [with_({ delay: undefined }), `${at}.delay`, "required"],
    [with_({ delay: { offset_from_midnight: 0 } }), `${at}.delay.days`, "required"],
    [with_({ delay: { days: 0, offset_from_midnight: 0 } }), `${at}.delay.days`, "min"],
    [with_({ delay: { days: 1.5, offset_from_midnight: 0 } }), `${at}.delay.days`, "type"],
    [with_({ delay: { days: 1 } }), `${at}.delay.offset_from_midnight`, "required"],
    [with_({ delay: { days: 1, offset_from_midnight: -1 } }), `${at}.delay.offset_from_midnight`, "min"],
    [with_({ delay: { days: 1, offset_from_midnight: 86_401 } }), `${at}.delay.offset_from_midnight`, "max"],
    [with_({ template_id: 999 }), `${at}.template_id`, "exists"],
    [with_({ template_id: letter.id }), `${at}.template_id`, "exists"],
    [with_({ subject: "" }), `${at}.subject`, "min"],
    [with_({ subject: "x".repeat(256) }), `${at}.subject`, "max"],
    [with_({ subject: "One\nline" }), `${at}.subject`, "format"],
    [with_({ subject: "{{x" }), `${at}.subject`, "format"],
    [with_({ content: "" }), `${at}.content`, "min"],
    [with_({ content: "{{#x}}" }), `${at}.content`, "format"],
    [with_({ attachments: [id] }), `${at}.attachments[0]`, "exists"],
    [
      makeDefinition({ communications: Array(3).fill(makeCommunication({ content: "x".repeat(400_000) })) }),
      "communications",
      "max",
    ],
    [makeDefinition({ team_id: 999_999 }), "team_id", "exists"],
  ];
  for (const [body, field, rule] of faults) {
    const { status, text, body: problem } = await admin.call("POST", path, body);
    assert.equal(status, 422, text);
    const found = problem.errors.map((error: Body) => [error.path, error.code]);
    assert.deepEqual(found, [[field, rule]], text);
  }
  // A file and a template that the maker may not read.
  const lead = await company.user({
    type: "team_admin",
    teams: [await company.team()],
    rights: ["automations.manage"],
  });
  const file = await posted(admin, "/v1/files", { name: "own.txt", data: btoa("x") });
  const template = await posted(admin, "/v1/templates", {
    type: "email",
    title: "T",
    content: "x",
    team_id: await company.team(),
  });
  const { status, body } = await lead.call("POST", path, {
    ...with_({ attachments: [file.id], template_id: template.id }),
    team_id: undefined,
  });
  assert.equal(status, 422);
  assert.deepEqual(body.errors.map((error: Body) => [error.path, error.code]), [
    [`${at}.template_id`, "exists"],
    [`${at}.attachments[0]`, "exists"],
  ]);
  assert.deepEqual((await admin.call("GET", path)).body.data, []);
});

Deno.test("PUT changes the items with an id, creates those without, and deletes the missing ones", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const template = await posted(admin, "/v1/templates", {
    type: "email",
    title: "T",
    content: "{{content}}",
    team_id: null,
  });
  const made = await posted(admin, path, {
    ...makeDefinition(),
    communications: [makeCommunication({ template_id: template.id }), makeCommunication({ name: "Gone" })],
  });
  const [first] = made.communications;
  const put = (body: object) => admin.call("PUT", `${path}/${made.id}`, body);
  const { status, body } = await put({
    name: "Later",
    communications: [makeCommunication({ name: "New" }), { id: first.id, subject: "Changed" }],
  });
  assert.equal(status, 200);
  assert.equal(body.name, "Later");
  assert.deepEqual(body.communications.map((each: Body) => [each.name, each.subject, each.template_id]), [
    ["New", makeCommunication().subject, 0],
    ["Thanks", "Changed", template.id],
  ]);
  assert.equal(body.communications[1].id, first.id);
  const faults: [object, string, string][] = [
    [{ communications: [{ name: "New" }] }, "communications[0].delay", "required"],
    [{ communications: [{ id: made.communications[1].id }] }, "communications[0].id", "exists"],
    [{ communications: [{ id: first.id }, { id: first.id }] }, "communications[0].id", "unique"],
  ];
  for (const [change, field, rule] of faults) {
    const reply = await put(change);
    assert.equal(reply.status, 422, reply.text);
    assert.deepEqual([reply.body.errors[0].path, reply.body.errors[0].code], [field, rule]);
  }
  assert.deepEqual((await admin.call("GET", `${path}/${made.id}`)).body, body);
  // The template is deleted: the communication loses it.
  assert.equal((await admin.call("DELETE", `/v1/templates/${template.id}`)).status, 204);
  assert.equal((await admin.call("GET", `${path}/${made.id}`)).body.communications[1].template_id, 0);
});

Deno.test("relations paths name automated communications that the caller sees, and lose deleted ones", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const team = await company.team();
  const far = await posted(admin, path, makeDefinition({ team_id: await company.team() }));
  const [one, two] = [
    await posted(admin, path, makeDefinition()),
    await posted(admin, path, makeDefinition()),
  ];
  await admin.call("PUT", `/v1/companies/${company.id}/settings`, { teams_can_create_relations_paths: true });
  const lead = await company.user({ type: "team_admin", teams: [team] });
  const makePath = (ids: string[]) => ({
    name: "Cars",
    team_id: team,
    activity_types: { milestones: [{ name: "Offer", automated_communications: ids }] },
  });
  const at = "activity_types.milestones[0].automated_communications";
  const faults: [Actor, string[], string, string][] = [
    [lead, [far.id], `${at}[0]`, "exists"],
    [admin, ["01939c5e-7d3a-7c3f-8a55-0a4be5a1a001"], `${at}[0]`, "exists"],
    [admin, [one.id, one.id], at, "unique"],
  ];
  for (const [actor, ids, field, rule] of faults) {
    const { status, text, body } = await actor.call("POST", "/v1/relations-paths", makePath(ids));
    assert.equal(status, 422, text);
    assert.deepEqual([body.errors[0].path, body.errors[0].code], [field, rule]);
  }
  const made = await posted(admin, "/v1/relations-paths", makePath([one.id, two.id, far.id]));
  const [milestone] = made.activity_types.milestones;
  assert.deepEqual(milestone.automated_communications, [one.id, two.id, far.id]);
  // A communication that the path already names stays, even if the user does not see it.
  const kept = await lead.call("PUT", `/v1/relations-paths/${made.id}`, {
    activity_types: { milestones: [{ id: milestone.id, automated_communications: [one.id, far.id] }] },
  });
  assert.equal(kept.status, 200, kept.text);
  assert.equal((await admin.call("DELETE", `${path}/${one.id}`)).status, 204);
  const { body } = await admin.call("GET", `/v1/relations-paths/${made.id}`);
  assert.deepEqual(body.activity_types.milestones[0].automated_communications, [far.id]);
  assert.equal((await admin.call("GET", `${path}/${one.id}`)).status, 404);
});

Deno.test("those of a deleted team go to its successor, else to the admins, as do those of a group", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const [team, other, group] = [await company.team(), await company.team(), await company.group()];
  const ofTeam = await posted(admin, path, makeDefinition({ team_id: team }));
  const ofGroup = await posted(admin, path, { ...makeDefinition({ team_id: undefined }), group_id: group });
  const owner = async (id: string) => {
    const { team_id, group_id } = (await admin.call("GET", `${path}/${id}`)).body;
    return [team_id, group_id];
  };
  const remove = async (of: string) => {
    const { status, text } = await admin.call("DELETE", of);
    assert.ok(status < 300, text);
    await app.idle();
  };
  await remove(`/v1/teams/${team}?assign_to=${other}`);
  assert.deepEqual(await owner(ofTeam.id), [other, null]);
  await remove(`/v1/teams/${other}`);
  assert.deepEqual(await owner(ofTeam.id), [other, null]);
  assert.deepEqual(await owner(ofGroup.id), [null, group]);
  await remove(`/v1/groups/${group}`);
  assert.deepEqual(await owner(ofGroup.id), [null, group]);
  const user = await company.user();
  assert.equal((await user.call("GET", `${path}/${ofTeam.id}`)).status, 404);
  assert.equal((await user.call("GET", `${path}/${ofGroup.id}`)).status, 404);
  assert.ok((await makeRoad(admin, [ofTeam.id, ofGroup.id])).id);
});
