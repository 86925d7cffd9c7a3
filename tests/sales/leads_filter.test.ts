import assert from "node:assert/strict";
import { LeadPage } from "../../src/sales/leads/list_schema.ts";
import { type Body, startApp } from "../support/app.ts";
import { expandFilter, type Written } from "../customers/filters_world.ts";
import { put } from "./leads_states.ts";
import { makeSales, type World } from "./leads_world.ts";
import { newContact } from "./parts.ts";

/** The interests of the found leads, sorted; checks the total. */
async function listSelected({ admin }: World, ...nodes: Written[]): Promise<string> {
  const reply = await admin.call("POST", "/v1/leads/filter?per_page=100", { filter: expandFilter(nodes) });
  assert.equal(reply.status, 200, reply.text);
  const { data, pagination } = LeadPage.parse(reply.body);
  assert.equal(pagination.total, data.length);
  return data.map(({ interest }) => interest ?? "-").sort().join(" ");
}

Deno.test("each field of leads filters with each of its operators", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin, dealer, member } = sales;
  const other = await sales.company.team({ team_type: "dealer" });
  const drive = await sales.leadType({ name: "PROBEFÄHRT" });
  const { account, contact } = await newContact(admin, {}, { team_id: dealer });
  const a = await sales.lead({
    interest: "A",
    lead_type_id: drive,
    lead_source: "Größe",
    expires_at: "2026-03-05 00:00:00",
    account: undefined,
    account_id: account.id,
    contact: undefined,
    contact_id: contact.id,
    created_at: "2026-02-01 00:00:00",
  });
  app.clock.move(60_000);
  const b = await sales.lead({ interest: "B", team_id: other, lead_source: "fair" });
  app.clock.move(60_000);
  await sales.lead({ interest: "C", team_id: null });
  await sales.lead({ interest: null, lead_source: "FAIR" });
  await put(sales, "admin", b.id, "/reject", { rejection_reason: "Far" });
  const accepted = await put(sales, "member", a.id, "/accept");
  assert.equal(accepted.status, 200, accepted.text);
  const cases: [field: string, operator: string, value: unknown, expected: string][] = [
    ["interest", "eq", "a", "A"],
    ["interest", "neq", "a", "- B C"],
    ["interest", "exists", false, "-"],
    ["interest", "in", ["a", "c"], "A C"],
    ["lead_source", "eq", "fair", "- B"],
    ["lead_source", "sw", "GRÖ", "A"],
    ["lead_source", "ew", "site", "C"],
    ["lead_source", "ct", "AI", "- B"],
    ["lead_source", "nct", "ai", "A C"],
    ["lead_source", "nin", ["fair", "größe"], "C"],
    ["lead_type", "eq", "probefährt", "A"],
    ["lead_type", "neq", "probefährt", "- B C"],
    ["lead_type", "sw", "test", "- B C"],
    ["lead_type_id", "eq", drive.toUpperCase(), "A"],
    ["lead_type_id", "neq", drive, "- B C"],
    ["status", "eq", "accepted", "A"],
    ["status", "in", ["REJECTED", "assignable"], "B C"],
    ["status", "neq", "accepted", "- B C"],
    ["team_id", "eq", other, "B"],
    ["team_id", "gt", dealer, "B"],
    ["team_id", "exists", false, "C"],
    ["team_id", "nin", [dealer], "B C"],
    ["account_id", "eq", account.id, "A"],
    ["account_id", "exists", false, "- B C"],
    ["contact_id", "eq", contact.id, "A"],
    ["case_id", "eq", accepted.body.case_id, "A"],
    ["case_id", "exists", false, "- B C"],
    ["created_at", "lt", "2026-03-01 00:00:00", "A"],
    ["created_at", "gt", "NOW-1m", "- C"],
    ["created_at", "eq", "2026-03-02 09:01:00", "B"],
    ["updated_at", "eq", "NOW", "- A B C"],
    ["expires_at", "lt", "NOW+1w", "A"],
    ["expires_at", "exists", false, "- B C"],
    ["acceptions.team_id", "eq", dealer, "A"],
    ["acceptions.team_id", "neq", dealer, "- B C"],
    ["assignments.team_id", "in", [dealer, other], "- A B"],
    ["assignments.team_id", "exists", false, "C"],
    ["rejections.team_id", "eq", other, "B"],
    ["rejections.team_id", "exists", true, "B"],
  ];
  for (const [field, operator, value, expected] of cases) {
    const found = await listSelected(sales, [`lead.${field}`, operator, value]);
    assert.equal(found, expected, `${field} ${operator} ${value}`);
  }
  const source: Written = ["lead.lead_source", "eq", "fair"];
  const status: Written = ["lead.status", "eq", "rejected"];
  assert.equal(await listSelected(sales), "- A B C");
  assert.equal(await listSelected(sales, source, status), "B");
  assert.equal(
    await listSelected(sales, source, { and: [status] }),
    "B",
    "all conditions are about the lead itself",
  );
  assert.equal(await listSelected(sales, { or: [status, ["lead.interest", "eq", "c"]] }), "B C");
  assert.equal(
    await listSelected(sales, { or: [{ and: [source, status] }, ["lead.team_id", "exists", false]] }),
    "B C",
  );
  // An expired lead is in no list.
  app.clock.set(Date.UTC(2026, 2, 5));
  assert.equal(await listSelected(sales, ["lead.interest", "in", ["a", "b"]]), "B");
  assert.equal((await member.call("POST", "/v1/leads/filter", { filter: [] })).status, 403);
});

