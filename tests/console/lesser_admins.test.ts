/** Team admins and group admins at Administration: what they may not do is not offered. */
import assert from "node:assert/strict";
import { startApp } from "../support/app.ts";
import { makeSales } from "../sales/leads_world.ts";
import { signedIn } from "./world.ts";

Deno.test("a team admin is offered only what they may change", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const browser = await signedIn(
    app,
    await sales.company.user({ type: "team_admin", teams: [sales.dealer] }),
  );
  const own = `/app/admin/teams/${sales.dealer}`;
  const saved = await browser.submit(await browser.get(own), own, { name: "Dealers" });
  assert.equal(saved.status, 303, saved.text);
  const { member, agent, admin } = sales;
  const form = await browser.get(`/app/admin/users/${member.id}`);
  const changed = await browser.submit(form, `/app/admin/users/${member.id}`, {
    first_name: "Mary",
    last_name: "Shelley",
    email: "mary@example.org",
    user_type: "3",
    team_ids: String(sales.dealer),
  });
  assert.equal(changed.status, 303, changed.text);
  const seen = [
    `/app/admin/users/${agent.id}`,
    `/app/admin/users/${admin.id}`,
    `/app/admin/teams/${sales.agency}`,
    `/app/admin/processes/${sales.path}`,
    `/app/admin/lead-types/${sales.type}`,
  ];
  for (const page of seen) {
    const { status, text } = await browser.get(page);
    assert.equal(status, 200, page);
    assert.match(text, /name="(?:name|first_name)"/, page);
    assert.doesNotMatch(text, /<form method="post"|<button type="submit"/, page);
  }
  for (const list of ["processes", "lead-types"]) {
    const { text } = await browser.get(`/app/admin/${list}`);
    assert.doesNotMatch(text, new RegExp(`href="/app/admin/${list}/new"`));
    const refused = await browser.get(`/app/admin/${list}/new`);
    assert.equal(refused.status, 403, list);
  }
});

Deno.test("a setting of the company lets team admins make processes of their team", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  await app.deps.db.write([{ sql: "update companies set teams_can_create_relations_paths = 1", args: [] }]);
  const browser = await signedIn(
    app,
    await sales.company.user({ type: "team_admin", teams: [sales.dealer] }),
  );
  const list = await browser.get("/app/admin/processes");
  assert.match(list.text, /href="\/app\/admin\/processes\/new"/);
  const page = await browser.get("/app/admin/processes/new");
  const made = await browser.submit(page, "/app/admin/processes/new", {
    name: "Ours",
    "milestones.0.name": "Offer",
  });
  assert.equal(made.status, 303, made.text);
  const after = await browser.get(made.headers.get("location")!);
  assert.match(after.text, /<button type="submit" class="main">Save</);
});

Deno.test("an admin of no team is not offered a process, which would be the company's", async () => {
  await using app = await startApp();
  const company = await app.company();
  await app.deps.db.write([{
    sql: "update companies set teams_can_create_relations_paths = 1, groups_can_create_relations_paths = 1",
    args: [],
  }]);
  for (const type of ["team_admin", "group_admin"] as const) {
    const browser = await signedIn(app, await company.user({ type, teams: [] }));
    for (const list of ["processes", "lead-types"]) {
      const { status, text } = await browser.get(`/app/admin/${list}`);
      assert.equal(status, 200, list);
      assert.doesNotMatch(text, new RegExp(`href="/app/admin/${list}/new"`));
      assert.equal((await browser.get(`/app/admin/${list}/new`)).status, 403, list);
    }
  }
});
