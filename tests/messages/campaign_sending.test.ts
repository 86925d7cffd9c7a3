import assert from "node:assert/strict";
import { stagedKinds } from "../../src/staged_kinds.ts";
import { sql } from "../../src/db/statements.ts";
import { SharedFacts } from "../../src/messages/campaigns/shared_facts.ts";
import { sendCampaigns } from "../../src/messages/campaigns/send.ts";
import { startCampaigns } from "../../src/messages/campaigns/start.ts";
import { runStaged } from "../../src/staged/run.ts";
import { MailFailed } from "../../src/platform/mail/mail.ts";
import { startApp } from "../support/app.ts";
import {
  campaignMails,
  createCampaign,
  createConsumer,
  everybody,
  listMessages,
  message,
  postRecord,
  put,
  runWork,
  sendingCompany,
  soon,
} from "./campaign_world.ts";

Deno.test("what the job of a minute has no time for goes out in the background, until the next job", async () => {
  await using app = await startApp({ MAIL_RATE: "50" });
  const { admin } = await sendingCompany(app);
  for (let n = 0; n < 12; n++) await createConsumer(admin, { email: `c${n}@example.org` });
  const { id } = await createCampaign(admin, soon);
  app.clock.move(3_600_000);
  const now = app.clock.now();
  await startCampaigns(app.deps, now);
  await runStaged(app.deps, now, stagedKinds);
  assert.equal(await sendCampaigns(app.deps, 0), 0);
  await app.idle();
  assert.equal(campaignMails(app).length, 12);
  assert.equal((await admin.call("GET", `/v1/campaigns/${id}`)).body.status, "sent");
});

Deno.test("a campaign is sent at its time: mails, messages, counts and the notification of its user", async () => {
  await using app = await startApp({ CAMPAIGN_DOMAIN_SUFFIX: "crm.example.com", MAIL_RATE: "0" });
  const company = await sendingCompany(app);
  const { admin } = company;
  const contact = await createConsumer(admin, { first_name: "Grace", email: "grace@example.org" });
  const template = await postRecord(admin, "/v1/templates", {
    type: "email",
    title: "T",
    content: "<h1>{{subject}}</h1>{{content}}<p>{{user.full_name}}</p>",
  });
  const send_at = "2026-03-02 10:00:00";
  const { id } = await createCampaign(admin, {
    ...everybody,
    execute_now: false,
    send_at,
    template_id: template.id,
  });
  await runWork(app);
  assert.equal(app.mailer.sent.length, 0);
  app.clock.move(3_600_000);
  await runWork(app);
  const [mail, ...others] = campaignMails(app);
  assert.equal(others.length, 0);
  const { headers, html, text, id: mailId, ...rest } = mail!;
  const [made] = await listMessages(admin, id);
  assert.equal(mailId, `campaign-${id}-${made.id}`);
  assert.deepEqual(
    { to: rest.to, subject: rest.subject, from: rest.from, author: rest.author!.name },
    {
      to: "grace@example.org",
      subject: "Offers for Grace",
      from: { name: "Ada, Cars", address: `no-reply@slug-${company.id}.crm.example.com` },
      author: "Ada Byron admin",
    },
  );
  const link = /^<(http:\/\/127\.0\.0\.1:\d+\/unsubscribe\/[\w.-]+)>$/.exec(
    headers!["List-Unsubscribe"]!,
  )![1]!;
  assert.equal(headers!["List-Unsubscribe-Post"], "List-Unsubscribe=One-Click");
  const content = `<h1>Offers for Grace</h1><p>Dear Grace,</p><p>Ada Byron admin</p><p><a href="${link}">` +
    "Unsubscribe</a></p>";
  assert.ok(html!.includes(content), html);
  assert.match(text, /Dear Grace,/);
  const campaign = (await admin.call("GET", `/v1/campaigns/${id}`)).body;
  assert.deepEqual([campaign.status, campaign.total_sent, campaign.sent_at], [
    "sent",
    1,
    "2026-03-02 10:00:00",
  ]);
  const { body: notifications } = await admin.call("GET", "/v1/notifications");
  assert.deepEqual(
    notifications.data.map(({ type, data }: { type: string; data: object }) => [type, data]),
    [["campaign_sent", { campaign: { id, name: "Spring", type: "email" } }]],
  );

  const read = async () => (await admin.call("GET", `/v1/campaigns/${id}/messages/${made.id}`)).body;
  assert.deepEqual(await read(), {
    id: made.id,
    campaign_id: id,
    contact_id: contact.id,
    status: "sent",
    subject: "Offers for Grace",
    email: "grace@example.org",
    sent_at: "2026-03-02 10:00:00",
    error: null,
    opened_at: null,
    created_at: "2026-03-02 10:00:00",
    updated_at: "2026-03-02 10:00:00",
    content,
  });
  // The content stays as it was sent, even after its parts have changed.
  const contactPath = `/v1/accounts/${contact.account.id}/contacts/${contact.id}`;
  await put(admin, contactPath, { fixed_fields: [{ name: "first_name", value: "Joan" }] });
  await put(admin, `/v1/templates/${template.id}`, { content: "x" });
  assert.equal((await read()).content, content);
  assert.equal((await admin.call("DELETE", contactPath)).status, 204);
  const { content: gone, subject, email } = await read();
  assert.deepEqual([gone, subject, email], [null, null, null]);
});

