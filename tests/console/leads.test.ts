/** A lead on the console: what it shows, and what can be done with it. */
import assert from "node:assert/strict";
import { startApp } from "../support/app.ts";
import { hour, tick } from "../sales/leads_states.ts";
import { makeSales, nameFields } from "../sales/leads_world.ts";
import { signedIn } from "./world.ts";

Deno.test("a lead is accepted on its page, and sending the form twice accepts it once", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const lead = await sales.lead();
  const browser = await signedIn(app, sales.member);
  const path = `/app/leads/${lead.id}`;
  const page = await browser.get(path);
  assert.equal(page.status, 200, page.text);
  assert.match(page.text, /<html lang="en">/);
  assert.match(page.text, new RegExp(`data-entity="lead" data-id="${lead.id}" data-status="assigned"`));
  const [first, second] = [
    await browser.submit(page, `${path}/accept`, {}),
    await browser.submit(page, `${path}/accept`, {}),
  ];
  assert.deepEqual([first.status, second.status], [303, 303], first.text + second.text);
  assert.equal(first.headers.get("location"), second.headers.get("location"));
  const [{ n }] = await app.sql("select count(*) as n from cases") as [{ n: number }];
  assert.equal(n, 1);
  const after = await browser.get(path);
  assert.match(after.text, /data-status="accepted"/);
  assert.match(after.text, /role="status"[^>]*>Lead accepted\./);
  assert.doesNotMatch((await browser.get(path)).text, /Lead accepted\./);
});

Deno.test("a refused form shows what was typed, each fault at its field, and an alert", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const lead = await sales.lead();
  const browser = await signedIn(app, sales.member);
  const path = `/app/leads/${lead.id}`;
  const page = await browser.get(path);
  const refused = await browser.submit(page, `${path}/reject`, { rejection_reason: "" });
  assert.equal(refused.status, 422);
  assert.match(refused.text, /role="alert"/);
  assert.match(refused.text, /aria-invalid="true"/);
  const done = await browser.submit(refused, `${path}/reject`, {
    rejection_reason: "Bought <b>elsewhere</b>",
  });
  assert.equal(done.status, 303, done.text);
  assert.match((await browser.get(path)).text, /Bought &lt;b&gt;elsewhere&lt;\/b&gt;/);
});

Deno.test("a form without its token, of another site or of another session changes nothing", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const lead = await sales.lead();
  const browser = await signedIn(app, sales.member);
  const path = `/app/leads/${lead.id}/accept`;
  for (const fields of [{}, { token: "x" }, { token: "x", key: "y" }]) {
    const answer = await browser.post(path, fields as Record<string, string>);
    assert.equal(answer.status, 403);
    assert.match(answer.text, /<h1>This form has expired<\/h1>/);
  }
  assert.deepEqual(await app.sql("select id from cases"), []);
});

Deno.test("without a session a page leads to the sign-in and back, and a form too", async () => {
  await using app = await startApp();
  await app.company();
  const get = await fetch(`${app.url}/app/leads?view=mine`, { redirect: "manual" });
  await get.body?.cancel();
  assert.equal(get.status, 303);
  assert.equal(get.headers.get("location"), "/auth/sign-in?next=%2Fapp%2Fleads%3Fview%3Dmine");
  const post = await fetch(`${app.url}/app/leads/x/accept`, { method: "POST", redirect: "manual" });
  await post.body?.cancel();
  assert.equal(post.headers.get("location"), "/auth/sign-in?next=%2Fapp%2Fleads%2Fx");
});

Deno.test("a lead of another company, and no lead, are not found", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const lead = await sales.lead();
  const other = await app.company();
  const browser = await signedIn(app, other.admin);
  for (const id of [lead.id, "01939c5e-7d3a-7c3f-8a55-0a4be5a1a010", "x"]) {
    const page = await browser.get(`/app/leads/${id}`);
    assert.equal(page.status, 404, page.text);
    assert.match(page.text, /<h1>Not found<\/h1>/);
  }
});

