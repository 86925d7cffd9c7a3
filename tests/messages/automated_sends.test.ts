import assert from "node:assert/strict";
import { MailFailed } from "../../src/platform/mail/mail.ts";
import { type Actor, type Body, startApp, type TestApp } from "../support/app.ts";
import { farDatabase } from "../support/far.ts";
import { readEvents } from "../sales/parts.ts";
import {
  act,
  automatedMails,
  createCase,
  listSends,
  makeCommunication,
  makeDefinition,
  makeRoad,
  posted,
  queueNow,
  readNext,
  type Road,
  workAt,
} from "./automated_world.ts";

const path = "/v1/automated-communications";

interface World {
  readonly admin: Actor;
  readonly definition: Body;
  readonly road: Road;
}

/** A company with one definition of two communications, at 9:00 of the next day and the day after. */
async function makeWorld(app: TestApp, more: object = {}): Promise<World> {
  const { admin } = await app.company();
  const made = await posted(admin, path, {
    ...makeDefinition(),
    communications: [
      makeCommunication(more),
      makeCommunication({ name: "Second", delay: { days: 2, offset_from_midnight: 32_400 } }),
    ],
  });
  return { admin, definition: made, road: await makeRoad(admin, [made.id]) };
}

const listStates = (sends: Body[]) => sends.map(({ name, status, reason }) => [name, status, reason]);

Deno.test("an activity starts the communications of its type, which are sent at their minute", async () => {
  await using app = await startApp({ MAIL_RATE: "0" });
  const { admin, road } = await makeWorld(app);
  const of = await createCase(admin, road);
  assert.equal(await readNext(admin, of.id), null);
  await act(admin, road, of.id, ["Call"]);
  assert.deepEqual(await listSends(admin, of.id), []);
  await act(admin, road, of.id, ["Drive"]);
  const [first, second] = await listSends(admin, of.id);
  assert.deepEqual(first, {
    id: first.id,
    name: "Thanks",
    subject: "Hello {{contact.first_name}}",
    send_at: "2026-03-03 09:00:00",
    status: "pending",
    reason: null,
  });
  const { id, name, subject, send_at } = first;
  assert.deepEqual(await readNext(admin, of.id), { id, name, subject, send_at });
  assert.equal(second.send_at, "2026-03-04 09:00:00");
  const listed = (await admin.call("GET", "/v1/cases")).body.data[0];
  assert.deepEqual(listed.next_pending_automated_communication, { id, name, subject, send_at });

  await workAt(app, "2026-03-03 08:59:59");
  assert.equal(automatedMails(app).length, 0);
  const before = (await readEvents(app)).length;
  await workAt(app, "2026-03-03 09:00:00");
  const [mail, ...others] = automatedMails(app);
  assert.equal(others.length, 0);
  assert.deepEqual([mail!.to, mail!.subject, mail!.from, mail!.author!.name], [
    "grace@example.org",
    "Hello Grace",
    { name: "Ada Byron admin" },
    "Ada Byron admin",
  ]);
  const link = /^<(http:\/\/127\.0\.0\.1:\d+\/unsubscribe\/[\w.-]+)>$/.exec(
    mail!.headers!["List-Unsubscribe"]!,
  )![1]!;
  assert.equal(mail!.headers!["List-Unsubscribe-Post"], "List-Unsubscribe=One-Click");
  assert.ok(mail!.html!.includes(`<p>Dear Grace</p><p><a href="${link}">Unsubscribe</a></p>`), mail!.html);
  const [done] = await listSends(admin, of.id);
  assert.deepEqual(done, { ...first, subject: "Hello Grace", status: "sent" });
  assert.equal((await readNext(admin, of.id)).id, second.id);
  const events = (await readEvents(app)).slice(before);
  assert.deepEqual(events.map(({ name, body }) => [name, body.next_pending_automated_communication?.id]), [
    ["case_updated", second.id],
  ]);
  const { body: correspondences } = await admin.call("GET", `/v1/cases/${of.id}/correspondences`);
  const [sent] = correspondences.data;
  assert.equal(correspondences.data.length, 1);
  assert.deepEqual(
    [sent.id, sent.type, sent.direction, sent.status, sent.to, sent.subject, sent.sent_at],
    [first.id, "email", "out", "sent", "grace@example.org", "Hello Grace", "2026-03-03 09:00:00"],
  );
  // The unsubscribe link ends the later sends.
  const body = new URLSearchParams({ "List-Unsubscribe": "One-Click" });
  assert.equal((await fetch(link, { method: "POST", body })).status, 200);
  await workAt(app, "2026-03-04 09:00:00");
  assert.equal(automatedMails(app).length, 1);
  assert.deepEqual(listStates(await listSends(admin, of.id)), [["Thanks", "sent", null], [
    "Second",
    "skipped",
    "no_consent",
  ]]);
  assert.equal(await readNext(admin, of.id), null);
});

