import assert from "node:assert/strict";
import { type Reply, startApp } from "../support/app.ts";

const email = { type: "email", title: "Answer", content: "<p>Dear {{contact.first_name}},</p>{{content}}" };
const letter = { ...email, type: "letter", title: "Offer" };

Deno.test("POST returns a template, GET returns it with its content, and lists omit the content", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const made = await admin.call("POST", "/v1/templates", { ...letter, margin_top: 30, campaign: true });
  assert.equal(made.status, 201, made.text);
  const { content, unknown_placeholders, ...listed } = made.body;
  assert.deepEqual(listed, {
    id: made.body.id,
    type: "letter",
    company_id: admin.companyId,
    title: "Offer",
    user_id: admin.id,
    team_id: null,
    group_id: null,
    campaign: true,
    margin_top: 30,
    margin_left: null,
    margin_right: null,
    margin_bottom: null,
    created_at: "2026-03-02 09:00:00",
    updated_at: "2026-03-02 09:00:00",
  });
  assert.equal(content, letter.content);
  assert.deepEqual(unknown_placeholders, []);
  assert.equal((await admin.call("GET", `/v1/templates/${made.body.id}`)).text, made.text);
  const { body } = await admin.call("GET", "/v1/templates");
  assert.deepEqual(body.data, [listed]);
  assert.equal(body.pagination.total, 1);
});

Deno.test("rejects an invalid template with field and rule, and creates nothing", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const [team, group] = [await company.team(), await company.group()];
  const faults: [object, string, string][] = [
    [{ ...email, type: "sms" }, "type", "enum"],
    [{ ...email, title: " " }, "title", "min"],
    [{ ...email, title: "x".repeat(256) }, "title", "max"],
    [{ ...email, content: "" }, "content", "min"],
    [{ ...email, content: "x".repeat(500_001) }, "content", "max"],
    [{ ...email, content: "{{contact.first_name" }, "content", "format"],
    [{ ...email, content: "{{#product_details}}" }, "content", "format"],
    [{ ...email, content: "{{/product_details}}" }, "content", "format"],
    [{ ...email, content: "<p>{{> other}}</p>" }, "content", "format"],
    [{ ...email, content: "{{=<% %>=}}" }, "content", "format"],
    [{ ...email, content: "{{#a}}".repeat(30) + "{{/a}}".repeat(30) }, "content", "format"],
    [{ ...email, margin_top: 10 }, "margin_top", "excluded"],
    [{ ...letter, margin_top: 101 }, "margin_top", "max"],
    [{ ...letter, margin_left: -1 }, "margin_left", "min"],
    [{ ...email, team_id: team, group_id: group }, "group_id", "excluded"],
    [{ ...email, team_id: 999_999 }, "team_id", "exists"],
    [{ ...email, group_id: 999_999 }, "group_id", "exists"],
  ];
  for (const [body, path, code] of faults) {
    const refused = await admin.call("POST", "/v1/templates", body);
    assert.equal(refused.status, 422, refused.text);
    assert.deepEqual(
      refused.body.errors.map((error: { path: string; code: string }) => [error.path, error.code]),
      [
        [path, code],
      ],
    );
  }
  assert.equal((await admin.call("GET", "/v1/templates")).body.pagination.total, 0);
});

Deno.test("thousands of nested sections do not exhaust the stack or the time", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const content = "{{#a}}".repeat(40_000) + "{{/a}}".repeat(40_000);
  const refused = await admin.call("POST", "/v1/templates", { ...email, content });
  assert.deepEqual([refused.status, refused.body.errors[0].code], [422, "format"]);
});

Deno.test("stores sanitised HTML and keeps its placeholders; unknown ones are listed", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const content =
    '<script>alert(1)</script><a href="{{unsubscribe_url}}">x</a>{{& contact.title}}{{nothing}}' +
    "<table><tr><th>Name</th></tr>{{#product_details}}<tr><td>{{name}}</td></tr>{{/product_details}}</table>";
  const { body } = await admin.call("POST", "/v1/templates", { ...email, content });
  assert.equal(body.content, content.replace("<script>alert(1)</script>", ""));
  assert.deepEqual(body.unknown_placeholders, ["nothing"]);
  const changed = await admin.call("PUT", `/v1/templates/${body.id}`, {
    content: "{{subject}}{{contact.name}}",
  });
  assert.deepEqual(changed.body.unknown_placeholders, ["contact.name"]);
  const ofLetter = await admin.call("POST", "/v1/templates", { ...letter, content: "{{subject}}" });
  assert.deepEqual(ofLetter.body.unknown_placeholders, ["subject"]);
});

