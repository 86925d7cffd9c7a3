/** How people want the console, and what they opened there last. */
import assert from "node:assert/strict";
import { makeSales } from "../sales/leads_world.ts";
import { type Body, startApp } from "../support/app.ts";
import { signedIn } from "./world.ts";

const path = "/v1/me/preferences";

Deno.test("preferences begin with defaults, keep what a change leaves out, and belong to one user", async () => {
  await using app = await startApp();
  const { admin, user } = await app.company();
  const colleague = await user();
  const defaults = { theme: "auto", shortcuts: true, columns: {}, start: null };
  assert.deepEqual((await admin.call("GET", path)).body, defaults);
  const columns = { contacts: ["name", "email"], leads: [] };
  const changed = await admin.call("PUT", path, { theme: "dark", columns });
  assert.equal(changed.status, 200, changed.text);
  assert.deepEqual(changed.body, { ...defaults, theme: "dark", columns });
  const more = { shortcuts: false, start: "/app/leads?view=mine" };
  await admin.call("PUT", path, more);
  const all = { theme: "dark", columns, ...more };
  const got = await admin.call("GET", path);
  assert.deepEqual(got.body, all);
  assert.deepEqual((await admin.call("PUT", path, got.body)).text, got.text);
  assert.deepEqual((await admin.call("PUT", path, { theme: null, start: null })).body, {
    ...all,
    theme: "auto",
    start: null,
  });
  assert.deepEqual((await colleague.call("GET", path)).body, defaults);

  const faults: [object, string][] = [
    [{ theme: "blue" }, "theme enum"],
    [{ shortcuts: "yes" }, "shortcuts type"],
    [{ columns: { contacts: "name" } }, "columns.contacts type"],
    [{ columns: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`l${n}`, []])) }, "columns max"],
    [{ start: "https://example.org/app" }, "start format"],
    [{ start: "/app/../auth" }, "start format"],
    [{ start: "/apple" }, "start format"],
  ];
  for (const [body, fault] of faults) {
    const refused = await admin.call("PUT", path, body);
    const found = refused.body.errors?.map((error: Body) => `${error.path} ${error.code}`);
    assert.deepEqual([refused.status, found], [422, [fault]], refused.text);
  }
  const stale = await admin.call("PUT", path, { theme: "light" }, {
    "If-Match": got.headers.get("etag")!,
  });
  assert.equal(stale.status, 412);
});

Deno.test("records that somebody opens in the console are recent, the last 20 of those that they still see", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin } = sales;
  const browser = await signedIn(app, sales.member);
  // Signing in with a new password has ended the first token.
  const token = await sales.company.token(sales.member.id);
  const member = {
    call: (method: string, path: string, body?: unknown) => app.call(token, method, path, body),
  };
  const recent = async () => {
    const answer = await member.call("GET", "/v1/me/recent");
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data as Body[];
  };
  assert.deepEqual(await recent(), []);
  const lead = await sales.lead();
  const accepted = await member.call("PUT", `/v1/leads/${lead.id}/accept`, {});
  const { case_id, account_id, contact_id } = accepted.body;
  const opened: [string, string, string][] = [
    ["lead", `/app/leads/${lead.id}`, lead.id],
    ["case", `/app/cases/${case_id}`, case_id],
    ["account", `/app/accounts/${account_id}`, account_id],
    ["contact", `/app/contacts/${contact_id.toUpperCase()}`, contact_id],
  ];
  const shown: Body[] = [];
  for (const [type, address, id] of opened) {
    app.clock.move(1000);
    const page = await browser.get(address);
    assert.equal(page.status, 200, page.text);
    const list = await recent();
    assert.deepEqual(list.map((one) => [one.type, one.id]).at(0), [type, id]);
    shown.unshift(list[0]!);
  }
  assert.deepEqual(await recent(), shown);
  assert.equal(new Set(shown.map(({ at }) => at)).size, 4);
  assert.ok(shown.every(({ title }) => title !== ""));

  // Opened again: first again, once. Another page, a HEAD, and a page that is not there change nothing.
  app.clock.move(1000);
  await browser.get(`/app/cases/${case_id}`);
  await browser.get("/app/leads");
  assert.equal((await browser.get(`/app/cases/${crypto.randomUUID()}`)).status, 404);
  assert.deepEqual((await recent()).map(({ type }) => type), ["case", "contact", "account", "lead"]);

  for (let n = 0; n < 18; n++) {
    const { body } = await admin.call("POST", "/v1/accounts", {
      fixed_fields: [{ name: "name", value: `Firm ${n}` }],
      team_id: sales.dealer,
    });
    assert.equal((await browser.get(`/app/accounts/${body.id}`)).status, 200);
  }
  assert.deepEqual((await recent()).map(({ type }) => type).slice(18), ["case", "contact"]);
  assert.deepEqual((await admin.call("GET", "/v1/me/recent")).body.data, []);

  const renamed = await admin.call("PUT", `/v1/accounts/${account_id}/contacts/${contact_id}`, {
    fixed_fields: [{ name: "last_name", value: "Hopper" }],
  });
  assert.equal(renamed.status, 200, renamed.text);
  assert.match((await recent()).at(-1)!.title, /Hopper/);
  await admin.call("DELETE", `/v1/cases/${case_id}`);
  assert.deepEqual((await recent()).map(({ type }) => type).slice(18), ["contact"]);
});