Deno.test("the same type does not start a second time while it runs; another type does", async () => {
  await using app = await startApp();
  const { admin, road } = await makeWorld(app);
  const of = await createCase(admin, road);
  await act(admin, road, of.id, ["Drive"]);
  await act(admin, road, of.id, ["Drive"]);
  assert.equal((await listSends(admin, of.id)).length, 2);
  await act(admin, road, of.id, ["Talk"]);
  assert.equal((await listSends(admin, of.id)).length, 4);
  await workAt(app, "2026-03-04 09:00:00");
  await act(admin, road, of.id, ["Drive"]);
  assert.equal((await listSends(admin, of.id)).length, 6);
  // Two types of one activity start it once.
  const other = await createCase(admin, road, { values: { email: "ada@example.org" } });
  await act(admin, road, other.id, ["Drive", "Talk"]);
  assert.equal((await listSends(admin, other.id)).length, 2);
});

Deno.test("the time is by the clock of the case's team, else of the company; what is long past is skipped", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const team = await company.team({ timezone: "America/New_York" });
  const made = await posted(admin, path, makeDefinition());
  const road = await makeRoad(admin, [made.id]);
  const of = await createCase(admin, road, { team_id: team });
  await act(admin, road, of.id, ["Drive"]);
  assert.equal((await readNext(admin, of.id)).send_at, "2026-03-03 14:00:00");
  const shared = await createCase(admin, road, {
    values: { email: "b@example.org" },
    created_at: "2026-02-28 12:00:00",
  });
  // The first send is due a day before its activity was recorded, the second one a day and a second before.
  await act(admin, road, shared.id, ["Drive"], { created_at: "2026-02-28 12:00:00" });
  assert.deepEqual(listStates(await listSends(admin, shared.id)), [["Thanks", "pending", null]]);
  app.clock.move(1_000);
  await act(admin, road, shared.id, ["Talk"], { created_at: "2026-02-28 12:00:00" });
  assert.deepEqual(listStates(await listSends(admin, shared.id)), [["Thanks", "pending", null], [
    "Thanks",
    "skipped",
    "past",
  ]]);
});

