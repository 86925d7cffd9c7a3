import assert from "node:assert/strict";
import { type Actor, startApp, type TestApp } from "../support/app.ts";

const email = {
  name: "Spring",
  type: "email",
  approved: false,
  message: {
    subject: "Offers",
    content: "<p>Dear {{contact.first_name}},</p>",
    sender: "Ada",
  },
  filter: [],
};
const later = "2026-03-05 09:00:00";

/** A company that can send campaigns. */
async function sendingCompany(app: TestApp) {
  const company = await app.company();
  const set = await company.admin.call("PUT", "/v1/campaigns/settings", {
    domain_slug: `slug-${company.id}`,
  });
  assert.equal(set.status, 200, set.text);
  return company;
}

async function make(actor: Actor, body: object) {
  const made = await actor.call("POST", "/v1/campaigns", body);
  assert.equal(made.status, 201, made.text);
  return made.body;
}

async function newPath(actor: Actor, more: object = {}): Promise<string> {
  const body = {
    name: "Sale",
    activity_types: { milestones: [{ name: "Offer" }] },
    ...more,
  };
  return (await actor.call("POST", "/v1/relations-paths", body)).body.id;
}

Deno.test("POST returns a campaign, GET returns it with its content, and lists omit the content", async () => {
  await using app = await startApp();
  const { admin } = await sendingCompany(app);
  const template = (await admin.call("POST", "/v1/templates", {
    type: "email",
    title: "T",
    content: "x",
  })).body;
  const path = await newPath(admin);
  const task = {
    distribution_strategy: "distribute",
    distribute_users: [admin.id],
    relations_path: path,
    start_at: "2026-03-06 09:00:00",
    end_at: "2026-03-06 17:00:00",
  };
  const body = {
    ...email,
    approved: true,
    send_at: later,
    template_id: template.id,
    task,
    description: "D",
  };
  const made = await admin.call("POST", "/v1/campaigns", body);
  assert.equal(made.status, 201, made.text);
  const { message, unshown_characters, ...listed } = made.body;
  assert.deepEqual(unshown_characters, []);
  const user = { id: admin.id, name: "Ada Byron admin" };
  assert.deepEqual(listed, {
    id: made.body.id,
    user,
    team_id: null,
    group_id: null,
    scope: "global",
    name: "Spring",
    approved: true,
    status: "pending",
    stopped_reason: null,
    description: "D",
    type: "email",
    template: {
      id: template.id,
      type: "email",
      company_id: admin.companyId,
      title: "T",
      user_id: admin.id,
    },
    filter: [],
    sent_at: null,
    total_sent: 0,
    send_at: later,
    task: { ...task, distribute_users: [user] },
    created_at: "2026-03-02 09:00:00",
    updated_at: "2026-03-02 09:00:00",
  });
  assert.deepEqual(message, email.message);
  assert.equal(
    (await admin.call("GET", `/v1/campaigns/${made.body.id}`)).text,
    made.text,
  );
  const { body: page } = await admin.call("GET", "/v1/campaigns");
  const { content: _, ...short } = message;
  assert.deepEqual(page.data, [{ ...listed, message: short }]);
  assert.equal(page.pagination.total, 1);
});