Deno.test("a lead of a known customer asks which one, and is accepted for the one that is chosen", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const body = (email: string, more: object = {}) => ({
    contact: { fixed_fields: nameFields({ first_name: "Ada", last_name: "King", email, ...more }) },
  });
  const first = await sales.lead(body("ada@example.org"));
  const accepted = await sales.member.call("PUT", `/v1/leads/${first.id}/accept`, {});
  const { contact_id } = accepted.body;
  const [lead, other] = [
    await sales.lead(body("ADA@example.org")),
    await sales.lead(body("else@example.org")),
  ];
  const browser = await signedIn(app, sales.member);
  const path = `/app/leads/${lead.id}`;
  const list = await browser.get("/app/leads");
  const asked = await browser.submit(list, `${path}/accept`, {});
  assert.deepEqual([asked.status, asked.headers.get("location")], [303, path]);
  const page = await browser.follow(asked);
  assert.match(page.text, /data-status="assigned"/, "nothing is done");
  assert.match(page.text, /<legend>Customer<\/legend>/);
  assert.match(page.text, /name="customer" value="new" checked=""\/><label[^>]*>New customer<\/label>/);
  assert.match(page.text, new RegExp(`name="customer" value="${contact_id}"/><label[^>]*>Ada King · `));
  const unknown = "01939c5e-7d3a-7c3f-8a55-0a4be5a1a010";
  const wrong = await browser.submit(page, `${path}/accept`, { customer: unknown });
  assert.equal(wrong.status, 422, wrong.text);
  assert.match(wrong.text, /Customer: There is no such record/);
  const done = await browser.submit(wrong, `${path}/accept`, { customer: contact_id });
  assert.match((await browser.follow(done)).text, /Lead accepted\./);
  const rows = await app.sql("select contact_id from leads where id in (?, ?)", first.id, lead.id);
  assert.deepEqual(rows.map((row) => row.contact_id), [contact_id, contact_id]);
  const namesake = await browser.get(`/app/leads/${other.id}`);
  assert.doesNotMatch(namesake.text, /name="customer"/, "an equal name is no question");
});

Deno.test("a lead says why it is where it is, and what happens next by itself", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const lead = await sales.lead();
  const path = `/app/leads/${lead.id}`;
  const colleague = await sales.company.user({ type: "admin" });
  const browser = await signedIn(app, colleague);
  const readWhy = async () => {
    const { text } = await browser.get(path);
    return /<section aria-labelledby="why".*?<\/section>/s.exec(text)![0].replaceAll(/<[^>]*>/g, "");
  };
  const [team] = await app.sql("select name from teams where id = ?", sales.dealer);
  const assigned = await readWhy();
  assert.match(assigned, /^Why here\?Assigned since/);
  assert.ok(assigned.includes(`team ${team!.name}`), assigned);
  assert.match(assigned, /Next: .*It escalates if nobody has accepted it by then\./);
  app.clock.move(24 * hour);
  await tick(sales);
  assert.match(await readWhy(), /Escalated since .*by the countdown.*nobody accepted it in time/);
});

Deno.test("lists follow the parameters of the API in their address, and name those that mean nothing", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const lead = await sales.lead();
  const own = await signedIn(app, sales.member);
  const readTotal = async (more: string) =>
    /data-list="leads" data-total="(\d+)"/.exec((await own.get(`/app/leads?${more}`)).text)![1];
  const answers = [
    "view=all",
    "view=all&status=assigned,called",
    "view=all&status=rejected",
    "status=rejected",
  ];
  assert.deepEqual(await Promise.all(answers.map(readTotal)), ["1", "1", "0", "0"], lead.id);
  const user = await sales.company.user({ type: "admin", rights: ["agency"] });
  const browser = await signedIn(app, user);
  const readIgnored = async (path: string) => {
    const { status, text } = await browser.get(path);
    assert.equal(status, 200, path);
    return /The address names what does not exist here: ([^.]*)\./.exec(text)?.[1] ?? null;
  };
  assert.equal(
    await readIgnored("/app/leads?view=all&status=rejected,called&users=1&teams=1&sort=escalates_at"),
    null,
  );
  assert.equal(await readIgnored("/app/leads?view=all&status=x&sort=name"), "status, sort");
  assert.equal(await readIgnored("/app/leads?view=assignable&status=called"), "status");
  assert.equal(await readIgnored("/app/cases?view=table"), "view");
  assert.equal(await readIgnored("/app/cases?view=list&sort=-value"), null);
  assert.equal(await readIgnored("/app/cases?view=list&sort=-value&sort_mode=recent"), "sort");
  assert.equal(await readIgnored("/app/customers?filter_id=x"), "filter_id");
});

