/** Removing what an approved campaign names makes it a draft: it never reaches others, and never waits for ever. */
import assert from "node:assert/strict";
import { stagedKinds } from "../../src/staged_kinds.ts";
import { sql } from "../../src/db/statements.ts";
import { runStaged } from "../../src/staged/run.ts";
import { type Actor, startApp } from "../support/app.ts";
import { newCase, newPath } from "../sales/parts.ts";
import {
  campaignMails,
  createCampaign,
  createConsumer,
  everybody,
  postRecord,
  runWork,
  sendingCompany,
} from "./campaign_world.ts";

const later = { execute_now: false, send_at: "2026-03-05 09:00:00" };

async function remove(actor: Actor, path: string): Promise<void> {
  const reply = await actor.call("DELETE", path);
  assert.equal(reply.status, 204, reply.text);
}

async function assertStopped(
  actor: Actor,
  id: string,
  why: RegExp,
): Promise<void> {
  const { body } = await actor.call("GET", `/v1/campaigns/${id}`);
  assert.deepEqual([body.status, body.approved], ["draft", false], why.source);
  const { data } = (await actor.call("GET", "/v1/notifications")).body;
  const texts = data.map((each: { message: { plain: string } }) => each.message.plain ?? each.message);
  assert.ok(
    texts.some((text: string) => why.test(text)),
    JSON.stringify(texts),
  );
}

Deno.test("an approved campaign of a deleted group or team becomes a draft, also with a successor", async () => {
  await using app = await startApp({ MAIL_RATE: "0" });
  const company = await sendingCompany(app);
  const { admin } = company;
  const group = await postRecord(admin, "/v1/groups", { name: "North" });
  const [team, heir] = [
    await company.team({ name: "East" }),
    await company.team({ name: "West" }),
  ];
  await createConsumer(admin, { first_name: "Grace", email: "grace@example.org" }, {
    team_id: heir,
  });
  const ofGroup = await createCampaign(admin, {
    ...everybody,
    ...later,
    group_id: group.id,
  });
  await remove(admin, `/v1/groups/${group.id}`);
  await assertStopped(admin, ofGroup.id, /Spring: .*its group was deleted/);
  const ofTeam = await createCampaign(admin, {
    ...everybody,
    ...later,
    team_id: team,
  });
  const naming = await createCampaign(admin, {
    ...everybody,
    ...later,
    name: "Others",
    filter: [{ field: "contact.team_id", operator: "nin", value: [team] }],
  });
  await remove(admin, `/v1/teams/${team}?assign_to=${heir}`);
  await assertStopped(admin, ofTeam.id, /Spring.*its team was deleted/);
  await assertStopped(
    admin,
    naming.id,
    /Others.*its filter names a deleted team/,
  );
  app.clock.move(5 * 86_400_000);
  await runWork(app);
  assert.deepEqual(campaignMails(app), []);
});

Deno.test("an approved campaign stops when a field or an option of its filter goes", async () => {
  await using app = await startApp({ MAIL_RATE: "0" });
  const { admin } = await sendingCompany(app);
  const newField = (label: string, more: object) =>
    postRecord(admin, "/v1/fields/contact", { label, ...more });
  const approveCampaign = (name: string, operator: string, value: unknown) =>
    createCampaign(admin, {
      ...everybody,
      ...later,
      name,
      filter: [{ field: `b2c_contact.custom_fields.${name}`, operator, value }],
    });
  const gone = await newField("gone", { type: "numeric" });
  const retyped = await newField("retyped", { type: "numeric" });
  const choice = await newField("choice", { type: "single_choice" });
  const options = `/v1/fields/contact/${choice.id}/options`;
  const [vip, other] = [
    await postRecord(admin, options, { value: "VIP" }),
    await postRecord(admin, options, { value: "No" }),
  ];
  const [one, two] = [
    await approveCampaign("gone", "gt", 5),
    await approveCampaign("retyped", "gt", 5),
  ];
  const three = await approveCampaign("choice", "nin", [vip.id]);
  const [four, five] = [
    await approveCampaign("choice", "exists", false),
    await approveCampaign("choice", "eq", other.id),
  ];
  await remove(admin, `/v1/fields/contact/${gone.id}`);
  await assertStopped(admin, one.id, /gone: .*the field gone was deleted/);
  const changed = await admin.call("PUT", `/v1/fields/contact/${retyped.id}`, {
    label: "retyped",
    type: "date",
  });
  assert.equal(changed.status, 200, changed.text);
  await assertStopped(
    admin,
    two.id,
    /retyped: .*the field retyped has another type/,
  );
  await remove(admin, `${options}/${vip.id}`);
  await assertStopped(
    admin,
    three.id,
    /choice.*the option VIP of choice was deleted/,
  );
  await assertStopped(
    admin,
    four.id,
    /choice.*the option VIP of choice was deleted/,
  );
  // It names another option, so its recipients stay the same.
  assert.equal(
    (await admin.call("GET", `/v1/campaigns/${five.id}`)).body.status,
    "pending",
  );
});

