/** Refusals belong to the address: they outlive contacts, and only a consent or an admin lifts them. */
import assert from "node:assert/strict";
import { MailFailed } from "../../src/platform/mail/mail.ts";
import { makeSales, nameFields } from "../sales/leads_world.ts";
import { readEvents } from "../sales/parts.ts";
import { type Actor, type Body, startApp, type TestApp } from "../support/app.ts";
import {
  campaignMails,
  createCampaign,
  createConsumer,
  everybody,
  listMessages,
  put,
  runWork,
  sendingCompany,
} from "./campaign_world.ts";

const ada = { last_name: "Lovelace", email: "ada@example.org" };

async function sendTo(app: TestApp, admin: Actor): Promise<string> {
  const { id } = await createCampaign(admin, everybody);
  await runWork(app);
  return id;
}

const receivers = (app: TestApp) => campaignMails(app).map(({ to }) => to);

async function click(url: string): Promise<void> {
  const reply = await fetch(url, {
    method: "POST",
    body: "List-Unsubscribe=One-Click",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
  });
  assert.equal(reply.status, 200, await reply.text());
}

const getLink = (app: TestApp, n = 0) => campaignMails(app)[n]!.headers!["List-Unsubscribe"]!.slice(1, -1);

async function remove(
  admin: Actor,
  { id, account }: { id: string; account: { id: string } },
): Promise<void> {
  const { status, text } = await admin.call("DELETE", `/v1/accounts/${account.id}/contacts/${id}`);
  assert.equal(status, 204, text);
}

const refusals = async (actor: Actor, email = ada.email) => {
  const { status, body, text } = await actor.call(
    "GET",
    `/v1/campaigns/refusals?search=${encodeURIComponent(email)}`,
  );
  assert.equal(status, 200, text);
  return body.data.map(({ reason }: { reason: string }) => reason);
};

Deno.test("an address that unsubscribed stays refused after its contact is deleted and created again", async () => {
  await using app = await startApp();
  const { admin } = await sendingCompany(app);
  const first = await createConsumer(admin, ada);
  await sendTo(app, admin);
  await click(getLink(app));
  await remove(admin, first);
  assert.deepEqual(await app.sql("select email_key from refusals"), [{ email_key: null }]);
  await createConsumer(admin, { ...ada, email: "ADA@example.org" });
  await createConsumer(admin, { last_name: "Byron", email: "bo@example.org" });
  const id = await sendTo(app, admin);
  assert.deepEqual(receivers(app), ["ada@example.org", "bo@example.org"]);
  const { body } = await admin.call("GET", `/v1/campaigns/${id}/recipients`);
  assert.deepEqual(body, {
    count: 1,
    excluded: { consent: 1, without_address: 0, bounced: 0, duplicate: 0 },
  });
});

Deno.test("a consent that was refused before addresses were kept goes on with the address, when its contact leaves it", async () => {
  await using app = await startApp();
  const { admin } = await sendingCompany(app);
  const [first, second] = [
    await createConsumer(admin, ada, { consent: { email: { consent_given: false } } }),
    await createConsumer(admin, { last_name: "Byron", email: "bo@example.org" }, {
      consent: { email: { consent_given: false } },
    }),
  ];
  assert.deepEqual(await refusals(admin), []);
  await remove(admin, first);
  await put(admin, `/v1/accounts/${second.account.id}/contacts/${second.id}`, {
    fixed_fields: [{ name: "email", value: "new@example.org" }],
  });
  await createConsumer(admin, ada);
  await createConsumer(admin, { last_name: "Other", email: "BO@example.org" });
  await sendTo(app, admin);
  assert.deepEqual(receivers(app), []);
  // A new consent, given for the address by a call, lifts it.
  const agreed = await createConsumer(admin, { last_name: "Again", email: ada.email }, {
    consent: { email: { consent_given: true } },
  });
  assert.equal(agreed.consent.email.consent_given, true);
  assert.deepEqual(await refusals(admin), []);
  assert.deepEqual(await refusals(admin, "bo@example.org"), ["unsubscribed"]);
});

Deno.test("an international domain is refused in both of its forms", async () => {
  await using app = await startApp();
  const { admin } = await sendingCompany(app);
  const first = await createConsumer(admin, { ...ada, email: "ada@b\u00fccher.example" }, {
    consent: { email: { consent_given: false } },
  });
  await remove(admin, first);
  await createConsumer(admin, { ...ada, email: "ada@xn--bcher-kva.example" });
  await sendTo(app, admin);
  assert.deepEqual(receivers(app), []);
  assert.deepEqual(await refusals(admin, "Ada@B\u00dcCHER.example"), ["unsubscribed"]);
});