Deno.test("a run parses the text of a campaign once, and keeps long ones within a budget", async () => {
  await using app = await startApp();
  const { admin } = await sendingCompany(app);
  await createConsumer(admin, { email: "ada@example.org" });
  const { id } = await createCampaign(admin, soon);
  app.clock.move(3_600_000);
  await startCampaigns(app.deps, app.clock.now());
  await runStaged(app.deps, app.clock.now(), stagedKinds);
  const [row] = await app.sql("select id, contact_id from campaign_messages");
  const claimMessage = async (shared: SharedFacts) => {
    const claim = { id: Number(row!.id), contact_id: String(row!.contact_id), campaign_id: id };
    const sent = { ...claim, email: "ada@example.org", attempts: 1, waitFor: () => 0 };
    shared.prepare([sent]);
    return (await shared.of(sent))!.snapshot;
  };
  const short = new SharedFacts(app.deps);
  assert.equal(await claimMessage(short), await claimMessage(short));
  await app.deps.db.write([
    sql`update campaigns set snapshot = json_set(snapshot, '$.content', hex(zeroblob(2500000)))`,
  ]);
  const long = new SharedFacts(app.deps);
  assert.notEqual(await claimMessage(long), await claimMessage(long));
});

Deno.test("a campaign that is being sent or was sent cannot be changed or deleted", async () => {
  await using app = await startApp({ MAIL_RATE: "0" });
  const { admin } = await sendingCompany(app);
  await createConsumer(admin, { first_name: "Grace", email: "grace@example.org" });
  app.mailer.send = () => Promise.reject(new MailFailed("down", "server"));
  const { id } = await createCampaign(admin, everybody);
  await runWork(app);
  const path = `/v1/campaigns/${id}`;
  const readRefusals = async () => [
    (await admin.call("PUT", path, { name: "x" })).body.code,
    (await admin.call("DELETE", path)).body.code,
  ];
  assert.deepEqual(await readRefusals(), ["campaign_sent", "campaign_sent"]);
  const stopped = await admin.call("POST", `${path}/stop`);
  assert.deepEqual([stopped.status, stopped.body.status], [200, "sent"], stopped.text);
  assert.deepEqual(await readRefusals(), ["campaign_sent", "campaign_sent"]);
  assert.equal((await admin.call("POST", `${path}/stop`)).body.code, "campaign_state");
});