Deno.test("an approved campaign stops when a field goes whose placeholder its text or template has", async () => {
  await using app = await startApp({ MAIL_RATE: "0" });
  const { admin } = await sendingCompany(app);
  await createConsumer(admin, { first_name: "Grace", email: "grace@example.org" });
  const newField = (label: string) => postRecord(admin, "/v1/fields/contact", { label, type: "text" });
  const [code, longer] = [await newField("Code"), await newField("Code two")];
  const content =
    "<p>Your code: {{#contact.custom.code}}{{ contact.custom.code }}{{/contact.custom.code}}</p>";
  const template = await postRecord(admin, "/v1/templates", {
    type: "email",
    title: "Frame",
    content: `${content}{{content}}`,
    team_id: null,
  });
  const approveCampaign = (name: string, more: object, message: object = {}) =>
    createCampaign(admin, {
      ...everybody,
      ...later,
      name,
      ...more,
      message: { ...everybody.message, subject: name, content: "<p>Hello</p>", ...message },
    });
  const stopped = [
    await approveCampaign("Text", {}, { content }),
    await approveCampaign("Link", {}, {
      content: '<a href="https://example.org/?code={{contact.custom.code}}&amp;a=1">Here</a>',
    }),
    await approveCampaign("Subject", {}, { subject: "Code {{contact.custom.code}}" }),
    await approveCampaign("Template", { template_id: template.id }),
  ];
  const kept = [
    await approveCampaign("Longer", {}, { content: "<p>{{contact.custom.code_two}}</p>" }),
    await approveCampaign("Account", {}, { content: "<p>{{account.custom.code}}</p>" }),
    await approveCampaign("Words", {}, { content: "<p>contact.custom.codes and {{contact.first_name}}</p>" }),
  ];
  await remove(admin, `/v1/fields/contact/${code.id}`);
  for (const { id, name } of stopped) {
    await assertStopped(admin, id, new RegExp(`${name}.*the field Code was deleted`));
  }
  for (const { id, name } of kept) {
    assert.equal((await admin.call("GET", `/v1/campaigns/${id}`)).body.status, "pending", name);
  }
  const { unknown_placeholders } = (await admin.call("GET", `/v1/templates/${template.id}`)).body;
  assert.deepEqual(unknown_placeholders, ["contact.custom.code"]);
  await remove(admin, `/v1/fields/contact/${longer.id}`);
  await assertStopped(admin, kept[0]!.id, /Longer.*the field Code two was deleted/);

  app.clock.move(5 * 86_400_000);
  await runWork(app);
  assert.deepEqual(campaignMails(app).map(({ subject }) => subject).toSorted(), ["Account", "Words"]);
});

Deno.test("a campaign whose filter cannot be read any more becomes a draft when it is due", async () => {
  await using app = await startApp({ MAIL_RATE: "0" });
  const { admin } = await sendingCompany(app);
  await createConsumer(admin, { first_name: "Grace", email: "grace@example.org" });
  const { id } = await createCampaign(admin, { ...everybody, ...later });
  const filter = JSON.stringify([{ field: "b2c_contact.custom_fields.lost", operator: "gt", value: 5 }]);
  await app.deps.db.write([sql`update campaigns set filter = ${filter} where id = ${id}`]);
  app.clock.move(5 * 86_400_000);
  await runWork(app);
  await assertStopped(admin, id, /Spring: .*its filter names something that no longer exists/);
  assert.deepEqual(campaignMails(app), []);
});