Deno.test("a case that moved, a missing address, consent and deletion skip it, each with its reason", async () => {
  await using app = await startApp({ MAIL_RATE: "0" });
  const { admin, road, definition: made } = await makeWorld(app);
  const fresh = async (email: string, names = ["Drive"]) => {
    const of = await createCase(admin, road, { values: { email } });
    await act(admin, road, of.id, names);
    return of;
  };
  const put = async (at: string, body: object) => {
    const { status, text } = await admin.call("PUT", at, body);
    assert.equal(status, 200, text);
  };
  const contact = (of: Body) => `/v1/accounts/${of.account.id}/contacts/${of.contact.id}`;
  const closed = await fresh("a@example.org");
  await act(admin, road, closed.id, ["Sold"]);
  // The closing activity itself starts this send, so the closed status does not skip it.
  const sold = await fresh("b@example.org", ["Sold"]);
  const blank = await fresh("c@example.org");
  await put(contact(blank), { fixed_fields: [{ name: "email", value: null }] });
  const refusing = await fresh("d@example.org");
  await put(contact(refusing), { consent: { email: { consent_given: false } } });
  // Another contact of the company has refused the address.
  const same = await fresh("D@example.org");
  await workAt(app, "2026-03-03 09:00:00");
  const first = async (of: Body) => listStates(await listSends(admin, of.id))[0]!.slice(1);
  assert.deepEqual(await first(closed), ["skipped", "case_moved"]);
  assert.deepEqual(await first(sold), ["sent", null]);
  assert.deepEqual(await first(blank), ["skipped", "no_address"]);
  assert.deepEqual(await first(refusing), ["skipped", "no_consent"]);
  assert.deepEqual(await first(same), ["skipped", "no_consent"]);
  assert.deepEqual(automatedMails(app).map(({ to }) => to).sort(), ["a@example.org", "b@example.org"]);

  const asked = await fresh("e@example.org");
  await put("/v1/campaigns/settings", { consent: { enable: true } });
  await workAt(app, "2026-03-04 09:00:00");
  assert.deepEqual(await first(asked), ["skipped", "no_consent"]);
  await put("/v1/campaigns/settings", { consent: { enable: false } });
  // One communication of the definition is deleted, then the whole definition.
  const partly = await fresh("f@example.org");
  await put(`${path}/${made.id}`, { communications: [{ id: made.communications[1].id, subject: "New" }] });
  await workAt(app, "2026-03-05 09:00:00");
  assert.deepEqual(await first(partly), ["skipped", "deleted"]);
  const wholly = await fresh("g@example.org");
  assert.equal((await admin.call("DELETE", `${path}/${made.id}`)).status, 204);
  await workAt(app, "2026-03-07 09:00:00");
  assert.deepEqual(await first(wholly), ["skipped", "deleted"]);
  const late = automatedMails(app).filter(({ to }) => "efg".includes(to[0]!));
  assert.deepEqual(late.map(({ to, subject }) => [to, subject]), [["e@example.org", "New"]]);
});

Deno.test("the text is the definition's when it is sent; a changed delay moves nothing that waits", async () => {
  await using app = await startApp({ MAIL_RATE: "0" });
  const { admin, road, definition: made } = await makeWorld(app);
  const file = await posted(admin, "/v1/files", { name: "offer.txt", data: btoa("offer") });
  const template = await posted(admin, "/v1/templates", {
    type: "email",
    title: "T",
    content: "<h1>{{subject}}</h1>{{content}}<p>{{case.case_number}} {{date}}</p>" +
      '<a href="{{unsubscribe_url}}">End</a>',
    team_id: null,
  });
  const of = await createCase(admin, road);
  await act(admin, road, of.id, ["Drive"]);
  const [first] = made.communications;
  const change = await admin.call("PUT", `${path}/${made.id}`, {
    communications: [{
      id: first.id,
      subject: "New for {{contact.first_name}}",
      content: "<p>{{contact.last_name}}</p>",
      delay: { days: 9, offset_from_midnight: 0 },
      template_id: template.id,
      attachments: [file.id],
    }],
  });
  assert.equal(change.status, 200, change.text);
  assert.equal((await readNext(admin, of.id)).send_at, "2026-03-03 09:00:00");
  const refused = await admin.call("DELETE", `/v1/templates/${template.id}`);
  assert.deepEqual([refused.status, refused.body.code], [409, "template_in_use"]);
  await workAt(app, "2026-03-03 09:00:00");
  const [mail] = automatedMails(app);
  assert.equal(mail!.subject, "New for Grace");
  assert.ok(mail!.html!.includes("<h1>New for Grace</h1><p></p><p>1 3 March 2026</p>"), mail!.html);
  assert.ok(!mail!.html!.includes("Unsubscribe"));
  assert.deepEqual(mail!.attachments!.map(({ name }) => name), ["offer.txt"]);
  assert.equal((await admin.call("DELETE", `/v1/templates/${template.id}`)).status, 204);
});

