import assert from "node:assert/strict";
import { Lead } from "../../src/sales/leads/schema.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { makeSales, nameFields, readField } from "./leads_world.ts";

/** Name and body of the events in order. */
async function eventsAfter(
  app: TestApp,
  count: number,
): Promise<{ name: string; id: string; body: string }[]> {
  const rows = await app.sql(
    "select event_name, entity_id, body from outbox order by rowid limit -1 offset ?",
    count,
  );
  return rows.map((row) => ({
    name: String(row.event_name),
    id: String(row.entity_id),
    body: String(row.body),
  }));
}

Deno.test("acceptance creates account, contact and case for the team, each with an event that equals GET", async () => {
  await using app = await startApp();
  const { admin, member, dealer, lead, path, type, events } = await makeSales(app);
  const made = await lead({
    lead_data: [{ key: "Model", value: "Estate" }],
    contact: {
      fixed_fields: nameFields({ last_name: "Byron" }),
      consent: { email: { consent_given: true } },
    },
  });
  const before = await events();
  const accepted = await member.call("PUT", `/v1/leads/${made.id}/accept`, {});
  assert.equal(accepted.status, 200, accepted.text);
  const { account_id, contact_id, case_id, ...record } = Lead.parse(accepted.body);
  assert.equal(record.status, "accepted");
  assert.equal(record.escalates_at, "2026-03-02 11:00:00");
  assert.deepEqual(record.acceptions, [{
    team_id: dealer,
    user_id: member.id,
    case_id,
    account_id,
    contact_id,
    accepted_date: "2026-03-02 09:00:00",
    first_activity_at: null,
  }]);
  const got = await member.call("GET", `/v1/leads/${made.id}`);
  assert.equal(got.text, accepted.text);

  const account = await member.call("GET", `/v1/accounts/${account_id}`);
  assert.equal(account.body.team_id, dealer);
  assert.deepEqual(account.body.user, { id: member.id, name: "Ada Byron user" });
  assert.equal(readField(account.body, "city"), "London");
  const contact = await member.call("GET", `/v1/accounts/${account_id}/contacts/${contact_id}`);
  assert.equal(contact.body.status, "opportunity");
  assert.deepEqual(contact.body.consent.email, { consent_given: true, updated_at: "2026-03-02 09:00:00" });
  const its_case = await member.call("GET", `/v1/cases/${case_id}`);
  assert.equal(its_case.body.relations_path.id, path);
  assert.equal(its_case.body.case_number, 1);
  assert.equal(its_case.body.lead.id, made.id);
  assert.equal(its_case.body.lead.escalates_at, "2026-03-02 11:00:00");
  assert.equal(its_case.body.team_id, dealer);

  const reported = await eventsAfter(app, before);
  assert.deepEqual(reported.map(({ name }) => name), [
    "lead_accepted",
    "account_created",
    "contact_created",
    "case_created",
  ]);
  const asAdmin = await Promise.all([
    `/v1/leads/${made.id}`,
    `/v1/accounts/${account_id}`,
    `/v1/accounts/${account_id}/contacts/${contact_id}`,
    `/v1/cases/${case_id}`,
  ].map(async (address) => (await admin.call("GET", address)).text));
  assert.deepEqual(reported.map(({ body }) => body), asAdmin);
  const listed = await admin.call("GET", `/v1/accounts?created_with_lead_types=${type}`);
  assert.equal(listed.body.pagination.total, 1);
});