Deno.test("an approved campaign becomes a draft when a user of its tasks is deleted, with a successor or without", async () => {
  await using app = await startApp({ MAIL_RATE: "0" });
  const company = await sendingCompany(app);
  const { admin } = company;
  const path = await newPath(admin);
  const heir = await company.user();
  for (const query of ["", `?assign_to=${heir.id}`]) {
    const user = await company.user();
    const made = await createCampaign(admin, {
      name: "Calls",
      type: "telephone",
      filter: [],
      ...later,
      task: {
        distribution_strategy: "distribute",
        distribute_users: [user.id, admin.id],
        relations_path: path.id,
        start_at: "2026-03-06 09:00:00",
        end_at: "2026-03-07 09:00:00",
      },
    });
    await remove(admin, `/v1/companies/${company.id}/users/${user.id}${query}`);
    await assertStopped(admin, made.id, /Calls: .*a user of its tasks was deleted/);
  }
});

Deno.test("an option that goes while recipients are written makes the campaign a draft without messages", async () => {
  await using app = await startApp({ MAIL_RATE: "0" });
  const { admin } = await sendingCompany(app);
  const field = await postRecord(admin, "/v1/fields/contact", { label: "choice", type: "single_choice" });
  const vip = await postRecord(admin, `/v1/fields/contact/${field.id}/options`, { value: "VIP" });
  await createConsumer(admin, { first_name: "Vip", email: "vip@example.org" }, {
    custom_fields: [{ id: field.id, value: vip.id }],
  });
  const filter = [{ field: "b2c_contact.custom_fields.choice", operator: "nin", value: [vip.id] }];
  const made = await createCampaign(admin, { ...everybody, ...later, filter });
  // The state after the first step of many.
  await app.deps.db.write([
    sql`insert into campaign_messages (company_id, campaign_id, contact_id, email, email_key, status, created_at,
      updated_at) select company_id, ${made.id}, id, 'a@example.org', 'a@example.org', 'pending', created_at,
      created_at from contacts`,
    sql`update campaigns set stage = 'recipients', snapshot = '{}' where id = ${made.id}`,
  ]);
  await remove(admin, `/v1/fields/contact/${field.id}/options/${vip.id}`);
  await assertStopped(admin, made.id, /the option VIP of choice was deleted/);
  assert.deepEqual(await app.sql("select id from campaign_messages"), []);
  await runWork(app);
  assert.deepEqual(campaignMails(app), []);
});

Deno.test("a campaign that is being sent ends when its team, group, filter, user or task user goes: what waits is skipped", async () => {
  await using app = await startApp({ MAIL_RATE: "0" });
  const company = await sendingCompany(app);
  const { admin } = company;
  const [team, heir, group, user] = [
    await company.team(),
    await company.team(),
    await company.group(),
    await company.user(),
  ];
  const field = await postRecord(admin, "/v1/fields/contact", { label: "gone", type: "numeric" });
  const contact = await createConsumer(admin, { first_name: "Grace", email: "grace@example.org" });
  const sending = async (name: string, more: object, by: Actor = admin) => {
    const made = await createCampaign(by, { ...everybody, ...later, name, ...more });
    // The state between two lots.
    await app.deps.db.write([
      sql`insert into campaign_messages (company_id, campaign_id, contact_id, email, email_key, status, due_at, created_at,
        updated_at) values (${company.id}, ${made.id}, ${contact.id}, 'a@example.org', 'a@example.org', 'pending', 0,
        ${made.created_at}, ${made.created_at})`,
      sql`update campaigns set stage = 'sending', snapshot = '{}' where id = ${made.id}`,
    ]);
    return made;
  };
  const filter = [{ field: "b2c_contact.custom_fields.gone", operator: "gt", value: 5 }];
  const task = {
    distribution_strategy: "distribute",
    distribute_users: [user.id, admin.id],
    relations_path: (await newPath(admin)).id,
    start_at: "2026-03-06 09:00:00",
    end_at: "2026-03-07 09:00:00",
  };
  const maker = await company.user({ type: "admin" });
  const cases: readonly (readonly [string, object, string, RegExp, Actor?])[] = [
    ["Of team", { team_id: team }, `/v1/teams/${team}?assign_to=${heir}`, /its team was deleted/],
    ["Of group", { group_id: group }, `/v1/groups/${group}`, /its group was deleted/],
    ["Of field", { filter }, `/v1/fields/contact/${field.id}`, /the field gone was deleted/],
    ["Of user", { task }, `/v1/companies/${company.id}/users/${user.id}`, /a user of its tasks was deleted/],
    ["Of maker", {}, `/v1/companies/${company.id}/users/${maker.id}`, /its user was deleted/, maker],
  ];
  const other = await sending("Another", {});
  for (const [name, more, path, why, by] of cases) {
    const made = await sending(name, more, by);
    await remove(admin, path);
    const { body } = await admin.call("GET", `/v1/campaigns/${made.id}`);
    assert.equal(body.status, "sent", name);
    assert.match(body.stopped_reason, /^It was stopped while it was sent, because /);
    assert.match(body.stopped_reason, why);
    const { data } = (await admin.call("GET", "/v1/notifications?per_page=100")).body;
    const texts = data.map((each: { message: { plain: string } }) => each.message.plain ?? each.message);
    assert.ok(texts.some((text: string) => text.startsWith(`${name}: was stopped`)), JSON.stringify(texts));
    await app.idle();
    await runStaged(app.deps, app.clock.now(), stagedKinds);
    assert.deepEqual(
      await app.sql("select status, error from campaign_messages where campaign_id = ?", made.id),
      [{ status: "skipped", error: "stopped" }],
    );
  }
  assert.deepEqual((await admin.call("GET", `/v1/campaigns/${other.id}`)).body.stopped_reason, null);
  assert.deepEqual(campaignMails(app), []);
});

