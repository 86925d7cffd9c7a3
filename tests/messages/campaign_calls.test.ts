import assert from "node:assert/strict";
import { describeRecipientsWork } from "../../src/messages/campaigns/write_recipients.ts";
import { startCampaigns } from "../../src/messages/campaigns/start.ts";
import { filterFields } from "../../src/app.ts";
import { runStaged } from "../../src/staged/run.ts";
import { type Actor, type Body, startApp } from "../support/app.ts";
import {
  createCampaign,
  createConsumer,
  everybody,
  listMessages,
  postRecord,
  put,
  runWork,
  sendingCompany,
} from "./campaign_world.ts";

const times = { start_at: "2026-03-06 09:00:00", end_at: "2026-03-06 17:00:00" };
const call = { name: "Calls", type: "telephone", filter: [], execute_now: true };

async function newPath(actor: Actor): Promise<string> {
  const body = { name: "Sale", activity_types: { milestones: [{ name: "Offer" }] } };
  return (await postRecord(actor, "/v1/relations-paths", body)).id;
}

async function readCases(actor: Actor): Promise<Body[]> {
  const { body } = await actor.call("GET", "/v1/cases?per_page=100");
  const all: Body[] = body.data;
  return await Promise.all(all.map(async ({ id }) => (await actor.call("GET", `/v1/cases/${id}`)).body));
}

Deno.test("each recipient gets a call in an open case on the path, or in a new one, dealt in turn", async () => {
  await using app = await startApp();
  const company = await sendingCompany(app);
  const { admin } = company;
  const team = await company.team();
  const users = [await company.user({ teams: [team] }), await company.user({ teams: [team] })];
  const [path, other] = [await newPath(admin), await newPath(admin)];
  const contacts: Body[] = [];
  for (const name of ["a", "b", "c", "d", "e"]) {
    contacts.push(await createConsumer(admin, { last_name: name, phone_number: "+43 1" }, { team_id: team }));
  }
  const newCase = (contact: Body, relations_path_id: string) =>
    postRecord(admin, "/v1/cases", {
      contact_id: contact.id,
      relations_path_id,
      team_id: team,
      user_id: users[0]!.id,
    });
  const open = await newCase(contacts[1], path);
  await newCase(contacts[2], other);
  const task = {
    distribution_strategy: "distribute",
    distribute_users: users.map(({ id }) => id),
    relations_path: path,
    ...times,
  };
  await put(admin, `/v1/accounts/${contacts[4].account.id}/contacts/${contacts[4].id}`, {
    consent: { call: { consent_given: false } },
  });
  const { id } = await createCampaign(admin, { ...call, team_id: team, task });
  await runWork(app);
  const campaign = (await admin.call("GET", `/v1/campaigns/${id}`)).body;
  assert.deepEqual([campaign.status, campaign.total_sent], ["sent", 4]);
  assert.deepEqual((await listMessages(admin, id)).map(({ status }) => status), [
    "sent",
    "sent",
    "sent",
    "sent",
  ]);
  const found = (await readCases(admin)).filter(({ relations_path }) => relations_path.id === path);
  const byContact = new Map(found.map((each) => [each.contact.id, each]));
  assert.equal(byContact.get(contacts[1].id).id, open.id);
  const dealt = contacts.slice(0, 4).map((contact, index) => {
    const { tasks, user, team_id, status } = byContact.get(contact.id);
    assert.equal(tasks.length, 1);
    const { type, start_at, end_at } = tasks[0];
    assert.deepEqual({ type, start_at, end_at }, { type: "call", ...times });
    assert.deepEqual([team_id, status], [team, "open"]);
    if (index !== 1) assert.equal(user.id, tasks[0].user.id);
    return tasks[0].user.id;
  });
  assert.deepEqual(dealt, [users[0]!.id, users[1]!.id, users[0]!.id, users[1]!.id]);
  const numbers = found.map(({ case_number }) => case_number);
  assert.equal(new Set(numbers).size, numbers.length);
  const { body: notifications } = await admin.call("GET", "/v1/notifications");
  assert.equal(notifications.data[0].type, "campaign_sent");
  const tasks = contacts.slice(0, 4).map((contact) => byContact.get(contact.id).tasks[0]);
  for (const user of users) {
    const { body: own } = await user.call("GET", "/v1/notifications");
    const assigned = own.data.map(({ type, data }: Body) => [type, data.user.id, data.task.id]);
    const mine = tasks.filter((task) => task.user.id === user.id).map((
      { id },
    ) => ["task_assigned", admin.id, id]);
    assert.deepEqual(assigned.toSorted(), mine.toSorted());
    assert.equal(own.data.length, 2);
  }
  const contact =
    (await admin.call("GET", `/v1/accounts/${contacts[0].account.id}/contacts/${contacts[0].id}`)).body;
  assert.equal(contact.status, "opportunity");
});