Deno.test("a filter of leads answers, pages and sorts like their list", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin } = sales;
  for (let n = 0; n < 7; n++) {
    await sales.lead({ external_weight: 1 + n % 3, lead_source: n % 2 ? "odd" : "even" });
    if (n % 3) app.clock.move(1000);
  }
  await sales.lead({ lead_source: "other" });
  const filter = expandFilter([["lead.lead_source", "in", ["even", "odd"]]]);
  const all = await admin.call("GET", "/v1/leads?lead_sources=even,odd");
  const same = await admin.call("POST", "/v1/leads/filter", { filter });
  assert.deepEqual(same.body.data, all.body.data);
  assert.deepEqual(same.body.pagination, all.body.pagination);
  assert.equal(same.body.pagination.total, 7);
  for (const sort of ["created_at", "-created_at", "updated_at", "-external_weight", "external_weight"]) {
    const listed = await admin.call("GET", `/v1/leads?lead_sources=even,odd&sort=${sort}`);
    const ids: string[] = [];
    let path: string | null = `/v1/leads/filter?per_page=3&sort=${sort}&page=1`;
    while (path !== null) {
      const { body }: { body: Body } = await admin.call("POST", path, { filter });
      assert.equal(body.pagination.total, 7);
      ids.push(...body.data.map(({ id }: Body) => id));
      path = body.pagination.urls.next?.replace(app.url, "") ?? null;
      if (path) assert.match(path, /^\/v1\/leads\/filter\?.*sort=/);
    }
    assert.deepEqual(ids, listed.body.data.map(({ id }: Body) => id), sort);
  }
  assert.equal((await admin.call("POST", "/v1/leads/filter?sort=interest", { filter })).status, 422);
});

Deno.test("the deprecated path of the filter works and names its successor", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  await sales.lead();
  const filter = expandFilter([["lead.status", "eq", "assigned"]]);
  const now = await sales.admin.call("POST", "/v1/leads/filter", { filter });
  const old = await sales.admin.call("POST", "/v1/leads/byFilter", { filter });
  assert.deepEqual([old.status, old.text], [200, now.text]);
  assert.match(old.headers.get("deprecation")!, /^@\d+$/);
  assert.equal(old.headers.get("link"), '</v1/leads/filter>; rel="successor-version"');
  assert.equal(now.headers.get("deprecation"), null);
});

Deno.test("an invalid filter of leads is rejected with all its faults, and takes only fields of leads", async () => {
  await using app = await startApp();
  const { admin } = await makeSales(app);
  const cases: [unknown, string[]][] = [
    [undefined, ["filter required"]],
    [null, ["filter required"]],
    ["x", ["filter type"]],
    [expandFilter([["contact.status", "eq", "lead"]]), ["filter[0].field unknown_field"]],
    [expandFilter([["account.b2c", "eq", true]]), ["filter[0].field unknown_field"]],
    [expandFilter([["lead.external_weight", "eq", 1]]), ["filter[0].field unknown_field"]],
    [expandFilter([["lead.created_at", "ct", "x"], ["lead.team_id", "eq", "x"]]), [
      "filter[0].operator operator",
      "filter[1].value type",
    ]],
    [expandFilter([["lead.created_at", "gt", "2026-02-30 00:00:00"]]), ["filter[0].value format"]],
    [expandFilter([{ or: [] }]), ["filter[0].or min"]],
  ];
  for (const [filter, expected] of cases) {
    const reply = await admin.call("POST", "/v1/leads/filter", { filter });
    assert.equal(reply.status, 422, reply.text);
    const codes = reply.body.errors.map(({ path, code }: { path: string; code: string }) =>
      `${path} ${code}`
    );
    assert.deepEqual(codes, expected);
  }
});