Deno.test("a lead is merged into the account and contact that it names; its consent replaces the contact's", async () => {
  await using app = await startApp();
  const { admin, member, lead, events } = await makeSales(app);
  const account = await admin.call("POST", "/v1/accounts", {
    fixed_fields: nameFields({ name: "Ada Ltd", city: "Paris", vat: "1" }),
  });
  const contact = await admin.call("POST", `/v1/accounts/${account.body.id}/contacts`, {
    fixed_fields: nameFields({ last_name: "Byron", title: "Dr" }),
    consent: {
      email: { consent_given: true },
      letter: { consent_given: true },
      call: { consent_given: false },
    },
  });
  const made = await lead({
    account_id: account.body.id,
    account: { fixed_fields: nameFields({ city: "London" }) },
    contact_id: contact.body.id,
    contact: {
      fixed_fields: nameFields({ first_name: "Ada" }),
      consent: { email: { consent_given: null }, call: { consent_given: false } },
    },
  });
  const before = await events();
  app.clock.move(60_000);
  const accepted = await member.call("PUT", `/v1/leads/${made.id}/accept`, {});
  assert.equal(accepted.status, 200, accepted.text);
  assert.equal(accepted.body.account_id, account.body.id);
  assert.equal(accepted.body.contact_id, contact.body.id);
  assert.equal(readField(accepted.body.original_account, "city"), "London");
  const now = await admin.call("GET", `/v1/accounts/${account.body.id}`);
  assert.deepEqual([readField(now.body, "name"), readField(now.body, "city"), readField(now.body, "vat")], [
    "Ada Ltd",
    "London",
    "1",
  ]);
  const person = await admin.call("GET", `/v1/accounts/${account.body.id}/contacts/${contact.body.id}`);
  assert.deepEqual([readField(person.body, "first_name"), readField(person.body, "title")], ["Ada", "Dr"]);
  assert.deepEqual(person.body.consent, {
    call: { consent_given: false, updated_at: "2026-03-02 09:00:00" },
    email: { consent_given: null, updated_at: "2026-03-02 09:01:00" },
    letter: { consent_given: true, updated_at: "2026-03-02 09:00:00" },
    sms: { consent_given: null, updated_at: null },
  });
  const reported = await eventsAfter(app, before);
  assert.deepEqual(reported.map(({ name }) => name), [
    "lead_accepted",
    "account_updated",
    "contact_updated",
    "case_created",
  ]);
  assert.equal(reported[0]!.body, (await admin.call("GET", `/v1/leads/${made.id}`)).text);
  assert.equal(reported[2]!.body, person.text);
});

Deno.test("a second lead of a customer is added to the open case of the team", async () => {
  await using app = await startApp();
  const { admin, member, lead, events } = await makeSales(app);
  const first = await lead();
  const { account_id, contact_id, case_id } =
    (await member.call("PUT", `/v1/leads/${first.id}/accept`, {})).body;
  const second = await lead({ account_id, account: null, contact_id, contact: null, interest: "Van" });
  const before = await events();
  app.clock.move(60_000);
  const accepted = await member.call("PUT", `/v1/leads/${second.id}/accept`, {});
  assert.equal(accepted.status, 200, accepted.text);
  assert.equal(accepted.body.case_id, case_id);
  const its_case = await admin.call("GET", `/v1/cases/${case_id}`);
  assert.equal(its_case.body.lead.interest, "Van");
  assert.equal((await admin.call("GET", "/v1/cases")).body.pagination.total, 1);
  const reported = await eventsAfter(app, before);
  assert.deepEqual(reported.map(({ name }) => name), [
    "lead_accepted",
    "account_updated",
    "contact_updated",
    "case_updated",
  ]);
  assert.equal(reported[3]!.body, its_case.text);
});

Deno.test("the lead of a new contact of the account is added to the open case, and the contact stays a lead", async () => {
  await using app = await startApp();
  const { admin, member, lead } = await makeSales(app);
  const first = (await member.call("PUT", `/v1/leads/${(await lead()).id}/accept`, {})).body;
  const second = await lead({ account_id: first.account_id, account: null });
  const accepted = await member.call("PUT", `/v1/leads/${second.id}/accept`, {});
  assert.equal(accepted.body.case_id, first.case_id);
  assert.notEqual(accepted.body.contact_id, first.contact_id);
  const contact = await admin.call(
    "GET",
    `/v1/accounts/${first.account_id}/contacts/${accepted.body.contact_id}`,
  );
  assert.equal(contact.body.status, "lead");
});

Deno.test("a case and a lead with another contact show the name that the acceptance gives the account", async () => {
  await using app = await startApp();
  const { admin, member, dealer, lead, body, path, events } = await makeSales(app);
  const account = (await admin.call("POST", "/v1/accounts", {
    team_id: dealer,
    fixed_fields: nameFields({ name: "Old Ltd" }),
  })).body;
  const contact = async (last_name: string) =>
    (await admin.call("POST", `/v1/accounts/${account.id}/contacts`, {
      fixed_fields: nameFields({ last_name }),
    })).body;
  const [first, second] = [await contact("Byron"), await contact("Hopper")];
  const kase = await admin.call("POST", "/v1/cases", {
    contact_id: first.id,
    relations_path_id: path,
    team_id: dealer,
    user_id: member.id,
  });
  assert.equal(kase.status, 201, kase.text);
  const made = await lead({ ...body(), contact: undefined, contact_id: first.id });
  const before = await events();
  const accepted = await member.call("PUT", `/v1/leads/${made.id}/accept`, { contact_id: second.id });
  assert.equal(accepted.status, 200, accepted.text);
  const reported = await eventsAfter(app, before);
  const account_name = "Ada Ltd";
  for (
    const [name, path] of [["case_updated", `/v1/cases/${kase.body.id}`], [
      "lead_accepted",
      `/v1/leads/${made.id}`,
    ]]
  ) {
    const { text, body } = await admin.call("GET", path!);
    const { name: shown } = (body.original_contact ?? body.contact).account;
    assert.equal(shown, account_name);
    assert.equal(reported.find((event) => event.name === name)!.body, text, name);
  }
});

