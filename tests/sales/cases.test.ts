import assert from "node:assert/strict";
import { Case, CasePage } from "../../src/sales/cases/schema.ts";
import { startApp } from "../support/app.ts";
import { newCase, newContact, newPath, readEvents } from "./parts.ts";

Deno.test("a new case is open, shows account, contact, team and milestones in full, and GET answers the same", async () => {
  await using app = await startApp();
  const company = await app.company();
  const team = await company.team({ group_id: await company.group() });
  const member = await company.user({ teams: [team] });
  const path = await newPath(company.admin);
  const { account, contact } = await newContact(member);
  const made = await member.call("POST", "/v1/cases", {
    contact_id: contact.id,
    relations_path_id: path.id,
    stock_vehicle_id: "01939C5E-7D3A-7C3F-8A55-0A4BE5A1A001",
    notify_user: true,
  });
  assert.equal(made.status, 201, made.text);
  const { body } = made;
  assert.deepEqual([body.case_number, body.status, body.activity_count], [1, "open", 0]);
  assert.deepEqual(body.relations_path, { id: path.id, name: "New cars", is_sales_type: true });
  assert.deepEqual([body.user.id, body.team_id, body.team.id], [member.id, team, team]);
  assert.deepEqual([body.account.id, body.account.team.id], [account.id, team]);
  assert.deepEqual([body.contact.id, body.contact.status, body.contact.team_id], [
    contact.id,
    "opportunity",
    team,
  ]);
  assert.deepEqual(
    body.milestones.map(({ name, done }: { name: string; done: boolean }) => [name, done]),
    [["Contacted", false], ["Offer", false], ["Reopened", false], ["Sold", false], ["Lost", false]],
  );
  assert.equal(body.stock_vehicle_id, "01939c5e-7d3a-7c3f-8a55-0a4be5a1a001");
  assert.equal(Case.strict().safeParse(body).error, undefined);
  const got = await member.call("GET", `/v1/cases/${body.id}`);
  assert.equal(got.text, made.text);

  const events = await readEvents(app);
  assert.deepEqual(events.slice(-2).map(({ name }) => name), ["contact_updated", "case_created"]);
  assert.deepEqual(events.at(-1)!.body, body);
  const now = await member.call("GET", `/v1/contacts/${contact.id}`);
  assert.deepEqual(events.at(-2)!.body, now.body);
  assert.equal(now.body.status, "opportunity");
});

Deno.test("case numbers count from 1 in each company without gaps, also for concurrent calls", async () => {
  await using app = await startApp();
  for (const company of [await app.company(), await app.company()]) {
    const path = await newPath(company.admin);
    const { contact } = await newContact(company.admin);
    const body = { contact_id: contact.id, relations_path_id: path.id };
    assert.equal((await company.admin.call("POST", "/v1/cases", { ...body, user_id: 999_999 })).status, 422);
    const made = await Promise.all(
      Array.from(
        { length: 20 },
        (_, index) => company.admin.call("POST", "/v1/cases", body, { "Idempotency-Key": `k${index}` }),
      ),
    );
    assert.deepEqual(made.map(({ status }) => status), made.map(() => 201));
    const numbers = made.map(({ body }) => body.case_number as number).sort((one, two) => one - two);
    assert.deepEqual(numbers, Array.from({ length: 20 }, (_, index) => index + 1));
    const stored = await app.sql(
      "select case_number from cases where company_id = ? and id = ?",
      company.id,
      made[7]!.body.id,
    );
    assert.equal(stored[0]!.case_number, made[7]!.body.case_number);
    const again = await company.admin.call("POST", "/v1/cases", body, { "Idempotency-Key": "k7" });
    assert.equal(again.headers.get("idempotent-replayed"), "true");
    assert.equal(again.text, made[7]!.text);
    const events = (await readEvents(app)).filter(({ body }) => body.id === made[7]!.body.id);
    assert.deepEqual(events.map(({ body }) => body.case_number), [made[7]!.body.case_number]);
  }
});

