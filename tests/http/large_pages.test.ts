/** A page whose records are too large together ends early, and the next one goes on where it ended. */
import assert from "node:assert/strict";
import { pageBudget } from "../../src/core/budgets.ts";
import { type Body, startApp } from "../support/app.ts";
import { makeSales } from "../sales/leads_world.ts";

/** Definitions that take nearly what they may, and one field for a long text. */
const fields =
  "insert into fields (id, company_id, owner_type, name, label, type, options, created_at, updated_at) " +
  "select f.value ->> 0, ?, f.value ->> 1, f.value ->> 2, 'F', f.value ->> 3, json(f.value ->> 4), " +
  "'2026-01-01 00:00:00', '2026-01-01 00:00:00' from json_each(?) f";

Deno.test("leads of more than 25 MiB together are read page by page, none twice and none missing", async () => {
  await using app = await startApp();
  const { company, admin, body } = await makeSales(app);
  const options = (field: number) =>
    Array.from({ length: 200 }, (_, n) => ({
      id: `0193b000-0000-7000-800${field}-${String(n).padStart(12, "0")}`,
      value: "o".repeat(80),
      sort: null,
    }));
  const id = (n: number) => `0193a000-0000-7000-8000-${String(n).padStart(12, "0")}`;
  const rows = ["account", "contact"].flatMap((owner, place) => [
    ...[0, 1, 2].map((
      n,
    ) => [id(place * 10 + n), owner, `f${n}`, "single_choice", JSON.stringify(options(n))]),
    [id(place * 10 + 9), owner, "long", "multi_line", "[]"],
  ]);
  await app.deps.db.write([{ sql: fields, args: [company.id, JSON.stringify(rows)] }]);
  const long = (name: string) => ({
    fixed_fields: [{ name, value: "Ada" }],
    custom_fields: [{ name: "long", value: "x".repeat(65_000) }],
  });
  const account = await admin.call("POST", "/v1/accounts", long("name"));
  assert.equal(account.status, 201, account.text.slice(0, 300));
  const contact = await admin.call("POST", `/v1/accounts/${account.body.id}/contacts`, long("last_name"));
  assert.equal(contact.status, 201, contact.text.slice(0, 300));
  const given = body({
    account: undefined,
    contact: undefined,
    account_id: account.body.id,
    contact_id: contact.body.id,
  });
  const made = await Promise.all(Array.from({ length: 50 }, () => admin.call("POST", "/v1/leads", given)));
  assert.deepEqual([...new Set(made.map(({ status }) => status))], [201]);

  const seen: string[] = [];
  const pages: number[] = [];
  for (let url: string | null = `${app.url}/v1/leads?per_page=100`; url !== null;) {
    const { pathname, search } = new URL(url);
    const reply = await admin.call("GET", pathname + search);
    assert.equal(reply.status, 200);
    assert.equal(reply.body.pagination.total, 50);
    assert.ok(reply.text.length <= pageBudget + 10_000, `${reply.text.length} characters`);
    pages.push(reply.body.data.length);
    seen.push(...reply.body.data.map((lead: Body) => lead.id));
    url = reply.body.pagination.urls.next;
  }
  assert.deepEqual(seen.toSorted(), made.map(({ body }) => body.id).toSorted());
  assert.ok(pages.length > 1 && pages[0]! > 30, pages.join());
});