Deno.test("each user sees templates of the company, visible teams and own groups, and writes own ones", async () => {
  await using app = await startApp();
  const company = await app.company();
  const foreign = await app.company();
  const group = await company.group();
  const [north, south, far] = [
    await company.team({ name: "North", group_id: group }),
    await company.team({ name: "South", group_id: group }),
    await company.team({ name: "Far" }),
  ];
  const callers = {
    member: await company.user({ teams: [north] }),
    neighbour: await company.user({ teams: [south] }),
    head: await company.user({ type: "group_admin", teams: [south] }),
    stranger: await company.user({ teams: [far] }),
    other: foreign.admin,
  };
  const createTemplate = async (body: object) =>
    (await company.admin.call("POST", "/v1/templates", { ...email, ...body })).body.id;
  const ids = {
    shared: await createTemplate({}),
    north: await createTemplate({ team_id: north }),
    group: await createTemplate({ group_id: group }),
  };
  const outcome = async (caller: keyof typeof callers) => {
    const { call } = callers[caller];
    const of = (reply: Reply) => reply.status;
    const row: Record<string, string> = {};
    for (const [name, id] of Object.entries(ids)) {
      const path = `/v1/templates/${id}`;
      row[name] = `${of(await call("GET", path))} ${of(await call("PUT", path, { title: "Changed" }))}`;
    }
    const { body } = await call("GET", "/v1/templates");
    row.listed = `${body.data.length} of ${body.pagination.total}`;
    return row;
  };
  assert.deepEqual(await outcome("member"), {
    shared: "200 403",
    north: "200 200",
    group: "200 403",
    listed: "3 of 3",
  });
  assert.deepEqual(await outcome("neighbour"), {
    shared: "200 403",
    north: "200 403",
    group: "200 403",
    listed: "3 of 3",
  });
  assert.deepEqual(await outcome("head"), {
    shared: "200 403",
    north: "200 200",
    group: "200 200",
    listed: "3 of 3",
  });
  assert.deepEqual(await outcome("stranger"), {
    shared: "200 403",
    north: "404 404",
    group: "404 404",
    listed: "1 of 1",
  });
  assert.deepEqual(await outcome("other"), {
    shared: "404 404",
    north: "404 404",
    group: "404 404",
    listed: "0 of 0",
  });
});

Deno.test("a template belongs to the active team by default, and null to the company, for admins only", async () => {
  await using app = await startApp();
  const company = await app.company();
  const [own, others] = [await company.team(), await company.team()];
  const member = await company.user({ teams: [own] });
  const loose = await company.user();
  const made = await member.call("POST", "/v1/templates", email);
  assert.equal(made.body.team_id, own);
  assert.equal((await member.call("POST", "/v1/templates", { ...email, team_id: null })).status, 403);
  assert.equal((await loose.call("POST", "/v1/templates", email)).status, 403);
  const refused = await member.call("POST", "/v1/templates", { ...email, team_id: others });
  assert.deepEqual([refused.status, refused.body.errors[0].path], [422, "team_id"]);
  const path = `/v1/templates/${made.body.id}`;
  assert.equal((await member.call("PUT", path, { team_id: null })).status, 403);
  assert.equal((await company.admin.call("PUT", path, { team_id: null })).body.team_id, null);
  assert.equal((await member.call("DELETE", path)).status, 403);
});

Deno.test("PUT keeps absent members, clears margins by null, and never changes the type", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const { body } = await admin.call("POST", "/v1/templates", { ...letter, margin_top: 30, margin_left: 5 });
  const path = `/v1/templates/${body.id}`;
  const changed = await admin.call("PUT", path, { type: "letter", title: "New", margin_top: null });
  assert.deepEqual(changed.body, { ...body, title: "New", margin_top: null });
  const refused = await admin.call("PUT", path, { type: "email" });
  assert.deepEqual([refused.status, refused.body.errors[0].code], [422, "not_editable"]);
  const stale = await admin.call("PUT", path, { title: "x" }, { "If-Match": '"0"' });
  assert.equal(stale.status, 412);
});