Deno.test("stop of a scheduled campaign names the call that takes it back, and that works", async () => {
  await using app = await startApp();
  const { admin } = await sendingCompany(app);
  await createConsumer(admin, { first_name: "Grace", email: "grace@example.org" });
  const { id } = await createCampaign(admin, {
    ...everybody,
    send_at: "2036-05-01 09:00:00",
    execute_now: undefined,
  });
  const stop = async () => {
    const { status, body } = await admin.call("POST", `/v1/campaigns/${id}/stop`);
    return [status, body.code, body.detail] as const;
  };
  const [status, code, detail] = await stop();
  assert.deepEqual([status, code], [409, "campaign_state"]);
  const [, method, path, body] = /(PUT) (\S+) with (\{.*\})\.$/.exec(detail)!;
  const taken = await admin.call(method!, path!, JSON.parse(body!));
  assert.deepEqual([taken.status, taken.body.status], [200, "draft"], taken.text);
  assert.deepEqual(await stop(), [409, "campaign_state", "The campaign is a draft, which is not sent."]);
});

Deno.test("mails that the server refuses fail, others are tried again; the campaign counts what was taken", async () => {
  await using app = await startApp({ MAIL_RATE: "0" });
  const { admin } = await sendingCompany(app);
  for (const name of ["ok", "refused", "later"]) {
    await createConsumer(admin, { last_name: name, email: `${name}@a.org` });
  }
  const { send } = app.mailer;
  const ids: string[] = [];
  app.mailer.send = (letter) => {
    ids.push(letter.id);
    if (letter.to.startsWith("refused")) return Promise.reject(new MailFailed("550 unknown", "refused"));
    if (letter.to.startsWith("later")) return Promise.reject(new MailFailed("450 later", "deferred"));
    return send.call(app.mailer, letter);
  };
  const { id } = await createCampaign(admin, everybody);
  await runWork(app);
  const statuses = async () =>
    (await listMessages(admin, id)).map(({ email, status, error }) => [email.split("@")[0], status, error]);
  const read = async () => (await admin.call("GET", `/v1/campaigns/${id}`)).body;
  assert.deepEqual(await statuses(), [
    ["ok", "sent", null],
    ["refused", "failed", "550 unknown"],
    ["later", "pending", "450 later"],
  ]);
  // A message that waits for a further try does not keep the campaign from being sent.
  assert.deepEqual([(await read()).status, (await read()).total_sent], ["sent", 1]);
  app.mailer.send = send;
  app.clock.move(120_000);
  await runWork(app);
  assert.deepEqual((await statuses())[2], ["later", "sent", null]);
  assert.equal((await read()).total_sent, 2);
  assert.equal(campaignMails(app).at(-1)!.id, ids.find((each) => campaignMails(app).at(-1)!.id === each));
  assert.equal((await listMessages(admin, id, "&status=failed")).length, 1);
});

Deno.test("contacts who take their consent back meanwhile get nothing; stopping skips the others", async () => {
  await using app = await startApp({ MAIL_RATE: "0" });
  const { admin } = await sendingCompany(app);
  const contacts = [];
  for (const name of ["a", "b", "c"]) {
    contacts.push(await createConsumer(admin, { last_name: name, email: `${name}@a.org` }));
  }
  const { send } = app.mailer;
  app.mailer.send = () => Promise.reject(new MailFailed("450 later", "deferred"));
  const { id } = await createCampaign(admin, everybody);
  await runWork(app);
  app.mailer.send = send;
  const [first] = contacts;
  await put(admin, `/v1/accounts/${first.account.id}/contacts/${first.id}`, {
    consent: { email: { consent_given: false } },
  });
  app.clock.move(120_000);
  app.mailer.send = async (letter) => {
    if (letter.id.startsWith("campaign-")) {
      assert.equal((await admin.call("POST", `/v1/campaigns/${id}/stop`)).status, 200);
    }
    return await send.call(app.mailer, letter);
  };
  await runWork(app);
  await runWork(app);
  const found = (await listMessages(admin, id)).map(({ status, error }) => `${status} ${error}`);
  assert.deepEqual(found, ["skipped no_consent", "sent null", "skipped stopped"]);
  assert.equal((await admin.call("GET", `/v1/campaigns/${id}`)).body.total_sent, 1);
  assert.equal(campaignMails(app).length, 1);
});

