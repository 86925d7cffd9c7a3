/** What is sent later in somebody's name is judged by what that user may do at that moment. */
import assert from "node:assert/strict";
import { startApp, type TestApp, type TestCompany } from "../support/app.ts";
import {
  act,
  automatedMails,
  createCase,
  listSends,
  makeCommunication,
  makeDefinition,
  makeRoad,
  workAt,
} from "./automated_world.ts";
import {
  campaignMails,
  createConsumer,
  everybody,
  listMessages,
  postRecord,
  put,
  runWork,
  sendingCompany,
  soon,
} from "./campaign_world.ts";

const rights = ["automations.manage", "campaigns.manage", "campaigns.send"] as const;

async function leaves(app: TestApp, userId: number, teamId: number): Promise<void> {
  await app.deps.db.write([
    { sql: "delete from team_members where user_id = ? and team_id = ?", args: [userId, teamId] },
  ]);
}

/** A user of two teams, of which the second has a template. */
async function makeWorld(app: TestApp) {
  const company = await sendingCompany(app);
  const [near, far] = [await company.team(), await company.team()];
  const maker = await company.user({ type: "team_admin", teams: [near, far], rights: [...rights] });
  const template = await postRecord(company.admin, "/v1/templates", {
    type: "email",
    title: "Frame",
    content: "<h1>Secret frame</h1>{{content}}",
    team_id: far,
  });
  return { company, admin: company.admin, near, far, maker, template_id: template.id };
}

const readMessages = async ({ admin }: TestCompany) =>
  (await admin.call("GET", "/v1/notifications")).body.data.map(({ message }: { message: string }) => message);

Deno.test("an automated e-mail leaves out what the user who chose it may not read any more, and says so", async () => {
  await using app = await startApp({ MAIL_RATE: "0" });
  const { admin, near, far, maker, template_id } = await makeWorld(app);
  const file = (name: string, team: number) =>
    postRecord(admin, "/v1/files", { name, data: btoa(name), permissions: [{ type: "team", value: team }] });
  const [kept, lost] = [await file("kept.txt", near), await file("lost.txt", far)];
  const made = await postRecord(
    maker,
    "/v1/automated-communications",
    makeDefinition({
      team_id: near,
      communications: [makeCommunication({ template_id, attachments: [kept.id, lost.id] })],
    }),
  );
  const road = await makeRoad(admin, [made.id]);
  const before = await createCase(admin, road);
  await act(admin, road, before.id, ["Drive"]);
  // A change by somebody else leaves the maker answerable.
  const [{ id }] = made.communications;
  await put(admin, `/v1/automated-communications/${made.id}`, { communications: [{ id, name: "Renamed" }] });
  await workAt(app, "2026-03-03 09:00:00");
  await leaves(app, maker.id, far);
  const after = await createCase(admin, road, { values: { email: "later@example.org" } });
  await act(admin, road, after.id, ["Drive"]);
  await workAt(app, "2026-03-04 09:00:00");
  const sent = automatedMails(app).map(({ html, attachments = [] }) => [
    html!.includes("Secret frame"),
    attachments.map(({ name }) => name),
  ]);
  assert.deepEqual(sent, [[true, ["kept.txt", "lost.txt"]], [false, ["kept.txt"]]]);
  const [first] = await listSends(admin, before.id);
  assert.deepEqual([first!.status, first!.reason], ["sent", null]);
  const [second] = await listSends(admin, after.id);
  assert.equal(second!.status, "sent");
  assert.match(second!.reason, /^Left out, .*: the template, a file\.$/);
});

Deno.test("a campaign leaves out a template that its user does not see any more, and its messages say so", async () => {
  await using app = await startApp();
  const { admin, near, far, maker, template_id } = await makeWorld(app);
  await createConsumer(admin, { first_name: "Grace", email: "grace@example.org" });
  const { id } = await postRecord(maker, "/v1/campaigns", { ...soon, team_id: near, template_id });
  await leaves(app, maker.id, far);
  app.clock.move(3_600_000);
  await runWork(app);
  const [message] = await listMessages(admin, id);
  assert.equal(message!.status, "sent");
  assert.match(message!.error, /^The template was left out/);
  assert.ok(!campaignMails(app)[0]!.html!.includes("Secret frame"));
});

Deno.test("a campaign whose user may not send any more is a draft again; its user and the admins are notified", async () => {
  for (const loses of ["right", "team"] as const) {
    await using app = await startApp();
    const { company, admin, near, maker } = await makeWorld(app);
    await createConsumer(admin, { first_name: "Grace", email: "grace@example.org" });
    const { id } = await postRecord(maker, "/v1/campaigns", { ...soon, team_id: near });
    if (loses === "team") await leaves(app, maker.id, near);
    else {
      await app.deps.db.write([
        { sql: "delete from role_rights where right_name = 'campaigns.send'", args: [] },
      ]);
    }
    app.clock.move(3_600_000);
    await runWork(app);
    const { body } = await admin.call("GET", `/v1/campaigns/${id}`);
    assert.equal(body.status, "draft");
    assert.deepEqual(campaignMails(app), []);
    const why = "The campaign Spring waits for approval again: its user may not send it any more.";
    assert.deepEqual(await readMessages(company), [why]);
    const { body: mine } = await maker.call("GET", "/v1/notifications");
    assert.equal(mine.data.length, 1);
  }
});

Deno.test("a campaign of a user without the right goes out when somebody with the right approved it", async () => {
  await using app = await startApp();
  const company = await sendingCompany(app);
  const { admin } = company;
  const team = await company.team();
  const drafter = await company.user({ teams: [team], rights: ["campaigns.manage"] });
  await createConsumer(admin, { first_name: "Grace", email: "grace@example.org" });
  const draft = { ...everybody, approved: false, execute_now: false };
  const { id } = await postRecord(drafter, "/v1/campaigns", draft);
  await put(admin, `/v1/campaigns/${id}`, { approved: true, send_at: soon.send_at });
  app.clock.move(3_600_000);
  await runWork(app);
  assert.equal((await listMessages(admin, id)).length, 1);
});

Deno.test("a campaign is stopped while it is sent when its user may not send any more", async () => {
  await using app = await startApp({ MAIL_RATE: "0" });
  const { company, admin, near, maker } = await makeWorld(app);
  for (let n = 0; n < 15; n++) {
    await createConsumer(admin, { first_name: "Grace", email: `g${n}@example.org` });
  }
  const { id } = await postRecord(maker, "/v1/campaigns", { ...soon, team_id: near });
  const { mailer } = app;
  const send = mailer.send.bind(mailer);
  mailer.send = async (letter) => {
    await leaves(app, maker.id, near);
    return await send(letter);
  };
  app.clock.move(3_600_000);
  await runWork(app);
  await runWork(app);
  // Lots of ten messages that were begun are sent.
  const messages = await listMessages(admin, id);
  const sent = messages.filter(({ status }) => status === "sent").length;
  assert.equal(campaignMails(app).length, sent);
  assert.ok(sent < 15, `${sent} sent`);
  assert.deepEqual(new Set(messages.map(({ error }) => error)), new Set([null, "stopped"]));
  const why = "The campaign Spring was stopped while it was sent: its user may not send it any more.";
  assert.deepEqual(await readMessages(company), [why]);
});