Deno.test("an old link refuses its address when the contact is gone, or has another address", async () => {
  await using app = await startApp();
  const { admin } = await sendingCompany(app);
  const first = await createConsumer(admin, ada);
  const moved = await createConsumer(admin, { last_name: "Byron", email: "bo@example.org" });
  await sendTo(app, admin);
  await remove(admin, first);
  await put(admin, `/v1/accounts/${moved.account.id}/contacts/${moved.id}`, {
    fixed_fields: [{ name: "email", value: "new@example.org" }],
  });
  await createConsumer(admin, ada);
  await createConsumer(admin, { last_name: "Other", email: "bo@example.org" });
  for (const n of [0, 1]) await click(getLink(app, n));
  await sendTo(app, admin);
  assert.equal(receivers(app).length, 2);
  assert.deepEqual(await refusals(admin, "BO@example.org"), ["unsubscribed"]);
});

Deno.test("a new consent for the address lifts a refusal; so does the call, which needs a right", async () => {
  await using app = await startApp();
  const company = await sendingCompany(app);
  const { admin } = company;
  const first = await createConsumer(admin, ada);
  await sendTo(app, admin);
  await click(getLink(app));
  assert.deepEqual(await refusals(admin), ["unsubscribed"]);
  await remove(admin, first);
  const again = await createConsumer(admin, ada);
  // Other changes of the contact lift nothing.
  const path = `/v1/accounts/${again.account.id}/contacts/${again.id}`;
  await put(admin, path, { fixed_fields: [{ name: "first_name", value: "Ada" }] });
  assert.deepEqual(await refusals(admin), ["unsubscribed"]);
  await put(admin, path, { consent: { email: { consent_given: true } } });
  assert.deepEqual(await refusals(admin), []);
  await sendTo(app, admin);
  assert.equal(receivers(app).length, 2);
  await click(getLink(app));
  await remove(admin, again);
  const other = await company.user();
  for (const method of ["GET", "DELETE"]) {
    const { status } = await other.call(method, `/v1/campaigns/refusals?search=${ada.email}`);
    assert.equal(status, 403);
  }
  const { admin: stranger } = await app.company();
  assert.deepEqual(await refusals(stranger), []);
  assert.equal((await stranger.call("DELETE", `/v1/campaigns/refusals?search=${ada.email}`)).status, 204);
  assert.deepEqual(await refusals(admin), ["unsubscribed"]);
  assert.equal((await admin.call("DELETE", `/v1/campaigns/refusals?search=Ada@Example.org`)).status, 204);
  assert.deepEqual(await refusals(admin), []);
});

Deno.test("a lead that is accepted lifts what its address refused before the lead, and nothing since", async () => {
  await using app = await startApp();
  const { admin, member, lead } = await makeSales(app);
  const asking = () =>
    lead({
      account: { fixed_fields: nameFields({ name: "Ada Ltd" }) },
      contact: { fixed_fields: nameFields(ada), consent: { email: { consent_given: true } } },
    });
  const accept = async ({ id }: Body) => {
    const accepted = await member.call("PUT", `/v1/leads/${id}/accept`);
    assert.equal(accepted.status, 200, accepted.text);
  };
  const earlier = await asking();
  app.clock.move(60_000);
  await remove(admin, await createConsumer(admin, ada, { consent: { email: { consent_given: false } } }));
  assert.deepEqual(await refusals(admin), ["unsubscribed"]);
  await accept(earlier);
  assert.deepEqual(await refusals(admin), ["unsubscribed"]);
  app.clock.move(60_000);
  await accept(await asking());
  assert.deepEqual(await refusals(admin), []);
});

Deno.test("a lead that is accepted changes no consent that its contact has refused since the lead", async () => {
  await using app = await startApp();
  const { admin, member, dealer, lead } = await makeSales(app);
  const account = await admin.call("POST", "/v1/accounts", {
    team_id: dealer,
    fixed_fields: nameFields({ name: "Ada Ltd" }),
  });
  const contacts = `/v1/accounts/${account.body.id}/contacts`;
  const { body: contact } = await admin.call("POST", contacts, { fixed_fields: nameFields(ada) });
  const asking = (consent: object) =>
    lead({ account_id: account.body.id, contact_id: contact.id, contact: { consent } });
  const change = async (consent: object) => {
    app.clock.move(60_000);
    const changed = await admin.call("PUT", `${contacts}/${contact.id}`, { consent });
    assert.equal(changed.status, 200, changed.text);
  };
  const accept = async ({ id }: Body) => {
    app.clock.move(60_000);
    const accepted = await member.call("PUT", `/v1/leads/${id}/accept`);
    assert.equal(accepted.status, 200, accepted.text);
    const { consent } = (await admin.call("GET", `/v1/contacts/${contact.id}`)).body;
    return ["email", "call", "letter"].map((channel) => consent[channel].consent_given);
  };
  const [yes, no] = [{ consent_given: true }, { consent_given: false }];
  const earlier = await asking({ email: yes, call: { consent_given: null }, letter: no });
  await change({ email: no, call: no, letter: yes });
  assert.deepEqual(await accept(earlier), [false, false, false]);
  app.clock.move(60_000);
  assert.deepEqual(await accept(await asking({ email: yes, call: yes })), [true, true, false]);
});