Deno.test("a text with the placeholder of a deleted field is skipped until it is another one", async () => {
  await using app = await startApp({ MAIL_RATE: "0" });
  const { admin } = await app.company();
  const field = await posted(admin, "/v1/fields/contact", { label: "Code", type: "text" });
  const template = await posted(admin, "/v1/templates", {
    type: "email",
    title: "Frame",
    content: "{{content}}<p>{{contact.custom.code}}</p>",
    team_id: null,
  });
  const soon = { delay: { days: 1, offset_from_midnight: 32_400 } };
  const made = await posted(admin, path, {
    ...makeDefinition(),
    communications: [
      makeCommunication({ ...soon, name: "Text", content: "<p>{{contact.custom.code}}</p>" }),
      makeCommunication({ ...soon, name: "Subject", subject: "{{contact.custom.code}}" }),
      makeCommunication({ ...soon, name: "Template", template_id: template.id }),
      makeCommunication({ ...soon, name: "Unknown", content: "<p>{{contact.custom.none}}</p>" }),
    ],
  });
  const road = await makeRoad(admin, [made.id]);
  const of = await createCase(admin, road);
  await act(admin, road, of.id, ["Drive"]);
  assert.equal((await admin.call("DELETE", `/v1/fields/contact/${field.id}`)).status, 204);
  const [notice] = (await admin.call("GET", "/v1/notifications")).body.data;
  assert.match(JSON.stringify(notice.message), /After a test drive: .*the field Code was deleted/);
  await workAt(app, "2026-03-03 09:00:00");
  const states = listStates(await listSends(admin, of.id)).toSorted();
  assert.deepEqual(states, [
    ["Subject", "skipped", "field_deleted"],
    ["Template", "skipped", "field_deleted"],
    ["Text", "skipped", "field_deleted"],
    ["Unknown", "sent", null],
  ]);
  const [text] = made.communications;
  const change = await admin.call("PUT", `${path}/${made.id}`, {
    communications: [{ id: text.id, content: "<p>Hello</p>" }],
  });
  assert.equal(change.status, 200, change.text);
  const other = await createCase(admin, road);
  await act(admin, road, other.id, ["Drive"]);
  await workAt(app, "2026-03-04 09:00:00");
  assert.deepEqual(listStates(await listSends(admin, other.id)), [["Text", "sent", null]]);
});

Deno.test("DELETE cancels one that waits, with case_updated; another time it is 409", async () => {
  await using app = await startApp();
  const { admin, road } = await makeWorld(app);
  const of = await createCase(admin, road);
  await act(admin, road, of.id, ["Drive"]);
  const [first, second] = await listSends(admin, of.id);
  const at = `/v1/cases/${of.id}/automated-communications`;
  const before = (await readEvents(app)).length;
  assert.equal((await admin.call("DELETE", `${at}/${first.id}`)).status, 204);
  assert.equal((await readNext(admin, of.id)).id, second.id);
  const [event, ...more] = (await readEvents(app)).slice(before);
  assert.deepEqual([event!.name, more], ["case_updated", []]);
  assert.equal(event!.body.next_pending_automated_communication.id, second.id);
  const again = await admin.call("DELETE", `${at}/${first.id}`);
  assert.deepEqual([again.status, again.body.code], [409, "case_state"]);
  const unknown = await admin.call("DELETE", `${at}/01939c5e-7d3a-7c3f-8a55-0a4be5a1a001`);
  assert.equal(unknown.status, 404);
  await workAt(app, "2026-03-05 09:00:00");
  assert.deepEqual(listStates(await listSends(admin, of.id)).map(([, status]) => status), [
    "cancelled",
    "sent",
  ]);
});

Deno.test("what the mail server refuses is failed with its reason, and one that fails alone holds up no other", async () => {
  await using app = await startApp({ MAIL_RATE: "0" });
  const { admin, road } = await makeWorld(app);
  const of = await createCase(admin, road);
  await act(admin, road, of.id, ["Drive"]);
  const broken = await createCase(admin, road, { values: { email: "b@example.org" } });
  await act(admin, road, broken.id, ["Drive"]);
  const send = app.mailer.send;
  app.mailer.send = () => Promise.reject(new MailFailed("550 no such user", "refused"));
  // Makes the activity's row unreadable.
  const products = (json: string) =>
    app.deps.db.write([{
      sql: "update activities set product_details = ? where case_id = ?",
      args: [json, broken.id],
    }]);
  await products("{");
  app.clock.set(Date.UTC(2026, 2, 3, 9));
  assert.equal(await queueNow(app), 1);
  await workAt(app, "2026-03-03 09:00:00");
  assert.deepEqual(listStates(await listSends(admin, of.id))[0], ["Thanks", "failed", "550 no such user"]);
  app.mailer.send = send;
  await products("[]");
  await workAt(app, "2026-03-03 09:05:00");
  assert.deepEqual(automatedMails(app).map(({ to }) => to), ["b@example.org"]);
});