Deno.test("recipients who refuse calls meanwhile take no turn, so that users get equally many", async () => {
  await using app = await startApp();
  const company = await sendingCompany(app);
  const { admin } = company;
  const users = [await company.user({ type: "admin" }), await company.user({ type: "admin" })];
  const contacts: Body[] = [];
  for (let nth = 0; nth < 24; nth++) {
    contacts.push(await createConsumer(admin, { last_name: `c${nth}`, phone_number: "+43 1" }));
  }
  const task = {
    distribution_strategy: "distribute",
    distribute_users: users.map(({ id }) => id),
    relations_path: await newPath(admin),
    ...times,
  };
  const { id } = await createCampaign(admin, {
    ...call,
    task,
    execute_now: undefined,
    send_at: "2026-03-02 10:00:00",
  });
  app.clock.move(3_600_000);
  await startCampaigns(app.deps, app.clock.now());
  await runStaged(app.deps, app.clock.now(), [describeRecipientsWork(filterFields)]);
  // Every second one, in both steps of the tasks.
  for (const { id, account } of contacts.filter((_, index) => index % 2 === 1)) {
    await put(admin, `/v1/accounts/${account.id}/contacts/${id}`, {
      consent: { call: { consent_given: false } },
    });
  }
  await runWork(app);
  const messages = await listMessages(admin, id);
  assert.equal(messages.filter(({ status }) => status === "skipped").length, 12);
  const calls = await app.sql("select user_id, count(*) as n from tasks group by user_id order by user_id");
  assert.deepEqual(calls, users.map(({ id }) => ({ user_id: id, n: 6 })));
});

Deno.test("the events of new cases have their numbers and tasks, as GET shows them", async () => {
  await using app = await startApp();
  const { admin } = await sendingCompany(app);
  const path = await newPath(admin);
  for (const name of ["a", "b"]) await createConsumer(admin, { last_name: name, phone_number: "+43 1" });
  const hook = { target_url: "http://127.0.0.1:9/", webhook_event: "case_created" };
  await postRecord(admin, "/v1/webhooks", hook);
  const task = { distribution_strategy: "responsible_user", relations_path: path, ...times };
  await createCampaign(admin, { ...call, task });
  await runWork(app);
  const bodies = (await app.sql("select body from outbox where event_name = 'case_created' order by rowid"))
    .map(({ body }) => body as string);
  assert.equal(bodies.length, 2);
  const shown = await readCases(admin);
  for (const { id, case_number } of shown) {
    assert.ok(
      bodies.some((body) => body.includes(id) && body.includes(`"case_number":${case_number}`)),
      bodies[0],
    );
  }
});

Deno.test("a campaign by e-mail with a task sends the e-mail and plans a call with the contact's user", async () => {
  await using app = await startApp({ MAIL_RATE: "0" });
  const company = await sendingCompany(app);
  const { admin } = company;
  const path = await newPath(admin);
  const seller = await company.user();
  const fields = (name: string) => ({ last_name: name, email: `${name}@example.org` });
  await createConsumer(admin, fields("sold"), { user_id: seller.id });
  await createConsumer(admin, fields("quiet"), { consent: { call: { consent_given: false } } });
  const task = { distribution_strategy: "responsible_user", relations_path: path, ...times };
  const { id } = await createCampaign(admin, { ...everybody, task });
  await runWork(app);
  assert.deepEqual((await listMessages(admin, id)).map(({ status }) => status), ["sent", "sent"]);
  const [made, ...others] = await readCases(admin);
  assert.equal(others.length, 0);
  assert.deepEqual([made.tasks.length, made.tasks[0].user.id, made.user.id], [1, seller.id, seller.id]);
  assert.equal((await admin.call("GET", `/v1/campaigns/${id}`)).body.total_sent, 2);
});

Deno.test("calls go to users who see the contact at that moment, and stop when the campaign's user may not send", async () => {
  await using app = await startApp();
  const company = await sendingCompany(app);
  const { admin } = company;
  const team = await company.team();
  const maker = await company.user({ teams: [team], rights: ["campaigns.manage", "campaigns.send"] });
  const users = [await company.user({ teams: [team] }), await company.user({ teams: [team] })];
  const path = await newPath(admin);
  for (let n = 0; n < 12; n++) {
    await createConsumer(admin, { last_name: `n${n}`, phone_number: "+43 1" }, { team_id: team });
  }
  const leave = (id: number) =>
    app.deps.db.write([{
      sql: "delete from team_members where user_id = ? and team_id = ?",
      args: [id, team],
    }]);
  const task = {
    distribution_strategy: "distribute",
    distribute_users: users.map(({ id }) => id),
    relations_path: path,
    ...times,
  };
  const later = { ...call, execute_now: false, send_at: "2026-03-05 09:00:00", task };
  await postRecord(maker, "/v1/campaigns", later);
  await leave(users[1]!.id);
  app.clock.set(Date.UTC(2026, 2, 5, 9));
  await runWork(app);
  await runWork(app);
  const owners = await app.sql("select distinct user_id from tasks");
  assert.deepEqual(owners.map(({ user_id }) => user_id), [users[0]!.id]);

  const { id } = await postRecord(maker, "/v1/campaigns", {
    ...later,
    name: "More",
    send_at: "2026-03-05 10:00:00",
    task: { ...task, distribute_users: [users[0]!.id] },
  });
  app.clock.set(Date.UTC(2026, 2, 5, 10));
  await startCampaigns(app.deps, app.clock.now());
  await runStaged(app.deps, app.clock.now(), [describeRecipientsWork(filterFields)]);
  await leave(maker.id);
  const [before] = await app.sql("select count(*) as n from tasks");
  await runWork(app);
  await runWork(app);
  assert.deepEqual(await app.sql("select count(*) as n from tasks"), [before]);
  const messages = await listMessages(admin, id);
  assert.deepEqual(
    new Set(messages.map(({ status, error }) => `${status} ${error}`)),
    new Set(["skipped stopped"]),
  );
  const { body } = await admin.call("GET", "/v1/notifications");
  assert.match(body.data[0].message, /^The campaign More was stopped while it was sent/);
});