Deno.test("an invalid case is rejected with field and rule, and nothing is created", async () => {
  await using app = await startApp();
  const [company, foreign] = [await app.company(), await app.company()];
  const team = await company.team();
  const other = await company.team();
  const member = await company.user({ teams: [team] });
  const outsider = await company.user({ teams: [other] });
  const path = await newPath(company.admin);
  const hidden = await newPath(company.admin, { team_id: other });
  const { contact } = await newContact(member);
  const { contact: theirs } = await newContact(outsider);
  const { contact: abroad } = await newContact(foreign.admin);
  const body = { contact_id: contact.id, relations_path_id: path.id };
  const faults: [unknown, string, string][] = [
    [{}, "contact_id", "required"],
    [{ contact_id: contact.id }, "relations_path_id", "required"],
    [{ ...body, contact_id: 5 }, "contact_id", "type"],
    [{ ...body, contact_id: theirs.id }, "contact_id", "exists"],
    [{ ...body, contact_id: abroad.id }, "contact_id", "exists"],
    [{ ...body, relations_path_id: hidden.id }, "relations_path_id", "exists"],
    [{ ...body, relations_path_id: contact.id }, "relations_path_id", "exists"],
    [{ ...body, user_id: foreign.admin.id }, "user_id", "exists"],
    [{ ...body, user_id: outsider.id }, "user_id", "exists"],
    [{ ...body, team_id: other }, "team_id", "exists"],
    [{ ...body, notify_user: "yes" }, "notify_user", "type"],
    [{ ...body, created_at: "2030-01-01 00:00:00" }, "created_at", "before"],
  ];
  for (const [sent, where, code] of faults) {
    const refused = await member.call("POST", "/v1/cases", sent);
    assert.equal(refused.status, 422, JSON.stringify(sent));
    const found = refused.body.errors.find((error: { path: string }) => error.path === where);
    assert.equal(found?.code, code, refused.text);
  }
  assert.deepEqual(await app.sql("select id from cases"), []);
  assert.equal((await member.call("GET", `/v1/contacts/${contact.id}`)).body.status, "lead");
});

Deno.test("only its team, the teams of its group, and admins see a case", async () => {
  await using app = await startApp();
  const company = await app.company();
  const group = await company.group();
  const [north, south] = [await company.team({ group_id: group }), await company.team({ group_id: group })];
  const path = await newPath(company.admin);
  const member = await company.user({ teams: [north] });
  const made = await newCase(member, path);
  const seen = [
    [member, 200],
    [await company.user({ teams: [south] }), 200],
    [company.admin, 200],
    [await company.user({ teams: [await company.team()] }), 404],
    [(await app.company()).admin, 404],
  ] as const;
  for (const [who, status] of seen) {
    assert.equal((await who.call("GET", `/v1/cases/${made.id}`)).status, status);
    const list = await who.call("GET", "/v1/cases");
    assert.equal(list.body.data.length, status === 200 ? 1 : 0);
    assert.equal(list.body.pagination.total, status === 200 ? 1 : 0);
    assert.equal(list.body.statuses.all, status === 200 ? 1 : 0);
  }
});

Deno.test("a list of cases shows summaries, and counts statuses under all filters except status", async () => {
  await using app = await startApp();
  const company = await app.company();
  const team = await company.team();
  const member = await company.user({ teams: [team] });
  const path = await newPath(company.admin);
  const mine = await newCase(member, path);
  const shared = await newCase(company.admin, path, { user_id: company.admin.id });
  await newCase(member, path);
  await app.deps.db.write([
    { sql: "update cases set status = 'closed' where id = ?", args: [shared.id] },
  ]);
  const list = async (query: string, who = member) => (await who.call("GET", `/v1/cases?${query}`)).body;
  const all = await list("");
  assert.equal(CasePage.strict().safeParse(all).error, undefined);
  assert.deepEqual(all.statuses, { all: 3, open: 2, closed: 1, declined: 0 });
  const entry = all.data.find(({ id }: { id: string }) => id === mine.id);
  assert.deepEqual(entry.account, { id: mine.account.id, name: "Engines Ltd" });
  assert.deepEqual(entry.contact, { id: mine.contact.id, name: "Grace Hopper" });
  assert.deepEqual(entry.relations_paths, mine.relations_path);

  const open = await list("status=open");
  assert.deepEqual([open.pagination.total, open.data.length], [2, 2]);
  assert.deepEqual(open.statuses, all.statuses);
  const own = await list(`users=${member.id}&status=closed`);
  assert.deepEqual([own.pagination.total, own.data.length], [0, 0]);
  assert.deepEqual(own.statuses, { all: 2, open: 2, closed: 0, declined: 0 });
  assert.deepEqual((await list("show=mine")).statuses.all, 2);
  assert.deepEqual((await list("show=team")).statuses, { all: 2, open: 2, closed: 0, declined: 0 });
  assert.deepEqual((await list("show=mine", company.admin)).statuses.all, 1);
  assert.equal((await list(`teams=${team}`)).pagination.total, 2);
  assert.equal((await list(`relations_paths=${path.id}`)).pagination.total, 3);
  assert.equal((await list(`relations_paths=${mine.id}`)).pagination.total, 0);
  assert.equal((await list("created_from_lead=true")).pagination.total, 0);
  assert.equal((await list("created_from_lead=0")).pagination.total, 3);
  assert.equal((await list("start_at=2026-03-02%2009:00:01")).pagination.total, 0);
});