Deno.test("a consent that is given again lifts a refusal of its address, with its event", async () => {
  await using app = await startApp();
  const { admin } = await sendingCompany(app);
  const first = await createConsumer(admin, ada, { consent: { email: { consent_given: false } } });
  const agreed = await createConsumer(admin, { last_name: "Byron", email: "bo@example.org" }, {
    consent: { email: { consent_given: true } },
  });
  await remove(admin, first);
  const path = `/v1/accounts/${agreed.account.id}/contacts/${agreed.id}`;
  await put(admin, path, { fixed_fields: [{ name: "email", value: ada.email }] });
  assert.deepEqual(await refusals(admin), ["unsubscribed"]);
  await sendTo(app, admin);
  assert.deepEqual(receivers(app), []);
  const before = (await readEvents(app)).length;
  await put(admin, path, { consent: { email: { consent_given: true } } });
  assert.deepEqual(await refusals(admin), []);
  const events = (await readEvents(app)).slice(before);
  assert.deepEqual(
    events.map(({ name, body }) => [name, body.consent.email.consent_given]),
    [["contact_updated", true]],
  );
  await sendTo(app, admin);
  assert.deepEqual(receivers(app), [ada.email]);
});

Deno.test("a contact's own answer, sent back with another change, is no new consent, however old it is", async () => {
  await using app = await startApp();
  const { admin } = await sendingCompany(app);
  const first = await createConsumer(admin, ada, { consent: { email: { consent_given: false } } });
  const agreed = await createConsumer(admin, { last_name: "Byron", email: "bo@example.org" }, {
    consent: { email: { consent_given: true } },
  });
  await remove(admin, first);
  const path = `/v1/accounts/${agreed.account.id}/contacts/${agreed.id}`;
  await put(admin, path, { fixed_fields: [{ name: "email", value: ada.email }] });
  const change = async (body: Body) => {
    app.clock.move(60_000);
    await put(admin, path, { ...body, external_id: `crm-${app.clock.now()}` });
    return (await admin.call("GET", path)).body;
  };
  const agreeing = (await admin.call("GET", path)).body;
  assert.equal(agreeing.consent.email.consent_given, true);
  await change(agreeing);
  assert.deepEqual(await refusals(admin), ["unsubscribed"]);
  const { consent } = await change({ consent: { email: { consent_given: false } } });
  assert.deepEqual((await change(agreeing)).consent, consent, "the answer is older than the refusal");
  const again = { ...agreeing, consent: { ...consent, email: { ...consent.email, consent_given: true } } };
  assert.equal((await change(again)).consent.email.consent_given, true);
  assert.deepEqual(await refusals(admin), []);
});

Deno.test("an address that a mail server refuses for good gets no further campaign, until it changes or is lifted", async () => {
  await using app = await startApp();
  const { admin } = await sendingCompany(app);
  const contact = await createConsumer(admin, ada);
  let isForRecipient = false;
  let tries = 0;
  const { mailer } = app;
  const send = mailer.send.bind(mailer);
  mailer.send = async (letter) => {
    if (letter.to !== ada.email) return await send(letter);
    tries++;
    throw new MailFailed("550 no such user", "refused", { isForRecipient });
  };
  await sendTo(app, admin);
  // The text was refused, not the address.
  assert.deepEqual(await refusals(admin), []);
  isForRecipient = true;
  const failed = await sendTo(app, admin);
  const [message] = await listMessages(admin, failed);
  assert.deepEqual([message!.status, message!.error], ["failed", "550 no such user"]);
  assert.deepEqual(await refusals(admin), ["bounced"]);
  const next = await sendTo(app, admin);
  assert.equal(tries, 2);
  assert.deepEqual(await listMessages(admin, next), []);
  const { body } = await admin.call("GET", `/v1/campaigns/${next}/recipients`);
  assert.deepEqual(body, {
    count: 0,
    excluded: { consent: 0, without_address: 0, bounced: 1, duplicate: 0 },
  });
  const path = `/v1/accounts/${contact.account.id}/contacts/${contact.id}`;
  const email = (value: string) => ({ fixed_fields: [{ name: "email", value }] });
  await put(admin, path, email("lovelace@example.org"));
  await sendTo(app, admin);
  assert.deepEqual(receivers(app), ["lovelace@example.org"]);
  await put(admin, path, email(ada.email));
  await sendTo(app, admin);
  assert.equal(tries, 2);
  await admin.call("DELETE", `/v1/campaigns/refusals?search=${ada.email}`);
  await sendTo(app, admin);
  assert.equal(tries, 3);
});
