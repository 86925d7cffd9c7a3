import assert from "node:assert/strict";
import { type Actor, startApp } from "../support/app.ts";
import {
  campaignMails,
  createCampaign,
  createConsumer,
  everybody,
  postRecord,
  put,
  runWork,
  sendingCompany,
} from "./campaign_world.ts";

const later = { execute_now: false, send_at: "2026-03-05 09:00:00" };

async function newTemplate(actor: Actor): Promise<number> {
  const body = { type: "email", title: "T", content: "<h1>Frame</h1>{{content}}" };
  return (await postRecord(actor, "/v1/templates", body)).id;
}

Deno.test("a template that a campaign waits to be sent with is deleted by force only; drafts lose it", async () => {
  await using app = await startApp({ MAIL_RATE: "0" });
  const { admin } = await sendingCompany(app);
  await createConsumer(admin, { first_name: "Grace", email: "grace@example.org" });
  const [one, two] = [await newTemplate(admin), await newTemplate(admin)];
  const waiting = await createCampaign(admin, { ...everybody, ...later, template_id: one });
  const draft = await createCampaign(admin, { ...everybody, approved: false, template_id: two });
  const readImpact = async (id: number) =>
    (await admin.call("GET", `/v1/templates/${id}/delete-impact`)).body;
  const before = await readImpact(one);
  const refused = await admin.call("DELETE", `/v1/templates/${one}`);
  assert.deepEqual(before, refused.body.impact);
  assert.deepEqual(await readImpact(two), { blocked_by: [], deletes: [] });
  assert.deepEqual([refused.status, refused.body.code], [409, "template_in_use"]);
  const blocked_by = [{ type: "campaign", amount: 1, attribute: "template_id" }];
  assert.deepEqual(refused.body.impact, { blocked_by, deletes: [] });
  assert.equal((await admin.call("DELETE", `/v1/templates/${one}?force=true`)).status, 204);
  assert.equal((await admin.call("DELETE", `/v1/templates/${two}`)).status, 204);
  const template = async (id: string) => (await admin.call("GET", `/v1/campaigns/${id}`)).body.template;
  assert.deepEqual([await template(waiting.id), await template(draft.id)], [null, null]);
  app.clock.move(4 * 86_400_000);
  await runWork(app);
  const [mail] = campaignMails(app);
  assert.ok(!mail!.html!.includes("Frame") && mail!.html!.includes("Dear Grace"), mail!.html);
  // Once sending has begun, the campaign no longer uses the template.
  const three = await newTemplate(admin);
  await createCampaign(admin, { ...everybody, template_id: three });
  await runWork(app);
  assert.equal((await admin.call("DELETE", `/v1/templates/${three}`)).status, 204);
});

Deno.test("a copy has no template that was deleted meanwhile, and can be changed", async () => {
  await using app = await startApp();
  const { admin } = await sendingCompany(app);
  const template_id = await newTemplate(admin);
  const original = await createCampaign(admin, { ...everybody, approved: false, template_id });
  const write = app.deps.db.write.bind(app.deps.db);
  app.deps.db.write = async (statements) => {
    if (statements.some(({ sql }) => /^insert into "?campaigns"? /.test(sql))) {
      app.deps.db.write = write;
      assert.equal((await admin.call("DELETE", `/v1/templates/${template_id}`)).status, 204);
    }
    return await write(statements);
  };
  const copy = await postRecord(admin, `/v1/campaigns/${original.id}/copy`, {});
  assert.equal(app.deps.db.write, write, "the template was deleted before the copy was written");
  const changed = await put(admin, `/v1/campaigns/${copy.id}`, { name: "Another" });
  assert.deepEqual([copy.template, changed.template], [null, null]);
  assert.deepEqual(await app.sql("select 1 from campaigns where template_id is not null"), []);
});

Deno.test("a relations path that an approved campaign names is in use", async () => {
  await using app = await startApp();
  const { admin } = await sendingCompany(app);
  const body = { name: "Sale", activity_types: { milestones: [{ name: "Offer" }] } };
  const path = (await postRecord(admin, "/v1/relations-paths", body)).id;
  const task = {
    distribution_strategy: "responsible_user",
    relations_path: path,
    start_at: "2026-03-06 09:00:00",
    end_at: "2026-03-06 17:00:00",
  };
  const { id } = await createCampaign(admin, { ...everybody, ...later, task });
  const before = await admin.call("GET", `/v1/relations-paths/${path}/delete-impact`);
  const refused = await admin.call("DELETE", `/v1/relations-paths/${path}`);
  assert.deepEqual(before.body, refused.body.impact);
  assert.deepEqual(refused.body.impact.blocked_by, [
    { type: "campaign", amount: 1, attribute: "task.relations_path" },
  ]);
  await put(admin, `/v1/campaigns/${id}`, { approved: false });
  assert.equal((await admin.call("DELETE", `/v1/relations-paths/${path}`)).status, 204);
  assert.equal((await admin.call("GET", `/v1/campaigns/${id}`)).body.task.relations_path, null);
  const faults = (await admin.call("PUT", `/v1/campaigns/${id}`, { approved: true })).body.errors;
  assert.deepEqual(faults.map((fault: { path: string }) => fault.path), ["task.relations_path"]);
});

