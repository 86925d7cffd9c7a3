import assert from "node:assert/strict";
import { type Actor, type Body, startApp, type TestApp } from "../support/app.ts";
import { world } from "../sales/leads_world.ts";
import { eventsOf, newCase, newContact, newPath } from "../sales/parts.ts";
import { named } from "./fields_world.ts";

const of = (account: Body, contact?: Body) =>
  `/v1/accounts/${account.id}${contact ? `/contacts/${contact.id}` : ""}`;

async function impact(by: Actor, path: string): Promise<Body> {
  const reply = await by.call("GET", `${path}/delete-impact`);
  assert.equal(reply.status, 200, reply.text);
  return reply.body;
}

async function gone(by: Actor, path: string): Promise<void> {
  const reply = await by.call("DELETE", path);
  assert.equal(reply.status, 204, reply.text);
  assert.equal((await by.call("GET", path)).status, 404);
}

/** Rows that an account or a contact leaves behind in any table. */
async function leftovers(app: TestApp): Promise<Body> {
  const tables = [
    "accounts",
    "contacts",
    "cases",
    "activities",
    "tasks",
    "case_milestones",
    "leads",
    "lead_moves",
  ];
  const of = [...tables, "accounts_search", "contacts_search", "cases_search", "custom_values"];
  const [row] = await app.sql(`select ${of.map((table) => `(select count(*) from ${table}) as ${table}`)}`);
  return Object.fromEntries(Object.entries(row!).filter(([, n]) => n !== 0));
}

const amounts = (body: Body) => body.deletes.map(({ type, amount }: Body) => `${amount} ${type}`);

Deno.test("deleting an account takes what its delete-impact lists, exactly, with an event for each that is what GET answered before", async () => {
  await using app = await startApp();
  const sales = await world(app);
  const { admin } = sales;
  const path = await newPath(admin);
  await admin.call("POST", "/v1/fields/account", { label: "Size", type: "numeric" });
  await admin.call("POST", "/v1/fields/contact", { label: "Birthday", type: "date" });
  const { account, contact } = await newContact(admin, {}, {
    external_id: "erp-1",
    custom_fields: named({ size: 5 }),
  });
  const second = await admin.call("POST", `${of(account)}/contacts`, {
    fixed_fields: named({ last_name: "Byron" }),
    custom_fields: named({ birthday: "1815-12-10" }),
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
  // Of somebody else, and stays.
  const other = await newCase(admin, path);
  const stays = await leftovers(app);

  const told = await impact(admin, of(account));
  assert.deepEqual(told.blocked_by, []);
  const cases = (await app.sql("select count(*) as n from cases where account_id = ?", account.id))[0]!.n;
  assert.deepEqual(amounts(told), ["2 activity", `${cases} case`, "2 contact", "2 lead", "1 task"]);
  const records: Record<string, string> = {};
  const seen = [
    of(account),
    of(account, contact),
    of(account, second.body),
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
  const known = (await eventsOf(app)).length;
  const commits = countCommits(app);
  await gone(admin, of(account));
  assert.equal(commits(), 1, "one transaction");
  const events = (await eventsOf(app)).slice(known);
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
    fixed_fields: named({ name: "New" }),
  });
  assert.equal(again.status, 201);
});

/** How many batches have been written since. */
function countCommits(app: TestApp): () => number {
  let count = 0;
  const { write } = app.deps.db;
  app.deps.db.write = async (statements) => {
    count++;
    return await write.call(app.deps.db, statements);
  };
  return () => count;
}