Deno.test("lists follow the moments between which records were created, and whether a lead made a case", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { id } = await sales.lead();
  assert.equal((await sales.member.call("PUT", `/v1/leads/${id}/accept`, {})).status, 200);
  const browser = await signedIn(app, sales.member);
  const day = (days: number) => new Date(app.clock.now() + days * 24 * hour).toISOString();
  const lists = ["leads?view=all", "cases?view=list", "cases?view=board&show=all", "customers?kind=contacts"];
  for (const list of [...lists, "customers?kind=accounts"]) {
    const readListTotal = async (more: Readonly<Record<string, string>>) => {
      const { status, text } = await browser.get(`/app/${list}&${new URLSearchParams(more)}`);
      assert.equal(status, 200, list);
      const ignored = /The address names what does not exist here: ([^.]*)\./.exec(text)?.[1] ?? null;
      return [/data-total="(\d+)"/.exec(text)![1], ignored];
    };
    assert.deepEqual(await readListTotal({ start_at: day(-1), end_at: day(1) }), ["1", null], list);
    assert.deepEqual(await readListTotal({ start_at: day(1) }), ["0", null], list);
    assert.deepEqual(await readListTotal({ end_at: day(-1) }), ["0", null], list);
    assert.deepEqual(await readListTotal({ start_at: "2026-02-31 10:00:00" }), ["1", "start_at"], list);
    assert.deepEqual(await readListTotal({ start_at: day(-1), end_at: day(-2) }), ["1", "end_at"], list);
    if (!list.startsWith("cases")) continue;
    assert.deepEqual(await readListTotal({ created_from_lead: "true" }), ["1", null], list);
    assert.deepEqual(await readListTotal({ created_from_lead: "false" }), ["0", null], list);
    assert.deepEqual(await readListTotal({ created_from_lead: "x" }), ["1", "created_from_lead"], list);
    const types = { created_from_lead: "false", lead_types: sales.type };
    assert.deepEqual(await readListTotal(types), ["1", "created_from_lead"], list);
  }
});

Deno.test("the forms of new records have the names of their buttons", async () => {
  await using app = await startApp();
  const company = await app.company();
  const browser = await signedIn(app, company.admin);
  assert.match((await browser.get("/app/leads/new")).text, /<form[^>]* aria-label="Create lead"/);
  const found = (await browser.get("/app/customers")).text;
  assert.match(found, /<form[^>]* aria-label="Find customers"[\s\S]*?<button[^>]*>Find customers<\/button>/);
});

Deno.test("the list of leads says how old each is", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const [fresh, old] = [await sales.lead(), await sales.lead()];
  await app.deps.db.write([{
    sql: "update leads set created_at = '2026-02-27 08:00:00' where id = ?",
    args: [old.id],
  }]);
  const browser = await signedIn(app, sales.member);
  const { text } = await browser.get("/app/leads");
  const row = (id: string) => text.split(`data-id="${id}"`)[1]!.split("</li>")[0]!;
  assert.match(row(old.id), /<time datetime="2026-02-27T08:00:00Z">3 days ago<\/time>/);
  assert.match(row(fresh.id), />today<\/time>/);
});