Deno.test("an invalid filter of cases is rejected with its name", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const faults: [string, string, string][] = [
    ["show=all", "query.show", "enum"],
    ["status=lost", "query.status", "enum"],
    ["sort_mode=newest", "query.sort_mode", "enum"],
    ["users=x", "query.users[0]", "type"],
    ["relations_paths=x", "query.relations_paths[0]", "type"],
    ["milestone_types=lunch", "query.milestone_types", "enum"],
    ["created_from_lead=maybe", "query.created_from_lead", "type"],
    [
      "created_from_lead=1&lead_types=01939c5e-7d3a-7c3f-8a55-0a4be5a1a001",
      "query.lead_types",
      "excluded",
    ],
    ["start_at=2026-01-02%2000:00:00&end_at=2026-01-01%2000:00:00", "query.end_at", "after"],
    [
      "milestone_start_at=2026-01-02%2000:00:00&milestone_end_at=2026-01-02%2000:00:00",
      "query.milestone_end_at",
      "after",
    ],
    ["per_page=101", "query.per_page", "max"],
  ];
  for (const [query, where, code] of faults) {
    const { status, body } = await admin.call("GET", `/v1/cases?${query}`);
    assert.equal(status, 422, query);
    assert.deepEqual(
      body.errors.map((error: { path: string; code: string }) => [error.path, error.code]),
      [[where, code]],
    );
  }
});

Deno.test("search finds cases by number, account name and contact name, also after a change of name", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const path = await newPath(admin);
  const { account, contact } = await newContact(admin, { account: "Müller Motoren", last: "Łódzki" });
  const { body: made } = await admin.call("POST", "/v1/cases", {
    contact_id: contact.id,
    relations_path_id: path.id,
  });
  await newCase(admin, path);
  const listFound = async (search: string) => {
    const { body } = await admin.call("GET", `/v1/cases?search=${encodeURIComponent(search)}`);
    assert.equal(body.pagination.total, body.data.length);
    return body.data.map(({ case_number }: { case_number: number }) => case_number);
  };
  assert.deepEqual(await listFound("1"), [1]);
  assert.deepEqual(await listFound("mul GRACE lodz 1"), [made.case_number]);
  assert.deepEqual(await listFound("grace"), [1, 2]);
  assert.deepEqual(await listFound("otoren"), []);
  const makeNamed = (name: string, value: string) => ({ fixed_fields: [{ name, value }] });
  await admin.call("PUT", `/v1/accounts/${account.id}`, makeNamed("name", "Schmidt"));
  assert.deepEqual([await listFound("mul"), await listFound("schmidt lodz")], [[], [1]]);
  await admin.call("PUT", `/v1/accounts/${account.id}/contacts/${contact.id}`, makeNamed("last_name", "Ada"));
  assert.deepEqual([await listFound("lodz"), await listFound("schmidt ada 1")], [[], [1]]);
});

Deno.test("pages of cases return each case once", async () => {
  await using app = await startApp();
  const company = await app.company();
  const team = await company.team();
  const member = await company.user({ teams: [team] });
  const path = await newPath(company.admin);
  for (let index = 0; index < 7; index++) await newCase(index % 2 ? member : company.admin, path);
  for (const mode of ["important", "recent"]) {
    const numbers: number[] = [];
    let next: string | null = `/v1/cases?per_page=2&sort_mode=${mode}`;
    while (next !== null) {
      const { body } = await member.call("GET", next.replace(app.url, ""));
      assert.equal(body.pagination.total, 7);
      numbers.push(...body.data.map(({ case_number }: { case_number: number }) => case_number));
      next = body.pagination.urls.next;
    }
    const expected = [1, 2, 3, 4, 5, 6, 7];
    assert.deepEqual(numbers, mode === "important" ? expected : expected.toReversed());
  }
});