Deno.test("rejects an invalid campaign with field and rule, and creates nothing", async () => {
  await using app = await startApp();
  const company = await sendingCompany(app);
  const { admin } = company;
  const [team, group] = [await company.team(), await company.group()];
  const outside = await company.user();
  const path = await newPath(admin);
  const letter = (await admin.call("POST", "/v1/templates", {
    type: "letter",
    title: "L",
    content: "x",
  })).body.id;
  const approved = { ...email, approved: true, send_at: later };
  const task = {
    distribution_strategy: "distribute",
    distribute_users: [admin.id],
    relations_path: path,
    start_at: "2026-03-06 09:00:00",
    end_at: "2026-03-06 17:00:00",
  };
  const call = { name: "Calls", type: "telephone", filter: [], send_at: later };
  const faults: [object, string, string][] = [
    [{ ...email, name: undefined }, "name", "required"],
    [{ ...email, name: "x".repeat(256) }, "name", "max"],
    [{ ...email, type: "sms" }, "type", "enum"],
    [
      { ...email, message: { ...email.message, subject: null } },
      "message.subject",
      "required",
    ],
    [
      { ...email, message: { ...email.message, sender: undefined } },
      "message.sender",
      "required",
    ],
    [
      { ...email, message: { ...email.message, content: "{{x" } },
      "message.content",
      "format",
    ],
    [
      { ...email, message: { ...email.message, subject: "{{> x}}" } },
      "message.subject",
      "format",
    ],
    [
      { ...email, type: "letter", message: { content: "x", sender: "x" } },
      "message.subject",
      "required",
    ],
    [
      { ...approved, type: "letter", message: { subject: "x" } },
      "message.content",
      "required",
    ],
    [
      { ...email, filter: [{ field: "nothing", operator: "eq", value: 1 }] },
      "filter[0].field",
      "unknown_field",
    ],
    [{ ...approved, filter: undefined }, "filter", "required"],
    [{ ...approved, send_at: undefined }, "send_at", "required"],
    [{ ...approved, send_at: "2026-03-02 09:00:00" }, "send_at", "after"],
    [{ ...email, send_at: "2026-03-01 09:00:00" }, "send_at", "after"],
    [{ ...email, template_id: letter }, "template_id", "exists"],
    [{ ...email, template_id: 999_999 }, "template_id", "exists"],
    [call, "task", "required"],
    [{ ...call, task, template_id: letter }, "template_id", "excluded"],
    [
      { ...call, task: { ...task, distribute_users: [] } },
      "task.distribute_users",
      "required",
    ],
    [
      { ...call, task: { ...task, distribute_users: [999_999] } },
      "task.distribute_users[0]",
      "exists",
    ],
    [
      {
        ...call,
        team_id: team,
        task: { ...task, distribute_users: [outside.id] },
      },
      "task.distribute_users[0]",
      "exists",
    ],
    [
      { ...call, task: { ...task, relations_path: admin.token.slice(0, 3) } },
      "task.relations_path",
      "type",
    ],
    [
      {
        ...call,
        task: {
          ...task,
          relations_path: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a001",
        },
      },
      "task.relations_path",
      "exists",
    ],
    [{ ...call, task: { ...task, start_at: later } }, "task.start_at", "after"],
    [
      { ...call, task: { ...task, end_at: task.start_at } },
      "task.end_at",
      "after",
    ],
    [
      { ...call, task: { ...task, end_at: undefined } },
      "task.end_at",
      "required",
    ],
    [{ ...email, team_id: team, group_id: group }, "group_id", "excluded"],
    [{ ...email, group_id: 999_999 }, "group_id", "exists"],
  ];
  for (const [body, path, code] of faults) {
    const refused = await admin.call("POST", "/v1/campaigns", body);
    assert.equal(refused.status, 422, JSON.stringify(body) + refused.text);
    const errors = refused.body.errors.map((
      error: { path: string; code: string },
    ) => [error.path, error.code]);
    assert.deepEqual(errors, [[path, code]]);
  }
  assert.equal(
    (await admin.call("GET", "/v1/campaigns")).body.pagination.total,
    0,
  );
});

Deno.test("a campaign is judged by what it will be: drafts, approval, execute_now", async () => {
  await using app = await startApp();
  const { admin } = await sendingCompany(app);
  const draft = await make(admin, { ...email, filter: undefined });
  assert.deepEqual([draft.status, draft.approved, draft.filter], [
    "draft",
    false,
    null,
  ]);
  const put = (body: object) => admin.call("PUT", `/v1/campaigns/${draft.id}`, body);
  const faults = (await put({ approved: true })).body.errors.map((
    error: { path: string },
  ) => error.path);
  assert.deepEqual(faults, ["filter", "send_at"]);
  const { body: { errors: [untimed] } } = await put({ approved: true, execute_now: true, filter: [] });
  assert.deepEqual([untimed.path, untimed.message], [
    "send_at",
    "An approved campaign needs it; only POST takes execute_now.",
  ]);
  assert.equal(
    (await put({ message: { subject: null } })).body.errors[0].path,
    "message.subject",
  );
  assert.equal(
    (await put({ type: "letter" })).body.errors[0].code,
    "not_editable",
  );
  for (const subject of ["One\nline", "One\u0000", "One\u202eline"]) {
    const [error] = (await put({ message: { subject } })).body.errors;
    assert.deepEqual([error.path, error.code], ["message.subject", "format"]);
  }
  const renamed = await put({
    name: "Early",
    message: { subject: " One line\n" },
  });
  assert.deepEqual(renamed.body.message, {
    ...email.message,
    subject: "One line",
  });
  const approved = await put({ approved: true, filter: [], send_at: later });
  assert.deepEqual(
    [approved.status, approved.body.status],
    [200, "pending"],
    approved.text,
  );
  app.clock.move(4 * 86_400_000);
  assert.deepEqual(
    (await put({ name: "Late" })).body.errors[0].path,
    "send_at",
  );
  const again = await put({ approved: false, name: "Late" });
  assert.deepEqual([again.status, again.body.status, again.body.send_at], [
    200,
    "draft",
    later,
  ], again.text);
  const now = await make(admin, {
    ...email,
    approved: true,
    execute_now: true,
    send_at: later,
  });
  assert.equal(now.send_at, "2026-03-06 09:00:00");
});