Deno.test("automated communications go before campaigns that are due at the same minute", async () => {
  await using app = await startApp({ MAIL_RATE: "0", CAMPAIGN_DOMAIN_SUFFIX: "crm.example.com" });
  const { admin, road } = await makeWorld(app);
  for (const name of ["a", "b", "c"]) {
    const of = await createCase(admin, road, { values: { email: `${name}@example.org` } });
    await act(admin, road, of.id, ["Drive"]);
  }
  await admin.call("PUT", "/v1/campaigns/settings", { domain_slug: "before" });
  await posted(admin, "/v1/campaigns", {
    name: "Spring",
    type: "email",
    message: { subject: "Offers", content: "<p>x</p>", sender: "Ada" },
    filter: [],
    send_at: "2026-03-03 09:00:00",
    team_id: null,
  });
  await workAt(app, "2026-03-03 09:00:00");
  await workAt(app, "2026-03-03 09:01:00");
  const kinds = automatedMails(app).map(({ subject }) => subject === "Offers" ? "campaign" : "automated");
  assert.deepEqual(kinds, [...Array(3).fill("automated"), ...Array(3).fill("campaign")]);
});

Deno.test("a report of failed delivery marks one as failed; answers go to the case", async () => {
  const [domain, secret] = ["in.example.com", "an-inbound-secret"];
  await using app = await startApp({
    MAIL_RATE: "0",
    INBOUND_MAIL_DOMAIN: domain,
    INBOUND_MAIL_SECRET: secret,
  });
  const { admin, road } = await makeWorld(app);
  const of = await createCase(admin, road);
  await act(admin, road, of.id, ["Drive"]);
  await workAt(app, "2026-03-03 09:00:00");
  const [mail] = automatedMails(app);
  assert.ok(mail!.author!.address.endsWith(`@${domain}`));
  const report = [
    `To: ${mail!.envelopeFrom}`,
    'Content-Type: multipart/report; report-type=delivery-status; boundary="x"',
    "",
    "--x",
    "Content-Type: message/delivery-status",
    "",
    "Reporting-MTA: dns; mx.example.org",
    "",
    "Final-Recipient: rfc822; grace@example.org",
    "Action: failed",
    "Status: 5.1.1",
    "Diagnostic-Code: smtp; 550 no such user",
    "--x--",
    "",
  ].join("\r\n");
  const { status } = await fetch(`${app.url}/v1/mail/inbound`, {
    method: "POST",
    headers: { "Content-Type": "message/rfc822", Authorization: `Bearer ${secret}` },
    body: report,
  });
  assert.equal(status, 202);
  assert.deepEqual(listStates(await listSends(admin, of.id))[0], [
    "Thanks",
    "failed",
    "smtp; 550 no such user",
  ]);
});

Deno.test("an activity that would start more than 1,000 is rejected, and starts none", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const ids: string[] = [];
  for (let index = 0; index < 21; index++) {
    const communications = Array(48).fill(makeCommunication({ content: "x" }));
    ids.push((await posted(admin, path, makeDefinition({ communications }))).id);
  }
  const road = await makeRoad(admin, ids);
  const of = await createCase(admin, road);
  const body = { activity_type_ids: [road.types["Drive"]] };
  const { status, body: problem } = await admin.call("POST", `/v1/cases/${of.id}/activities`, body);
  assert.equal(status, 422);
  assert.deepEqual([problem.errors[0].path, problem.errors[0].code], ["activity_type_ids", "max"]);
  assert.deepEqual(await listSends(admin, of.id), []);
});