Deno.test("a campaign that is being sent goes on for the successor, also when the successor gets many cases", async () => {
  await using app = await startApp({ MAIL_RATE: "0" });
  const company = await sendingCompany(app);
  const { admin } = company;
  const path = await newPath(admin);
  for (const cases of [1, 25]) {
    const [maker, heir] = [await company.user({ type: "admin" }), await company.user({ type: "admin" })];
    for (let made = 0; made < cases; made++) await newCase(maker, path);
    const made = await createCampaign(maker, {
      ...everybody,
      ...later,
      task: {
        distribution_strategy: "distribute",
        distribute_users: [maker.id, admin.id],
        relations_path: path.id,
        start_at: "2026-03-06 09:00:00",
        end_at: "2026-03-07 09:00:00",
      },
    });
    await app.deps.db.write([
      sql`update campaigns set stage = 'sending', snapshot = '{}' where id = ${made.id}`,
    ]);
    await remove(admin, `/v1/companies/${company.id}/users/${maker.id}?assign_to=${heir.id}`);
    await app.idle();
    const { body } = await admin.call("GET", `/v1/campaigns/${made.id}`);
    assert.deepEqual([body.user.id, body.stopped_reason], [heir.id, null], `${cases} cases`);
    const left = await app.sql("select id from cases where user_id = ? and status = 'open'", maker.id);
    assert.deepEqual(left, []);
  }
});

Deno.test("who approves the draft of a deleted user sends it, to the contacts that they see", async () => {
  await using app = await startApp({ MAIL_RATE: "0" });
  const company = await sendingCompany(app);
  const { admin } = company;
  await createConsumer(admin, { first_name: "Grace", email: "grace@example.org" });
  const maker = await company.user({ type: "admin" });
  const made = await createCampaign(maker, { ...everybody, ...later });
  const path = `/v1/campaigns/${made.id}`;
  await remove(admin, `/v1/companies/${company.id}/users/${maker.id}`);
  const kept = await admin.call("PUT", path, { name: "Kept" });
  assert.deepEqual([kept.body.status, kept.body.user.id], ["draft", maker.id]);
  const { body } = await admin.call("PUT", path, { approved: true });
  assert.deepEqual([body.status, body.user.id], ["pending", admin.id]);
  assert.deepEqual((await admin.call("GET", path)).body, body);
  assert.equal((await admin.call("GET", `${path}/recipients`)).body.count, 1);
  app.clock.move(4 * 86_400_000);
  await runWork(app);
  await runWork(app);
  assert.equal((await admin.call("GET", path)).body.status, "sent");
  assert.deepEqual(campaignMails(app).map(({ to }) => to), ["grace@example.org"]);
});