Deno.test("lists select by type, campaign and words of the title", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  await admin.call("POST", "/v1/templates", { ...email, title: "Müller answer", campaign: true });
  const { body } = await admin.call("POST", "/v1/templates", letter);
  await admin.call("PUT", `/v1/templates/${body.id}`, { title: "Anniversary letter" });
  const titles = async (query: string) =>
    (await admin.call("GET", `/v1/templates?${query}`)).body.data.map(({ title }: { title: string }) =>
      title
    );
  assert.deepEqual(await titles("type=letter"), ["Anniversary letter"]);
  assert.deepEqual(await titles("campaign=true"), ["Müller answer"]);
  assert.deepEqual(await titles("campaign=false&type=email"), []);
  assert.deepEqual(await titles("search=ann"), ["Anniversary letter"]);
  assert.deepEqual(await titles("search=muller"), ["Müller answer"]);
  assert.deepEqual(await titles("search=offer"), []);
});

Deno.test("relations paths suggest visible templates, and lose a deleted one", async () => {
  await using app = await startApp();
  const company = await app.company();
  const foreign = await app.company();
  const { admin } = company;
  const template = (await admin.call("POST", "/v1/templates", email)).body.id;
  const theirs = (await foreign.admin.call("POST", "/v1/templates", email)).body.id;
  const path = (template_id: number) => ({
    name: "Sale",
    activity_types: { milestones: [{ name: "Offer", template_id }] },
  });
  const refused = await admin.call("POST", "/v1/relations-paths", path(theirs));
  assert.equal(refused.body.errors[0].path, "activity_types.milestones[0].template_id");
  const made = await admin.call("POST", "/v1/relations-paths", path(template));
  assert.equal(made.body.activity_types.milestones[0].template_id, template, made.text);
  assert.equal((await admin.call("DELETE", `/v1/templates/${template}`)).status, 204);
  const after = await admin.call("GET", `/v1/relations-paths/${made.body.id}`);
  assert.equal(after.body.activity_types.milestones[0].template_id, null);
  assert.notEqual(after.headers.get("etag"), made.headers.get("etag"));
});

Deno.test("templates of a deleted team go to its successor, else to the admins, as those of a deleted group", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const group = await company.group();
  const [gone, kept, lost] = [await company.team(), await company.team(), await company.team()];
  const createTemplate = async (body: object) =>
    (await admin.call("POST", "/v1/templates", { ...email, ...body })).body.id;
  const [one, two, three] = [
    await createTemplate({ team_id: gone }),
    await createTemplate({ group_id: group }),
    await createTemplate({ team_id: lost }),
  ];
  for (const path of [`teams/${gone}?assign_to=${kept}`, `teams/${lost}`, `groups/${group}`]) {
    const reply = await admin.call("DELETE", `/v1/${path}`);
    assert.ok(reply.status < 300, reply.text);
  }
  const owner = async (id: number) => {
    const { body } = await admin.call("GET", `/v1/templates/${id}`);
    return [body.team_id, body.group_id];
  };
  assert.deepEqual([await owner(one), await owner(two), await owner(three)], [[kept, null], [null, group], [
    lost,
    null,
  ]]);
  // The other users of the company do not see them.
  const user = await company.user({ teams: [kept] });
  for (const id of [two, three]) {
    assert.equal((await user.call("GET", `/v1/templates/${id}`)).status, 404);
    assert.equal((await admin.call("PUT", `/v1/templates/${id}`, { title: "Kept" })).status, 200);
    assert.equal((await admin.call("DELETE", `/v1/templates/${id}`)).status, 204);
  }
});

Deno.test("GET /templates/placeholders lists the company's own fields", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const field = await admin.call("POST", "/v1/fields/contact", {
    name: "vip",
    label: "Very important",
    type: "boolean",
  });
  assert.equal(field.status, 201, field.text);
  const { body } = await admin.call("GET", "/v1/templates/placeholders");
  const findByName = (name: string) => body.data.find((each: { name: string }) => each.name === name);
  assert.deepEqual(findByName("subject").types, ["email"]);
  assert.deepEqual(findByName("contact.first_name"), {
    name: "contact.first_name",
    description: "First name of the contact.",
    types: ["email", "letter"],
  });
  assert.ok(
    body.data.some(({ name }: { name: string }) => name.startsWith("contact.custom.")),
    JSON.stringify(body),
  );
});