Deno.test("approving a campaign requires campaigns.send", async () => {
  await using app = await startApp();
  const company = await sendingCompany(app);
  const team = await company.team();
  const writer = await company.user({
    teams: [team],
    rights: ["campaigns.manage"],
  });
  const sender = await company.user({
    teams: [team],
    rights: ["campaigns.manage", "campaigns.send"],
  });
  const approved = { ...email, approved: true, send_at: later };
  assert.match(
    (await writer.call("POST", "/v1/campaigns", approved)).body.detail,
    /campaigns\.send/,
  );
  const { id } = await make(writer, email);
  const put = (actor: Actor, body: object) => actor.call("PUT", `/v1/campaigns/${id}`, body);
  assert.equal(
    (await put(writer, { approved: true, send_at: later })).status,
    403,
  );
  assert.equal(
    (await put(sender, { approved: true, send_at: later })).status,
    200,
  );
  assert.equal((await put(writer, { name: "Other" })).status, 403);
  assert.equal((await put(writer, { approved: false })).status, 200);
});

Deno.test("a campaign needs a domain to be sent from, which campaigns that wait keep", async () => {
  await using app = await startApp({
    CAMPAIGN_DOMAIN_SUFFIX: "crm.example.com",
  });
  const [company, other] = [await app.company(), await app.company()];
  const { admin } = company;
  const missing = await admin.call("POST", "/v1/campaigns", email);
  assert.deepEqual([missing.status, missing.body.code], [
    409,
    "campaign_domain_missing",
  ]);
  const put = (body: object, by = admin) => by.call("PUT", "/v1/campaigns/settings", body);
  const set = await put({ domain_slug: "cars", consent: { enable: true } });
  assert.match(set.body.consent.signing_key, /^[0-9a-f]{64}$/);
  const { signing_key: _, ...consent } = set.body.consent;
  assert.deepEqual({ ...set.body, consent }, {
    domain: null,
    domain_slug: "cars",
    domain_slug_suffix: "crm.example.com",
    consent: { enable: true, custom: false, unsubscribe_url: null },
  });
  assert.equal(
    (await admin.call("GET", "/v1/campaigns/settings")).text,
    set.text,
  );
  const faults: [object, string, string][] = [
    [{ domain_slug: "ab" }, "domain_slug", "format"],
    [{ domain_slug: "-ab" }, "domain_slug", "format"],
    [{ domain_slug: "Ab c" }, "domain_slug", "format"],
    [{ domain_slug: "x".repeat(41) }, "domain_slug", "max"],
    [{ domain_slug: "postmaster" }, "domain_slug", "unique"],
    [{ domain_slug: "cars" }, "domain_slug", "unique"],
    [{ consent: { custom: true } }, "consent.unsubscribe_url", "required"],
    [
      { consent: { unsubscribe_url: "http://example.org" } },
      "consent.unsubscribe_url",
      "format",
    ],
  ];
  for (const [body, path, code] of faults) {
    const refused = await put(body, other.admin);
    assert.equal(refused.status, 422, refused.text);
    assert.deepEqual(
      [refused.body.errors[0].path, refused.body.errors[0].code],
      [path, code],
    );
  }
  await make(admin, { ...email, approved: true, send_at: later });
  assert.equal(
    (await put({ domain_slug: null })).body.code,
    "campaign_domain_missing",
  );
  const { body: [campaign] } = {
    body: (await admin.call("GET", "/v1/campaigns")).body.data,
  };
  assert.equal(
    (await admin.call("DELETE", `/v1/campaigns/${campaign.id}`)).status,
    204,
  );
  assert.equal((await put({ domain_slug: null })).body.domain_slug, null);
});