Deno.test("a test mail has the values of the first recipient", async () => {
  await using app = await startApp();
  const { admin } = await sendingCompany(app);
  const young = { first_name: "Young", email: "young@example.org" };
  await createConsumer(admin, young, { consent: { email: { consent_given: true } } });
  await createConsumer(admin, { first_name: "Old", email: "old@example.org" }, {
    created_at: "2025-01-01 00:00:00",
  });
  const refusing = { first_name: "Never", email: "never@example.org" };
  const no = { consent: { email: { consent_given: false } }, created_at: "2024-01-01 00:00:00" };
  await createConsumer(admin, refusing, no);
  const template_id = await newTemplate(admin);
  // A test e-mail checks neither the time nor the task.
  const body = { ...everybody, template_id, send_at: "2020-01-01 00:00:00", execute_now: false };
  const fresh = await admin.call("POST", "/v1/campaigns/test-email", body);
  assert.equal(fresh.status, 202, fresh.text);
  const { body: me } = await admin.call("GET", "/v1/me");
  assert.equal(fresh.body.email, me.email);
  const { id } = await createCampaign(admin, { ...everybody, approved: false, template_id });
  const stored = await admin.call("POST", `/v1/campaigns/${id}/test-email`, { email: "try@example.org" });
  assert.deepEqual([stored.status, stored.body], [202, { email: "try@example.org" }], stored.text);
  await app.idle();
  assert.deepEqual(app.mailer.sent.map(({ to, subject }) => [to, subject]), [
    [me.email, "Offers for Old"],
    ["try@example.org", "Offers for Old"],
  ]);
  for (const { html, headers, from } of app.mailer.sent) {
    assert.ok(html!.includes("<h1>Frame</h1><p>Dear Old,</p>"), html);
    assert.match(from!.address!, /^no-reply@slug-/);
    const [, link] = /<(http[^>]+)>/.exec(headers!["List-Unsubscribe"]!)!;
    assert.ok(html!.includes(link!));
    assert.equal((await fetch(link!)).status, 200);
  }
  const { body: page } = await admin.call("GET", `/v1/campaigns/${id}/messages`);
  assert.equal(page.pagination.total, 0);
  const letter = { ...everybody, type: "letter", approved: false };
  const refused = await admin.call("POST", "/v1/campaigns/test-email", letter);
  assert.deepEqual([refused.status, refused.body.code], [409, "campaign_state"]);
});

Deno.test("the first recipient of a test mail is one of the team, its group and the company", async () => {
  await using app = await startApp();
  const company = await sendingCompany(app);
  const { admin } = company;
  const group_id = await company.group();
  const [apart, member, together] = [
    await company.team(),
    await company.team({ group_id }),
    await company.team({ group_id }),
  ];
  const createInTeam = async (first_name: string, team_id: number | null, created_at: string) =>
    await createConsumer(admin, { first_name, email: `${first_name}@example.org` }, { team_id, created_at });
  await createInTeam("Apart", apart, "2025-01-01 00:00:00");
  const shared = await createInTeam("Shared", null, "2025-01-02 00:00:00");
  await createInTeam("Together", together, "2025-01-03 00:00:00");
  const first = async (owner: object) => {
    const body = { ...everybody, approved: false, team_id: null, ...owner };
    await postRecord(admin, "/v1/campaigns/test-email", body);
    const { id } = await createCampaign(admin, body);
    await postRecord(admin, `/v1/campaigns/${id}/test-email`, { email: "try@example.org" });
    await app.idle();
    return app.mailer.sent.splice(0).map(({ subject }) => subject.slice("Offers for ".length));
  };
  assert.deepEqual(await first({}), ["Apart", "Apart"]);
  assert.deepEqual(await first({ team_id: apart }), ["Apart", "Apart"]);
  assert.deepEqual(await first({ team_id: member }), ["Shared", "Shared"]);
  assert.deepEqual(await first({ group_id, team_id: undefined }), ["Shared", "Shared"]);
  const contact = `/v1/accounts/${shared.account.id}/contacts/${shared.id}`;
  assert.equal((await admin.call("DELETE", contact)).status, 204);
  assert.deepEqual(await first({ team_id: member }), ["Together", "Together"]);
  assert.deepEqual(await first({ group_id, team_id: undefined }), ["Together", "Together"]);
});

Deno.test("a user sends twenty test mails an hour", async () => {
  await using app = await startApp();
  const company = await sendingCompany(app);
  const { admin } = company;
  const { id } = await createCampaign(admin, { ...everybody, approved: false, team_id: null });
  const test = (actor: Actor) =>
    actor.call("POST", `/v1/campaigns/${id}/test-email`, { email: "a@example.org" });
  for (let sent = 0; sent < 20; sent++) assert.equal((await test(admin)).status, 202);
  const refused = await test(admin);
  assert.deepEqual([refused.status, refused.body.code], [429, "rate_limited"]);
  const other = await company.user({ rights: ["campaigns.manage"] });
  assert.equal((await test(other)).status, 202);
  app.clock.move(3_600_000);
  assert.equal((await test(admin)).status, 202);
});
