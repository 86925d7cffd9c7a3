import assert from "node:assert/strict";
import { type Body, startApp, type TestApp } from "../support/app.ts";
import { makeSales } from "../sales/leads_world.ts";
import { newCase, newContact, newPath, readEvents } from "../sales/parts.ts";
import { deleteAt, listAmounts, makePath, readImpact } from "./deletion_world.ts";
import { nameValues } from "./fields_world.ts";

/** Rows that an account or a contact leaves behind in any table. */
async function leftovers(app: TestApp): Promise<Body> {
  const tables = [
    "accounts",
    "contacts",
    "cases",
    "activities",
    "tasks",
    "case_milestones",
    "case_status_changes",
    "leads",
    "lead_transitions",
  ];
  const of = [...tables, "accounts_search", "contacts_search", "cases_search", "custom_values"];
  const [row] = await app.sql(`select ${of.map((table) => `(select count(*) from ${table}) as ${table}`)}`);
  return Object.fromEntries(Object.entries(row!).filter(([, n]) => n !== 0));
}

Deno.test("deleting an account deletes exactly what its delete-impact lists, each with an event that has the last GET as its body", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin } = sales;
  const path = await newPath(admin);
  await admin.call("POST", "/v1/fields/account", { label: "Size", type: "numeric" });
  await admin.call("POST", "/v1/fields/contact", { label: "Birthday", type: "date" });
  const { account, contact } = await newContact(admin, {}, {
    external_id: "erp-1",
    custom_fields: nameValues({ size: 5 }),
  });
  const second = await admin.call("POST", `${makePath(account)}/contacts`, {
    fixed_fields: nameValues({ last_name: "Byron" }),
    custom_fields: nameValues({ birthday: "1815-12-10" }),
  });
  const open = await admin.call("POST", "/v1/cases", { contact_id: contact.id, relations_path_id: path.id });
  const activity = (more: object = {}) =>
    admin.call("POST", `/v1/cases/${open.body.id}/activities`, {
      activity_type_ids: [path.types.Offer],
      ...more,
    });
  await activity();
  const task = await activity({
    task: { type: "call", start_at: "2026-03-20 09:00:00", end_at: "2026-03-20 10:00:00" },
  });
  const naming = await sales.lead({ account: undefined, account_id: account.id });
  const accepted = await sales.lead({
    account: undefined,
    account_id: account.id,
    contact: undefined,
    contact_id: contact.id,
    team_id: sales.dealer,
  });
  assert.equal(
    (await admin.call("PUT", `/v1/leads/${accepted.id}/accept`, {
      user_id: sales.member.id,
      account_id: account.id,
    })).status,
    200,
  );
  const expired = await sales.lead({
    account: undefined,
    account_id: account.id,
    expires_at: "2026-03-02 09:30:00",
  });
  app.clock.move(45 * 60_000);
  assert.equal((await admin.call("GET", `/v1/leads/${expired.id}`)).status, 404);
  // A case of another customer, which stays.
  const other = await newCase(admin, path);
  const stays = await leftovers(app);

  const reported = await readImpact(admin, makePath(account));
  assert.deepEqual(reported.blocked_by, []);
  const cases = (await app.sql("select count(*) as n from cases where account_id = ?", account.id))[0]!.n;
  assert.deepEqual(listAmounts(reported), ["2 activity", `${cases} case`, "2 contact", "2 lead", "1 task"]);
  const records: Record<string, string> = {};
  const seen = [
    makePath(account),
    makePath(account, contact),
    makePath(account, second.body),
    `/v1/leads/${naming.id}`,
    `/v1/leads/${accepted.id}`,
  ];
  for (const { id } of await app.sql("select id from cases where account_id = ?", account.id)) {
    seen.push(`/v1/cases/${id}`);
  }
  for (const path of seen) {
    const reply = await admin.call("GET", path);
    assert.equal(reply.status, 200, path);
    records[reply.body.id] = reply.text;
  }
  const known = (await readEvents(app)).length;
  const commits = countCommits(app);
  await deleteAt(admin, makePath(account));
  assert.equal(commits(), 1, "one transaction");
  const events = (await readEvents(app)).slice(known);
  const names = events.map(({ name }) => name).sort();
  assert.deepEqual(names, [
    "account_deleted",
    ...Array(Number(cases)).fill("case_deleted"),
    "contact_deleted",
    "contact_deleted",
    "lead_deleted",
    "lead_deleted",
    "task_deleted",
  ]);
  for (const { name, body } of events) {
    if (name === "task_deleted") assert.equal(body.id, task.body.task.id);
    else assert.deepEqual(body, JSON.parse(records[body.id]!), name);
  }
  for (const path of seen) assert.equal((await admin.call("GET", path)).status, 404, path);
  const left = await leftovers(app);
  assert.deepEqual(left, {
    accounts: 1,
    contacts: 1,
    cases: 1,
    accounts_search: 1,
    contacts_search: 1,
    cases_search: 1,
  });
  assert.ok(stays.custom_values > 0);
  assert.equal((await admin.call("GET", `/v1/cases/${other.id}`)).status, 200);
  for (const list of ["accounts", "contacts", "cases", "leads"]) {
    const { body } = await admin.call("GET", `/v1/${list}`);
    assert.equal(body.pagination.total, body.data.length, list);
    assert.equal(body.data.length, list === "leads" ? 0 : 1, list);
  }
  assert.deepEqual(await app.sql("pragma foreign_key_check"), []);
  // The external id is free again.
  const again = await admin.call("POST", "/v1/accounts", {
    external_id: "erp-1",
    fixed_fields: nameValues({ name: "New" }),
  });
  assert.equal(again.status, 201);
});