Deno.test("a consumer's account shows the contact's name; a second lead is merged into its one contact", async () => {
  await using app = await startApp();
  const { admin, member, lead } = await makeSales(app);
  const made = await lead({ b2c: true, account: {} });
  const accepted = await member.call("PUT", `/v1/leads/${made.id}/accept`, {});
  assert.equal(accepted.status, 200, accepted.text);
  assert.equal(readField(accepted.body.account, "name"), "Ada Byron");
  assert.equal((await member.call("GET", `/v1/leads/${made.id}`)).text, accepted.text);
  const again = await lead({
    b2c: true,
    account_id: accepted.body.account_id,
    account: null,
    contact: { fixed_fields: nameFields({ last_name: "Lovelace" }) },
  });
  const second = await member.call("PUT", `/v1/leads/${again.id}/accept`, {});
  assert.equal(second.status, 200, second.text);
  assert.equal(second.body.contact_id, accepted.body.contact_id);
  assert.equal(readField(second.body.account, "name"), "Ada Lovelace");
  const account = await admin.call("GET", `/v1/accounts/${accepted.body.account_id}`);
  assert.equal(readField(account.body, "name"), "Ada Lovelace");
});

Deno.test("an account of another team is copied for the team of the lead and does not change", async () => {
  await using app = await startApp();
  const { admin, member, dealer, company, lead } = await makeSales(app);
  const other = await company.team({ name: "Other" });
  const account = await admin.call("POST", "/v1/accounts", {
    team_id: other,
    fixed_fields: nameFields({ name: "Ada Ltd", vat: "1" }),
  });
  assert.equal(account.status, 201, account.text);
  const made = await lead({
    account_id: account.body.id,
    account: { fixed_fields: nameFields({ city: "Paris" }) },
  });
  const accepted = await member.call("PUT", `/v1/leads/${made.id}/accept`, {});
  assert.equal(accepted.status, 200, accepted.text);
  assert.notEqual(accepted.body.account_id, account.body.id);
  const copy = await member.call("GET", `/v1/accounts/${accepted.body.account_id}`);
  assert.equal(copy.body.team_id, dealer);
  assert.deepEqual([readField(copy.body, "vat"), readField(copy.body, "city")], ["1", "Paris"]);
  assert.equal((await admin.call("GET", `/v1/accounts/${account.body.id}`)).text, account.text);
});

Deno.test("an acceptance changes nothing that a change of the lead only repeated of its answer", async () => {
  await using app = await startApp();
  const { admin, member, lead } = await makeSales(app);
  const first = await lead({
    contact: {
      fixed_fields: nameFields({ last_name: "Byron" }),
      consent: { email: { consent_given: true } },
    },
  });
  const { account_id, contact_id } = (await member.call("PUT", `/v1/leads/${first.id}/accept`, {})).body;
  const made = await lead({ account_id, account: null, contact_id, contact: null, interest: "Van" });
  const own = (await admin.call("GET", `/v1/leads/${made.id}`)).body;
  const changed = await admin.call("PUT", `/v1/leads/${made.id}`, { ...own, interest: "Estate" });
  assert.equal(changed.status, 200, changed.text);
  const [account, contact] = [
    `/v1/accounts/${account_id}`,
    `/v1/accounts/${account_id}/contacts/${contact_id}`,
  ];
  app.clock.move(60_000);
  await admin.call("PUT", account, { fixed_fields: nameFields({ city: "Leeds" }) });
  await admin.call("PUT", contact, {
    fixed_fields: nameFields({ last_name: "King" }),
    consent: { email: { consent_given: false } },
  });
  const accepted = await member.call("PUT", `/v1/leads/${made.id}/accept`, {});
  assert.equal(accepted.body.interest, "Estate", accepted.text);
  assert.equal(readField((await admin.call("GET", account)).body, "city"), "Leeds");
  const after = (await admin.call("GET", contact)).body;
  assert.equal(readField(after, "last_name"), "King");
  assert.equal(after.consent.email.consent_given, false);
});
