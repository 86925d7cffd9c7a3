import assert from "node:assert/strict";
import type { Body } from "../support/app.ts";
import { startApp } from "../support/app.ts";
import { askFilter, createAccount, createContact, expandFilter, selectNames } from "./filters_world.ts";

Deno.test("an empty filter matches all, and, or and nesting combine as they say", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const firm = await createAccount(admin, "Firm");
  for (const [name, title, city] of [["A", "x", "u"], ["B", "x", "v"], ["C", "y", "u"], ["D", "y", "v"]]) {
    await createContact(admin, firm.id, name!, { fixed: { title, salutation: city } });
  }
  const title = (value: string) =>
    ["b2b_contact.fixed_fields.title", "eq", value] as [string, string, string];
  const city = (value: string) =>
    ["b2b_contact.fixed_fields.salutation", "eq", value] as [string, string, string];
  const by = (...nodes: Parameters<typeof selectNames>[2][]) => selectNames(admin, "contacts", ...nodes);
  assert.equal(await by(), "A B C D");
  assert.equal(await by(title("x"), city("u")), "A");
  assert.equal(await by({ and: [title("x"), city("u")] }), "A");
  assert.equal(await by({ or: [title("x"), city("u")] }), "A B C");
  assert.equal(await by({ or: [{ and: [title("x"), city("u")] }, { and: [title("y"), city("v")] }] }), "A D");
  assert.equal(await by({ and: [{ or: [title("x"), title("y")] }, city("v")] }), "B D");
  assert.equal(await by({ or: [title("x"), ["b2b_contact.fixed_fields.title", "nin", ["x", "y"]]] }), "A B");
});

Deno.test("conditions on the contacts of an account that stand in one list hold for one and the same contact", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const one = await createAccount(admin, "One");
  await createContact(admin, one.id, "Byron", { fixed: { title: "Doctor" } });
  const two = await createAccount(admin, "Two");
  await createContact(admin, two.id, "Byron");
  await createContact(admin, two.id, "King", { fixed: { title: "Doctor" } });
  await createAccount(admin, "None");
  const name = ["b2b_contact.fixed_fields.last_name", "eq", "Byron"] as [string, string, string];
  const title = ["b2b_contact.fixed_fields.title", "eq", "Doctor"] as [string, string, string];
  const by = (...nodes: Parameters<typeof selectNames>[2][]) => selectNames(admin, "accounts", ...nodes);
  assert.equal(await by(name, title), "One");
  assert.equal(await by({ and: [name, title] }), "One");
  // Different records may meet separate groups.
  assert.equal(await by(name, { and: [title] }), "One Two");
  assert.equal(await by({ or: [name, title] }), "One Two");
  // Conditions on contacts of one kind and of all kinds are about the same contacts.
  assert.equal(await by(name, title, ["contact.status", "eq", "lead"]), "One");
  // A negation is checked by itself: no contact may have the value.
  assert.equal(await by(["b2b_contact.fixed_fields.title", "neq", "Doctor"]), "None");
  assert.equal(await by(["b2b_contact.fixed_fields.last_name", "neq", "King"]), "None One");
  assert.equal(await by(name, ["b2b_contact.fixed_fields.last_name", "neq", "King"]), "One");
  assert.equal(await by(["b2b_contact.fixed_fields.title", "exists", false]), "None");
  assert.equal(await by(name, ["b2b_contact.fixed_fields.title", "nct", "doc"]), "");
  assert.equal(await by(["contact.account.id", "eq", one.id.toUpperCase()]), "One");
  assert.equal(await by(["contact.account.id", "neq", one.id]), "None Two");
});

Deno.test("a filter takes the other parameters of its list, which must hold beside it", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const firm = await createAccount(admin, "Firm");
  for (const name of ["Byron", "Burton", "Clark"]) await createContact(admin, firm.id, name);
  const filter = [{ field: "b2b_contact.fixed_fields.last_name", operator: "sw", value: "b" }];
  const readTotal = async (query: string) => {
    const answer = await admin.call("POST", `/v1/contacts/filter?${query}`, { filter });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.pagination.total;
  };
  assert.equal(await readTotal("search=byron"), 1);
  assert.equal(await readTotal("search=clark"), 0);
  assert.equal(await readTotal(`users=${admin.id}`), 2);
  assert.equal(await readTotal("teams=999999"), 0);
  assert.equal(await readTotal("start_at=2000-01-01%2000:00:00"), 2);
  assert.equal(await readTotal("end_at=2000-01-01%2000:00:00"), 0);
  const { body } = await admin.call("POST", "/v1/contacts/filter?view=summary", { filter });
  assert.equal(Object.hasOwn(body.data[0].fixed_fields[0], "options"), false);
  const wrong = await admin.call("POST", "/v1/contacts/filter?start_at=2000&view=short", { filter });
  assert.deepEqual([wrong.status, wrong.body.errors.map(({ path }: { path: string }) => path)], [
    422,
    ["query.start_at", "query.view"],
  ]);
});