Deno.test("deleting a contact deletes its cases and leads, not the account's others", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin } = sales;
  const path = await newPath(admin);
  const { account, contact } = await newContact(admin);
  const { body: other } = await admin.call("POST", `${makePath(account)}/contacts`, {
    fixed_fields: nameValues({ last_name: "Byron" }),
  });
  const createCase = async (contact_id: string) => {
    const reply = await admin.call("POST", "/v1/cases", { contact_id, relations_path_id: path.id });
    assert.equal(reply.status, 201, reply.text);
    return reply.body.id as string;
  };
  const [its, others] = [await createCase(contact.id), await createCase(other.id)];
  app.clock.move(60_000);
  const act = async (id: string, created_at?: string) => {
    const body = { activity_type_ids: [path.types.Call], created_at };
    assert.equal((await admin.call("POST", `/v1/cases/${id}/activities`, body)).status, 201);
  };
  await act(others);
  app.clock.move(60_000);
  await act(its);
  const lead = await sales.lead({
    account: undefined,
    account_id: account.id,
    contact: undefined,
    contact_id: contact.id,
  });
  const { body: elsewhere } = await admin.call("POST", "/v1/accounts", {
    fixed_fields: nameValues({ name: "Not its" }),
  });
  const reported = await readImpact(admin, makePath(account, contact));
  assert.deepEqual([reported.blocked_by, listAmounts(reported)], [[], ["1 activity", "1 case", "1 lead"]]);
  const known = (await readEvents(app)).length;
  assert.equal((await admin.call("DELETE", makePath(elsewhere, contact))).status, 404);
  await deleteAt(admin, makePath(account, contact));
  const names = (await readEvents(app)).slice(known).map(({ name }) => name);
  assert.deepEqual(names, ["lead_deleted", "case_deleted", "contact_deleted"]);
  for (const path of [`/v1/cases/${its}`, `/v1/leads/${lead.id}`]) {
    assert.equal((await admin.call("GET", path)).status, 404, path);
  }
  for (const path of [makePath(account), makePath(account, other), `/v1/cases/${others}`]) {
    assert.equal((await admin.call("GET", path)).status, 200, path);
  }
  // The account's last activity is that of the remaining case, and after that the account's creation.
  const last = async () =>
    (await app.sql("select last_activity_at as at from accounts where id = ?", account.id))[0]!.at;
  assert.equal(await last(), "2026-03-02 09:01:00");
  await deleteAt(admin, makePath(account, other));
  assert.equal(await last(), "2026-03-02 09:00:00");
  assert.equal((await admin.call("GET", `${makePath(account)}/contacts`)).body.pagination.total, 0);
});

Deno.test("a consumer's account without its contact shows no name, sends an event, and accepts another contact", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const { account, contact } = await newContact(admin, {}, { b2c: true, fixed_fields: [] });
  const known = (await readEvents(app)).length;
  await deleteAt(admin, makePath(account, contact));
  const { body } = await admin.call("GET", makePath(account));
  assert.equal(body.fixed_fields[0].value, null);
  const events = (await readEvents(app)).slice(known);
  assert.deepEqual(events.map(({ name }) => name), ["contact_deleted", "account_updated"]);
  assert.deepEqual(events[1]!.body, body);
  assert.equal((await admin.call("GET", "/v1/accounts?search=hopper")).body.pagination.total, 0);
  const next = { fixed_fields: nameValues({ last_name: "Byron" }) };
  assert.equal((await admin.call("POST", `${makePath(account)}/contacts`, next)).status, 201);
});

Deno.test("the company's default account cannot be deleted, and the refusal carries the impact; another default frees it", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const { account } = await newContact(admin);
  const settings = `/v1/companies/${company.id}/settings`;
  const chosen = await admin.call("PUT", settings, { default_account_id: account.id });
  assert.equal(chosen.body.default_account_id, account.id, chosen.text);
  const reported = await readImpact(admin, makePath(account));
  assert.deepEqual(reported, {
    blocked_by: [{ type: "company_settings", amount: 1, attribute: "default_account_id" }],
    deletes: [{ type: "contact", amount: 1 }],
  });
  const refused = await admin.call("DELETE", makePath(account));
  assert.deepEqual([refused.status, refused.body.code, refused.body.impact], [
    409,
    "delete_blocked",
    reported,
  ]);
  assert.equal((await admin.call("GET", makePath(account))).status, 200);
  assert.equal((await admin.call("PUT", settings, { default_account_id: null })).status, 200);
  await deleteAt(admin, makePath(account));
  const missing = await admin.call("PUT", settings, { default_account_id: account.id });
  assert.deepEqual(missing.body.errors.map(({ path, code }: Body) => [path, code]), [[
    "default_account_id",
    "exists",
  ]]);
});

Deno.test("If-Match limits a deletion to the given version", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const { account, contact } = await newContact(admin);
  for (const path of [makePath(account, contact), makePath(account)]) {
    assert.equal((await admin.call("DELETE", path, undefined, { "If-Match": '"x"' })).status, 412);
    const etag = (await admin.call("GET", path)).headers.get("etag")!;
    assert.equal((await admin.call("DELETE", path, undefined, { "If-Match": etag })).status, 204);
  }
});

/** Counts the batches that are written from now on. */
function countCommits(app: TestApp): () => number {
  let count = 0;
  const { write } = app.deps.db;
  app.deps.db.write = async (statements) => {
    count++;
    return await write.call(app.deps.db, statements);
  };
  return () => count;
}
