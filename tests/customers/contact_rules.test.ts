import assert from "node:assert/strict";
import { startApp } from "../support/app.ts";
import { callMeanwhile } from "../support/race.ts";
import { listFaults, nameValues } from "./fields_world.ts";

const byron = (more: object = {}) => ({ fixed_fields: nameValues({ last_name: "Byron" }), ...more });

Deno.test("a consumer's account refuses a second contact: created, moved, or created at once", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const account = async (b2c: boolean) => {
    const { body } = await admin.call("POST", "/v1/accounts", {
      b2c,
      fixed_fields: nameValues({ name: "Ada" }),
    });
    return `/v1/accounts/${body.id}`;
  };
  const [company, consumer, other] = [await account(false), await account(true), await account(true)];
  const { body: contact } = await admin.call("POST", `${company}/contacts`, byron());
  assert.equal(contact.b2c, false);
  const moving = { account_id: consumer.split("/").at(-1) };
  const moved = await admin.call("PUT", `${company}/contacts/${contact.id}`, moving);
  assert.deepEqual([moved.status, moved.body.b2c], [200, true]);
  const { body: second } = await admin.call("POST", `${company}/contacts`, byron());
  const refused = await admin.call("PUT", `${company}/contacts/${second.id}`, moving);
  assert.deepEqual([refused.status, refused.body.code], [409, "b2c_single_contact"]);
  assert.equal((await admin.call("GET", `${company}/contacts/${second.id}`)).text, JSON.stringify(second));
  const make = () => admin.call("POST", `${other}/contacts`, byron());
  const late = await callMeanwhile(app, admin, "POST", `${other}/contacts`, make, byron());
  assert.deepEqual([late.status, (await late.json()).code], [409, "b2c_single_contact"]);
  assert.equal((await admin.call("GET", `${other}/contacts`)).body.pagination.total, 1);
});

Deno.test("a contact's external id is unique in the company, over all accounts, and cleared by null", async () => {
  await using app = await startApp();
  const [one, two] = [await app.company(), await app.company()];
  const accounts = [];
  for (const { admin } of [one, one, two]) {
    const { body } = await admin.call("POST", "/v1/accounts", { fixed_fields: nameValues({ name: "Ada" }) });
    accounts.push(`/v1/accounts/${body.id}/contacts`);
  }
  const [here, there, foreign] = accounts as [string, string, string];
  const made = await one.admin.call("POST", here, byron({ external_id: "crm-1" }));
  assert.equal(made.body.external_id, "crm-1");
  const taken = [["external_id", "unique"]];
  assert.deepEqual(listFaults(await one.admin.call("POST", there, byron({ external_id: "crm-1" }))), taken);
  assert.equal((await two.admin.call("POST", foreign, byron({ external_id: "crm-1" }))).status, 201);
  const { body: other } = await one.admin.call("POST", there, byron({ external_id: "crm-2" }));
  const renaming = { external_id: "crm-1" };
  assert.deepEqual(listFaults(await one.admin.call("PUT", `${there}/${other.id}`, renaming)), taken);
  assert.equal((await one.admin.call("PUT", `${here}/${made.body.id}`, renaming)).status, 200);
  const cleared = await one.admin.call("PUT", `${here}/${made.body.id}`, { external_id: null });
  assert.deepEqual([cleared.status, cleared.body.external_id], [200, null]);
  assert.equal((await one.admin.call("PUT", `${there}/${other.id}`, renaming)).body.external_id, "crm-1");
  for (const [external_id, code] of [["", "min"], ["e".repeat(256), "max"], [7, "type"]]) {
    const refused = await one.admin.call("POST", here, byron({ external_id }));
    assert.deepEqual(listFaults(refused), [["external_id", code]]);
  }
});