Deno.test("a filter takes the sorts of its list, on every page", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const names = ["Byron", "Adams", "Clark"];
  for (const name of names) {
    app.clock.move(1000);
    await createContact(admin, (await createAccount(admin, `${name} Ltd`)).id, name);
  }
  for (
    const [kind, column, field] of [["contacts", "last_name", "last_name"], ["accounts", "name", "name"]]
  ) {
    const filter = [{ field: `${kind!.slice(0, -1)}.created_at`, operator: "gt", value: "NOW-1d" }];
    const readSorted = async (sort: string) => {
      const seen: string[] = [];
      let path: string | null = `/v1/${kind}/filter?per_page=2&sort=${sort}`;
      while (path) {
        const { status, body, text } = await admin.call("POST", path, { filter });
        assert.equal(status, 200, text);
        const values = body.data.map((record: Body) =>
          record.fixed_fields.find((f: Body) => f.name === field)
        );
        seen.push(...values.map(({ value }: Body) => value.split(" ")[0]));
        const next: string | null = body.pagination.urls.next;
        path = next && new URL(next).pathname + new URL(next).search;
      }
      return seen;
    };
    assert.deepEqual(await readSorted(column!), ["Adams", "Byron", "Clark"]);
    assert.deepEqual(await readSorted(`-${column}`), ["Clark", "Byron", "Adams"]);
    assert.deepEqual(await readSorted("created_at"), names);
    const refused = await admin.call("POST", `/v1/${kind}/filter?sort=custom`, { filter });
    assert.deepEqual([refused.status, refused.body.errors[0].path], [422, "query.sort"]);
  }
});

Deno.test("a filter's pages follow one another by urls.next, the same path, in the list's order and with the exact total", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const firm = await createAccount(admin, "Firm");
  for (let n = 0; n < 7; n++) {
    app.clock.move(1000);
    await createContact(admin, firm.id, `By${n}`);
  }
  await createContact(admin, firm.id, "King");
  for (
    const field of [["b2b_contact.fixed_fields.last_name", "sw", "by"], ["contact.b2c", "eq", false]] as const
  ) {
    const filter = expandFilter([[...field], ["b2b_contact.fixed_fields.last_name", "neq", "King"]]);
    let path: string | null = "/v1/contacts/filter?per_page=3";
    const seen: string[] = [];
    while (path) {
      const reply = await admin.call("POST", path, { filter });
      assert.equal(reply.body.pagination.total, 7);
      seen.push(...reply.body.data.map((each: Body) => each.fixed_fields[2].value));
      const next: string | null = reply.body.pagination.urls.next;
      assert.ok(next === null || new URL(next).pathname === "/v1/contacts/filter");
      path = next && next.slice(app.url.length);
    }
    assert.deepEqual(seen, ["By6", "By5", "By4", "By3", "By2", "By1", "By0"]);
    const past = await admin.call("POST", "/v1/contacts/filter?per_page=3&page=9", { filter });
    assert.deepEqual([past.status, past.body.data, past.body.pagination.total], [200, [], 7]);
    const second = await admin.call("POST", "/v1/contacts/filter?per_page=3&page=2", { filter });
    assert.deepEqual(second.body.data.map((each: Body) => each.fixed_fields[2].value), ["By3", "By2", "By1"]);
  }
});

Deno.test("a filter shows what the caller sees, found by an index or not: never another team's or company's", async () => {
  await using app = await startApp();
  const crm = await app.company();
  const [north, south] = [await crm.team(), await crm.team()];
  const member = await crm.user({ teams: [north] });
  for (const [name, team_id] of [["North", north], ["South", south], ["Shared", null]] as const) {
    const { id } = await createAccount(crm.admin, name, { team_id });
    await createContact(crm.admin, id, name);
  }
  const other = (await app.company()).admin;
  const there = await createAccount(other, "Other");
  await createContact(other, there.id, "Other");
  const filters: Parameters<typeof selectNames>[2][] = [
    ["b2b_contact.fixed_fields.last_name", "in", ["north", "south", "shared", "other"]],
    ["contact.b2c", "eq", false],
    ["b2b_account.fixed_fields.name", "exists", true],
    { or: [["contact.status", "eq", "lead"], ["contact.team_id", "eq", south]] },
    ["contact.team_id", "neq", 999_999],
  ];
  for (const filter of filters) {
    assert.equal(await selectNames(crm.admin, "contacts", filter), "North Shared South");
    assert.equal(await selectNames(member, "contacts", filter), "North Shared");
    assert.equal(await selectNames(member, "accounts", filter), "North Shared");
    assert.equal(await selectNames(other, "contacts", filter), "Other");
  }
  assert.equal(await selectNames(member, "contacts", ["contact.team_id", "eq", south]), "");
  const all = await askFilter(member, "contacts", []);
  assert.equal(all.body.pagination.total, 2);
});
