/** Administration on the console: users, invitations, teams, processes, lead types, and who may not see them. */
import assert from "node:assert/strict";
import { startApp } from "../support/app.ts";
import type { Shown } from "../support/browser.ts";
import { makeSales } from "../sales/leads_world.ts";
import { signedIn } from "./world.ts";

const at = (answer: Shown) => answer.headers.get("location")!;

Deno.test("an admin makes a team, a user, a process and a lead type, and invites somebody", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const browser = await signedIn(app, admin);
  const make = async (path: string, fields: Record<string, string>, says: RegExp) => {
    const form = await browser.get(path);
    const made = await browser.submit(form, path, fields);
    assert.equal(made.status, 303, made.text);
    const page = await browser.follow(made);
    assert.match(page.text, says);
    return { path: at(made), id: at(made).split("/").at(-1)!, page };
  };
  const team = await make(
    "/app/admin/teams/new",
    { name: "Dealer", team_type: "dealer" },
    /Team created\.[\s\S]*<h1>Dealer</,
  );
  const person = { first_name: "Ada", last_name: "Byron", email: "ada@example.org" };
  const user = await make(
    "/app/admin/users/new",
    { ...person, password: "correct horse", user_type: "3", team_ids: team.id },
    /User created\.[\s\S]*<h1>Ada Byron</,
  );
  assert.match(user.page.text, new RegExp(`name="team_ids" value="${team.id}" checked`));
  const changed = await browser.submit(user.page, user.path, { ...person, last_name: "Lovelace" });
  assert.match((await browser.follow(changed)).text, /Saved\.[\s\S]*<h1>Ada Lovelace</);

  const invited = await make(
    "/app/admin/users/invite",
    { email: "charles@example.org", team_ids: team.id },
    /Invitation sent\./,
  );
  assert.match(invited.page.text, /data-list="invitations" data-total="1"/);
  const [, withdraw] = /action="(\/app\/admin\/invitations\/\d+\/withdraw)"/.exec(invited.page.text)!;
  const withdrawn = await browser.submit(invited.page, withdraw!, {});
  assert.match((await browser.follow(withdrawn)).text, /data-list="invitations" data-total="0"/);

  const blank = await browser.get("/app/admin/processes/new");
  const more = await browser.submit(blank, "/app/admin/processes/new", {
    "milestones.0.name": "Kept",
    "milestones.1.name": "",
    "milestones.2.name": "",
    add: "milestone",
  });
  assert.equal(more.status, 200, more.text);
  assert.match(more.text, /Milestone 4 name/);
  assert.match(more.text, /value="Kept"/);
  assert.doesNotMatch(more.text, /role="alert"/);
  const process = await make("/app/admin/processes/new", {
    name: "New cars",
    "milestones.0.name": "Offer",
    "milestones.0.chance_of_success": "40",
    "milestones.1.name": "Order",
    "milestones.1.set_status": "closed",
    "milestones.2.name": "",
  }, /Process created\.[\s\S]*<h1>New cars</);
  const stored = await app.sql(
    "select name, chance_of_success, set_status from activity_types order by sort_order",
  );
  assert.deepEqual(stored.map((row) => ({ ...row })), [
    { name: "Offer", chance_of_success: 40, set_status: null },
    { name: "Order", chance_of_success: null, set_status: "closed" },
  ]);
  const type = await make("/app/admin/lead-types/new", {
    name: "Test drive",
    relations_path_id: process.id,
    escalation_accept: "60",
    escalation_ignore_weekends: "on",
  }, /Lead type created\.[\s\S]*<h1>Test drive</);
  assert.match(type.page.text, /name="escalation_accept"[^>]*value="60"/);
  const wrong = await browser.submit(type.page, type.path, { name: "", relations_path_id: process.id });
  assert.equal(wrong.status, 422, wrong.text);

  const drop = await browser.get(`${user.path}/delete`);
  assert.match(drop.text, /<h1>Delete Ada Lovelace\?<\/h1>/);
  const gone = await browser.submit(drop, `${user.path}/delete`, { assign_to: "" });
  assert.match((await browser.follow(gone)).text, /User deleted\./);
});