Deno.test("a copy is a draft of the caller with a name of its own, and can be renamed", async () => {
  await using app = await startApp();
  const company = await sendingCompany(app);
  const { admin } = company;
  const path = await newPath(admin);
  const long = "x".repeat(255);
  const task = {
    distribution_strategy: "responsible_user",
    relations_path: path,
    start_at: "2026-03-06 09:00:00",
    end_at: "2026-03-06 17:00:00",
  };
  const calls = {
    name: long,
    type: "telephone",
    filter: [],
    send_at: later,
    task,
  };
  const { id } = await make(admin, calls);
  const colleague = await company.user({ type: "admin" });
  const copy = async (of: string) => {
    const made = await colleague.call("POST", `/v1/campaigns/${of}/copy`);
    assert.equal(made.status, 201, made.text);
    return made.body;
  };
  const first = await copy(id);
  assert.deepEqual(
    [
      first.name,
      first.status,
      first.send_at,
      first.task,
      first.user.id,
      first.filter,
    ],
    [`${"x".repeat(248)} (copy)`, "draft", null, null, colleague.id, []],
  );
  assert.equal((await copy(id)).name, `${"x".repeat(246)} (copy 2)`);
  const renamed = await colleague.call("PUT", `/v1/campaigns/${first.id}`, {
    name: "Calls",
  });
  assert.equal(renamed.status, 200, renamed.text);
  assert.equal((await copy(first.id)).name, "Calls (copy)");
});

Deno.test("campaigns are listed by status, type, team and words of the name", async () => {
  await using app = await startApp();
  const company = await sendingCompany(app);
  const { admin } = company;
  const team = await company.team();
  await make(admin, { ...email, name: "Müller draft" });
  await make(admin, {
    ...email,
    name: "Waiting",
    approved: true,
    send_at: later,
  });
  await make(admin, {
    ...email,
    name: "Letters",
    type: "letter",
    team_id: team,
  });
  const names = async (query: string) => {
    const { body } = await admin.call("GET", `/v1/campaigns?${query}`);
    assert.equal(body.pagination.total, body.data.length);
    return body.data.map(({ name }: { name: string }) => name).sort();
  };
  assert.deepEqual(await names("status=draft"), ["Letters", "Müller draft"]);
  assert.deepEqual(await names("status=pending"), ["Waiting"]);
  assert.deepEqual(await names("status=sent"), []);
  assert.deepEqual(await names("types=letter,telephone"), ["Letters"]);
  assert.deepEqual(await names("type=letter"), ["Letters"]);
  const deprecated = await admin.call("GET", "/v1/campaigns?type=letter");
  assert.equal(deprecated.headers.get("sunset"), "Mon, 01 Oct 2018 00:00:00 GMT");
  assert.match(deprecated.headers.get("deprecation")!, /^@\d+$/);
  assert.deepEqual(await names(`teams=${team}`), ["Letters"]);
  assert.deepEqual(await names("search=muller"), ["Müller draft"]);
  assert.equal(
    (await admin.call("GET", "/v1/campaigns?types=sms")).status,
    422,
  );
});

Deno.test("campaigns of deleted users and teams go to successors, and wait for approval again", async () => {
  await using app = await startApp();
  const company = await sendingCompany(app);
  const { admin } = company;
  const [gone, kept] = [await company.team(), await company.team()];
  const rights = ["campaigns.manage", "campaigns.send"] as const;
  const author = () => company.user({ teams: [gone], rights: [...rights] });
  const approved = { ...email, approved: true, send_at: later };
  const [first, second, successor] = [
    await author(),
    await author(),
    await company.user({ teams: [gone] }),
  ];
  const [one, two] = [
    await make(first, approved),
    await make(second, approved),
  ];
  const users = `/v1/companies/${company.id}/users`;
  const stale = await second.call("GET", `/v1/campaigns/${two.id}`);
  assert.ok(
    (await admin.call("DELETE", `${users}/${first.id}?assign_to=${successor.id}`))
      .status < 300,
  );
  assert.ok((await admin.call("DELETE", `${users}/${second.id}`)).status < 300);
  const read = async (id: string) => (await admin.call("GET", `/v1/campaigns/${id}`)).body;
  const of = (
    { user, status, team_id }: {
      user: { id: number };
      status: string;
      team_id: number;
    },
  ) => [user.id, status, team_id];
  assert.deepEqual(of(await read(one.id)), [successor.id, "draft", gone]);
  assert.deepEqual(of(await read(two.id)), [second.id, "draft", gone]);
  assert.notEqual(
    (await admin.call("GET", `/v1/campaigns/${two.id}`)).headers.get("etag"),
    stale.headers.get("etag"),
  );
  const { body } = await admin.call("GET", "/v1/notifications");
  assert.match(
    body.data[0].message,
    /^1 campaign of .* wait for approval again\.$/,
  );
  assert.ok(
    (await admin.call("DELETE", `/v1/teams/${gone}?assign_to=${kept}`)).status <
      300,
  );
  assert.equal((await read(one.id)).team_id, kept);
});