Deno.test("the link in the text leads to the company's own page with a signature, the headers to ours", async () => {
  await using app = await startApp({ MAIL_RATE: "0" });
  const { admin } = await sendingCompany(app);
  const settings = await put(admin, "/v1/campaigns/settings", {
    consent: { custom: true, unsubscribe_url: "https://example.org/off?x=1" },
  });
  const contact = await createConsumer(admin, { first_name: "Grace", email: "grace@example.org" });
  const content = '<a href="{{unsubscribe_url}}">Off</a>';
  const { id } = await createCampaign(admin, { ...everybody, message: { ...message, content } });
  await runWork(app);
  const { html, headers } = campaignMails(app)[0]!;
  const url = new URL(/href="([^"]*)"/.exec(html!)![1]!.replaceAll("&amp;", "&"));
  assert.equal((html!.match(/<a /g) ?? []).length, 1);
  assert.deepEqual([url.origin, url.searchParams.get("x")], ["https://example.org", "1"]);
  const key = await crypto.subtle.importKey(
    "raw",
    new TextEncoder().encode(settings.consent.signing_key),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign"],
  );
  const signed = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(`${contact.id}.${id}`));
  assert.equal(url.searchParams.get("signature"), new Uint8Array(signed).toHex());
  assert.deepEqual([url.searchParams.get("contact_id"), url.searchParams.get("campaign_id")], [
    contact.id,
    id,
  ]);
  assert.match(headers!["List-Unsubscribe"]!, /^<http:\/\/127\.0\.0\.1:\d+\//);
});

Deno.test("one click on the link of a campaign ends the e-mails to its address", async () => {
  await using app = await startApp({ MAIL_RATE: "0" });
  const { admin } = await sendingCompany(app);
  const contact = await createConsumer(admin, { first_name: "Grace", email: "grace@example.org" });
  await createCampaign(admin, everybody);
  await runWork(app);
  const [, link] = /^<(.*)>$/.exec(campaignMails(app)[0]!.headers!["List-Unsubscribe"]!)!;
  const body = new URLSearchParams({ "List-Unsubscribe": "One-Click" });
  assert.equal((await fetch(link!, { method: "POST", body })).status, 200);
  const path = `/v1/accounts/${contact.account.id}/contacts/${contact.id}`;
  assert.equal((await admin.call("GET", path)).body.consent.email.consent_given, false);
  await createConsumer(admin, { first_name: "Again", email: "GRACE@example.org" });
  const { id } = await createCampaign(admin, everybody);
  await runWork(app);
  assert.deepEqual(await listMessages(admin, id), []);
});

Deno.test("a campaign that is sent now starts right after the answer", async () => {
  await using app = await startApp({ MAIL_RATE: "0" });
  const { admin } = await sendingCompany(app);
  await createConsumer(admin, { first_name: "Grace", email: "grace@example.org" });
  const { id } = await createCampaign(admin, everybody);
  await app.idle();
  assert.equal(campaignMails(app).length, 1);
  assert.equal((await admin.call("GET", `/v1/campaigns/${id}`)).body.status, "sent");
});

Deno.test("nothing is sent for a deleted company", async () => {
  await using app = await startApp({ MAIL_RATE: "0" });
  const { admin, id: company } = await sendingCompany(app);
  await createConsumer(admin, { first_name: "Grace", email: "grace@example.org" });
  const { send } = app.mailer;
  app.mailer.send = () => Promise.reject(new MailFailed("450 later", "deferred"));
  await createCampaign(admin, everybody);
  await runWork(app);
  app.mailer.send = send;
  await app.deps.db.write([
    sql`update companies set deleted_at = '2026-03-02 09:00:00' where id = ${company}`,
  ]);
  app.clock.move(120_000);
  assert.equal(await sendCampaigns(app.deps), 0);
  assert.equal(campaignMails(app).length, 0);
});