Deno.test("on a remote database they are started, sent and skipped the same way", () =>
  farDatabase(async ({ env }) => {
    await using app = await startApp({ ...env, MAIL_RATE: "0" });
    const { admin, road, definition: made } = await makeWorld(app);
    const of = await createCase(admin, road);
    await act(admin, road, of.id, ["Drive"]);
    await workAt(app, "2026-03-03 09:00:00");
    assert.equal((await admin.call("DELETE", `${path}/${made.id}`)).status, 204);
    await workAt(app, "2026-03-04 09:00:00");
    assert.deepEqual(listStates(await listSends(admin, of.id)), [["Thanks", "sent", null], [
      "Second",
      "skipped",
      "deleted",
    ]]);
    assert.deepEqual(automatedMails(app).map(({ subject }) => subject), ["Hello Grace"]);
  }));

Deno.test("a deleted case takes its automated communications along", async () => {
  await using app = await startApp();
  const { admin, road } = await makeWorld(app);
  const of = await createCase(admin, road);
  await act(admin, road, of.id, ["Drive"]);
  assert.equal((await admin.call("DELETE", `/v1/cases/${of.id}`)).status, 204);
  await workAt(app, "2026-03-05 09:00:00");
  assert.deepEqual(await app.sql("select id from automated_sends"), []);
  assert.equal(automatedMails(app).length, 0);
});

Deno.test("who refuses while the mail waits for its server gets none; a case that is deleted, neither", async () => {
  await using app = await startApp({ MAIL_RATE: "0" });
  const { admin, road } = await makeWorld(app);
  const { send } = app.mailer;
  const of: Record<string, Body> = {};
  for (const name of ["wants", "refuses", "removed", "gone", "asked"]) {
    of[name] = await createCase(admin, road, { values: { email: `${name}@example.org` } });
    await act(admin, road, of[name].id, ["Drive"]);
  }
  const contact = (name: string) => `/v1/accounts/${of[name]!.account.id}/contacts/${of[name]!.contact.id}`;
  const agrees = async (name: string, consent_given: boolean) => {
    const { status, text } = await admin.call("PUT", contact(name), {
      consent: { email: { consent_given } },
    });
    assert.equal(status, 200, text);
  };
  app.mailer.send = () => Promise.reject(new MailFailed("450 later", "deferred"));
  await workAt(app, "2026-03-03 09:00:00");
  app.mailer.send = send;
  await agrees("refuses", false);
  // Another contact with the same address.
  const twin = await createCase(admin, road, { values: { email: "Gone@example.org" } });
  of.twin = twin;
  await agrees("twin", false);
  assert.equal((await admin.call("DELETE", `/v1/cases/${of.removed!.id}`)).status, 204);
  await workAt(app, "2026-03-03 09:30:00");
  assert.deepEqual(automatedMails(app).map(({ to }) => to).sort(), [
    "asked@example.org",
    "wants@example.org",
  ]);
  const first = async (name: string) => listStates(await listSends(admin, of[name]!.id))[0]!.slice(1);
  assert.deepEqual(await first("wants"), ["sent", null]);
  assert.deepEqual(await first("refuses"), ["skipped", "no_consent"]);
  assert.deepEqual(await first("gone"), ["skipped", "no_consent"]);
  const { body } = await admin.call("GET", `/v1/cases/${of.refuses!.id}/correspondences`);
  assert.deepEqual(body.data.map(({ status }: Body) => status), ["failed"]);
  assert.deepEqual(await app.sql("select id from mails"), []);
  // The second communication waits while the company begins to ask for consent.
  app.mailer.send = () => Promise.reject(new MailFailed("450 later", "deferred"));
  await workAt(app, "2026-03-04 09:00:00");
  app.mailer.send = send;
  await agrees("asked", true);
  const asking = await admin.call("PUT", "/v1/campaigns/settings", { consent: { enable: true } });
  assert.equal(asking.status, 200, asking.text);
  await workAt(app, "2026-03-04 09:30:00");
  assert.deepEqual(automatedMails(app).slice(2).map(({ to }) => to), ["asked@example.org"]);
});