Deno.test("consents are set by channel, each with the moment of its value; those that a PUT leaves out stay", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const { body: account } = await admin.call("POST", "/v1/accounts", {
    fixed_fields: nameValues({ name: "Ada" }),
  });
  const contacts = `/v1/accounts/${account.id}/contacts`;
  const makeConsent = (consent_given: boolean | null) => ({ consent_given });
  const { body } = await admin.call(
    "POST",
    contacts,
    byron({ consent: { call: makeConsent(true), email: makeConsent(false), letter: makeConsent(null) } }),
  );
  const [then, now] = ["2026-03-02 09:00:00", "2026-03-02 09:01:00"];
  const at = (consent_given: boolean | null, updated_at: string | null) => ({ consent_given, updated_at });
  assert.deepEqual(body.consent, {
    call: at(true, then),
    email: at(false, then),
    letter: at(null, null),
    sms: at(null, null),
  });
  app.clock.move(60_000);
  const { body: after } = await admin.call("PUT", `${contacts}/${body.id}`, {
    consent: { call: makeConsent(null), sms: makeConsent(true) },
  });
  assert.deepEqual(after.consent, {
    call: at(null, now),
    email: at(false, then),
    letter: at(null, null),
    sms: at(true, now),
  });
  const wrong = await admin.call("PUT", `${contacts}/${body.id}`, {
    consent: { call: { consent_given: "yes" } },
  });
  assert.deepEqual(listFaults(wrong), [["consent.call.consent_given", "type"]]);
});

Deno.test("a contact is dated back when it is made, not ahead, and not later; lists go by that date", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const { body: account } = await admin.call("POST", "/v1/accounts", {
    fixed_fields: nameValues({ name: "Ada" }),
    created_at: "2024-02-29T12:00:00+02:00",
  });
  assert.equal(account.created_at, "2024-02-29 10:00:00");
  const contacts = `/v1/accounts/${account.id}/contacts`;
  const ahead = await admin.call("POST", contacts, byron({ created_at: "2026-03-02 09:00:01" }));
  assert.deepEqual(listFaults(ahead), [["created_at", "before"]]);
  const { body: contact } = await admin.call("POST", contacts, byron({ created_at: "2024-02-29 10:00:00" }));
  assert.deepEqual([contact.created_at, contact.updated_at], ["2024-02-29 10:00:00", "2026-03-02 09:00:00"]);
  const later = await admin.call("PUT", `${contacts}/${contact.id}`, { created_at: "2020-01-01 10:00:00" });
  assert.deepEqual([later.status, later.body.created_at], [200, "2024-02-29 10:00:00"]);
  const query = "start_at=2024-02-29 10:00:00&end_at=2024-02-29 10:00:01";
  for (const kind of ["accounts", "contacts"]) {
    assert.equal((await admin.call("GET", `/v1/${kind}?${query}`)).body.pagination.total, 1, kind);
  }
});

Deno.test("when an account moves to another team its contacts are seen by that team, and no more by the former", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const [north, south] = [await company.team(), await company.team()];
  const [before, after] = [await company.user({ teams: [north] }), await company.user({ teams: [south] })];
  const { body: account } = await before.call("POST", "/v1/accounts", {
    fixed_fields: nameValues({ name: "Ada" }),
  });
  const { body: contact } = await before.call("POST", `/v1/accounts/${account.id}/contacts`, byron());
  const readSeen = async () =>
    await Promise.all([before, after].flatMap((who) => [
      who.call("GET", `/v1/contacts/${contact.id}`).then(({ status }) => status),
      who.call("GET", "/v1/contacts").then(({ body }) => body.pagination.total),
    ]));
  assert.deepEqual(await readSeen(), [200, 1, 404, 0]);
  assert.equal((await admin.call("PUT", `/v1/accounts/${account.id}`, { team_id: south })).status, 200);
  assert.deepEqual(await readSeen(), [404, 0, 200, 1]);
});

Deno.test("a consent with a time that no answer has shown is a new one; with an older answer's it changes nothing", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const { body: account } = await admin.call("POST", "/v1/accounts", {
    fixed_fields: nameValues({ name: "Ada" }),
  });
  const own = { consent_given: true, updated_at: "2026-01-01 10:00:00" };
  const contacts = `/v1/accounts/${account.id}/contacts`;
  const made = await admin.call("POST", contacts, byron({ consent: { email: own } }));
  assert.equal(made.body.consent.email.consent_given, true);
  const put = (consent: object) => admin.call("PUT", `${contacts}/${made.body.id}`, { consent });
  const { body: first } = await put({ letter: own });
  assert.equal(first.consent.letter.consent_given, true);
  app.clock.move(60_000);
  const { body: refused } = await put({ letter: { consent_given: false } });
  assert.deepEqual((await put({ letter: first.consent.letter })).body.consent, refused.consent);
  assert.deepEqual((await put({ letter: { consent_given: null, updated_at: null } })).body, refused);
  const later = { consent_given: true, updated_at: "2026-12-31 10:00:00" };
  assert.equal((await put({ letter: later })).body.consent.letter.consent_given, true);
});