Deno.test("a form keeps what its record has beyond the choices that it offers", async () => {
  await using app = await startApp();
  const company = await app.company();
  const first = await company.team({ name: "First" });
  const user = await company.user({ teams: [first] });
  const account = await company.admin.call("POST", "/v1/accounts", {
    fixed_fields: [{ name: "name", value: "Ada Ltd" }],
    team_id: first,
  });
  for (let number = 0; number < 100; number++) await company.team({ name: `Team ${number}` });
  const browser = await signedIn(app, company.admin);
  const member = await browser.get(`/app/admin/users/${user.id}`);
  assert.match(member.text, new RegExp(`name="team_ids" value="${first}" checked`));
  const edit = await browser.get(`/app/accounts/${account.body.id}/edit`);
  assert.match(edit.text, new RegExp(`<option value="${first}" selected[^>]*>First<`));
});

Deno.test("empty lists of users and of invitations link to what makes one", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const { text } = await (await signedIn(app, admin)).get("/app/admin/users?search=zebra");
  assert.match(
    text,
    /data-list="users" data-total="0"><p[^>]* data-empty="">[^<]* <a href="\/app\/admin\/users\/new"/,
  );
  assert.match(
    text,
    /data-list="invitations" data-total="0"><p[^>]*>[^<]* <a href="\/app\/admin\/users\/invite"/,
  );
});

Deno.test("Administration is offered to admins alone", async () => {
  await using app = await startApp();
  const company = await app.company();
  const user = await signedIn(app, await company.user());
  const today = await user.get("/app");
  assert.doesNotMatch(today.text, /href="\/app\/admin"/);
  for (
    const page of ["", "/users", "/users/new", "/teams", "/processes", "/processes/new", "/lead-types/new"]
  ) {
    const refused = await user.get(`/app/admin${page}`);
    assert.equal(refused.status, 403, page);
    assert.match(refused.text, /It is for administrators\./);
  }
  const admin = await signedIn(app, company.admin);
  assert.match((await admin.get("/app")).text, /href="\/app\/admin"/);
  for (const list of ["users", "teams", "processes", "lead-types"]) {
    const { text } = await admin.get(`/app/admin/${list}?page=first`);
    assert.match(text, /role="alert"[^>]*>[^<]*page/, list);
  }
});

Deno.test("a team, a process and a lead type are deleted after a question that names what needs them", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  await sales.lead();
  const browser = await signedIn(app, sales.admin);
  const blocked = await browser.get(`/app/admin/lead-types/${sales.type}/delete`);
  assert.match(blocked.text, /<h1>Delete Test drive\?<\/h1>[\s\S]*needed by:[\s\S]*<li>1 lead<\/li>/);
  assert.doesNotMatch(blocked.text, /<button type="submit" class="bad"/);
  const team = await browser.get(`/app/admin/teams/${sales.dealer}`);
  const path = `/app/admin/teams/${sales.dealer}/delete`;
  assert.ok(team.text.includes(`href="${path}"`));
  const question = await browser.get(path);
  assert.match(question.text, /must take over:[\s\S]*<li>1 lead<\/li>[\s\S]*<li>1 person<\/li>/);
  const gone = await browser.submit(question, path, { assign_to: String(sales.agency) });
  assert.match((await browser.follow(gone)).text, /Deleted\.[\s\S]*<h1>Teams</);
  assert.deepEqual({ ...(await app.sql("select team_id from leads"))[0] }, { team_id: sales.agency });

  const made = await browser.submit(
    await browser.get("/app/admin/processes/new"),
    "/app/admin/processes/new",
    {
      name: "Short",
      "milestones.0.name": "Only",
    },
  );
  const free = `${at(made)}/delete`;
  const deleted = await browser.submit(await browser.get(free), free, {});
  assert.equal(at(deleted), "/app/admin/processes");
  assert.equal((await browser.get(at(made))).status, 404);
});
