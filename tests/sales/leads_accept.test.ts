import assert from "node:assert/strict";
import { Lead } from "../../src/sales/leads/schema.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { fieldOf, named, world } from "./leads_world.ts";

/** Event name and body by the order in which they were written. */
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

Deno.test("acceptance makes account, contact and case for the team, and tells of each what GET answers", async () => {
  await using app = await startApp();
  const { admin, member, dealer, lead, path, type, events } = await world(app);
  const made = await lead({
    lead_data: [{ key: "Model", value: "Estate" }],
    contact: { fixed_fields: named({ last_name: "Byron" }), consent: { email: { consent_given: true } } },
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
  assert.equal(fieldOf(account.body, "city"), "London");
  const contact = await member.call("GET", `/v1/accounts/${account_id}/contacts/${contact_id}`);
  assert.equal(contact.body.status, "opportunity");
  assert.deepEqual(contact.body.consent.email, { consent_given: true, updated_at: "2026-03-02 09:00:00" });
  const its_case = await member.call("GET", `/v1/cases/${case_id}`);
  assert.equal(its_case.body.relations_path.id, path);
  assert.equal(its_case.body.case_number, 1);
  assert.equal(its_case.body.lead.id, made.id);
  assert.equal(its_case.body.lead.escalates_at, "2026-03-02 11:00:00");
  assert.equal(its_case.body.team_id, dealer);

  const told = await eventsAfter(app, before);
  assert.deepEqual(told.map(({ name }) => name), [
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
  assert.deepEqual(told.map(({ body }) => body), asAdmin);
  const listed = await admin.call("GET", `/v1/accounts?created_with_lead_types=${type}`);
  assert.equal(listed.body.pagination.total, 1);
});

Deno.test("a lead that names account and contact is merged into them; its consent overwrites the contact's", async () => {
  await using app = await startApp();
  const { admin, member, lead, events } = await world(app);
  const account = await admin.call("POST", "/v1/accounts", {
    fixed_fields: named({ name: "Ada Ltd", city: "Paris", vat: "1" }),
  });
  const contact = await admin.call("POST", `/v1/accounts/${account.body.id}/contacts`, {
    fixed_fields: named({ last_name: "Byron", title: "Dr" }),
    consent: {
      email: { consent_given: true },
      letter: { consent_given: true },
      call: { consent_given: false },
    },
  });
  const made = await lead({
    account_id: account.body.id,
    account: { fixed_fields: named({ city: "London" }) },
    contact_id: contact.body.id,
    contact: {
      fixed_fields: named({ first_name: "Ada" }),
      consent: { email: { consent_given: null }, call: { consent_given: false } },
    },
  });
  const before = await events();
  app.clock.move(60_000);
  const accepted = await member.call("PUT", `/v1/leads/${made.id}/accept`, {});
  assert.equal(accepted.status, 200, accepted.text);
  assert.equal(accepted.body.account_id, account.body.id);
  assert.equal(accepted.body.contact_id, contact.body.id);
  assert.equal(fieldOf(accepted.body.original_account, "city"), "London");
  const now = await admin.call("GET", `/v1/accounts/${account.body.id}`);
  assert.deepEqual([fieldOf(now.body, "name"), fieldOf(now.body, "city"), fieldOf(now.body, "vat")], [
    "Ada Ltd",
    "London",
    "1",
  ]);
  const person = await admin.call("GET", `/v1/accounts/${account.body.id}/contacts/${contact.body.id}`);
  assert.deepEqual([fieldOf(person.body, "first_name"), fieldOf(person.body, "title")], ["Ada", "Dr"]);
  assert.deepEqual(person.body.consent, {
    call: { consent_given: false, updated_at: "2026-03-02 09:00:00" },
    email: { consent_given: null, updated_at: "2026-03-02 09:01:00" },
    letter: { consent_given: true, updated_at: "2026-03-02 09:00:00" },
    sms: { consent_given: null, updated_at: null },
  });
  const told = await eventsAfter(app, before);
  assert.deepEqual(told.map(({ name }) => name), [
    "lead_accepted",
    "account_updated",
    "contact_updated",
    "case_created",
  ]);
  assert.equal(told[0]!.body, (await admin.call("GET", `/v1/leads/${made.id}`)).text);
  assert.equal(told[2]!.body, person.text);
});

Deno.test("a second lead of a customer goes into the case that the team has open", async () => {
  await using app = await startApp();
  const { admin, member, lead, events } = await world(app);
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
  const told = await eventsAfter(app, before);
  assert.deepEqual(told.map(({ name }) => name), [
    "lead_accepted",
    "account_updated",
    "contact_updated",
    "case_updated",
  ]);
  assert.equal(told[3]!.body, its_case.text);
});

Deno.test("a colleague's open case takes the lead of a new contact of the account, who stays a lead", async () => {
  await using app = await startApp();
  const { admin, member, lead } = await world(app);
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

Deno.test("the acceptance may name account, contact, user and path of its own", async () => {
  await using app = await startApp();
  const { admin, member, dealer, lead, company } = await world(app);
  const account = await admin.call("POST", "/v1/accounts", { fixed_fields: named({ name: "Other" }) });
  const contact = await admin.call("POST", `/v1/accounts/${account.body.id}/contacts`, {
    fixed_fields: named({ last_name: "Lovelace" }),
  });
  const other = await admin.call("POST", "/v1/accounts", { fixed_fields: named({ name: "Third" }) });
  const path = await admin.call("POST", "/v1/relations-paths", {
    name: "Used cars",
    activity_types: { milestones: [{ name: "Offer" }] },
  });
  const colleague = await company.user({ teams: [dealer] });
  const stranger = await company.user({ teams: [await company.team()] });
  const made = await lead();
  const refused: [object, string][] = [
    [{ user_id: stranger.id }, "user_id exists"],
    [{ account_id: path.body.id }, "account_id exists"],
    [{ contact_id: path.body.id }, "contact_id exists"],
    [{ account_id: other.body.id, contact_id: contact.body.id }, "contact_id exists"],
    [{ relations_path_id: account.body.id }, "relations_path_id exists"],
    [{ relations_path_id: "12" }, "relations_path_id type"],
  ];
  for (const [body, expected] of refused) {
    const answer = await member.call("PUT", `/v1/leads/${made.id}/accept`, body);
    assert.equal(answer.status, 422, JSON.stringify(body));
    const [error] = answer.body.errors;
    assert.equal(`${error.path} ${error.code}`, expected);
  }
  const accepted = await member.call("PUT", `/v1/leads/${made.id}/accept`, {
    contact_id: contact.body.id,
    user_id: colleague.id,
    relations_path_id: path.body.id,
  });
  assert.equal(accepted.status, 200, accepted.text);
  assert.equal(accepted.body.account_id, account.body.id);
  assert.equal(accepted.body.acceptions[0].user_id, colleague.id);
  const its_case = await admin.call("GET", `/v1/cases/${accepted.body.case_id}`);
  assert.equal(its_case.body.relations_path.name, "Used cars");
  assert.equal(its_case.body.user.id, colleague.id);
  assert.equal(fieldOf((await admin.call("GET", `/v1/accounts/${account.body.id}`)).body, "name"), "Ada Ltd");
});

Deno.test("the type's settings for the team give the path and, to an admin from outside, the user", async () => {
  await using app = await startApp();
  const { admin, member, dealer, path, lead, leadType } = await world(app);
  const other = await admin.call("POST", "/v1/relations-paths", {
    name: "Used cars",
    activity_types: { milestones: [{ name: "Offer" }] },
  });
  const outside = await lead();
  const refused = await admin.call("PUT", `/v1/leads/${outside.id}/accept`, {});
  assert.equal(refused.status, 422);
  assert.deepEqual(
    refused.body.errors.map((error: { path: string; code: string }) => [error.path, error.code]),
    [
      ["user_id", "required"],
    ],
  );
  const type = await leadType({
    relations_path_ids: [path, other.body.id],
    team_settings: [{ team_id: dealer, relations_path_id: other.body.id, user_id: member.id }],
  });
  const made = await lead({ lead_type_id: type });
  const accepted = await admin.call("PUT", `/v1/leads/${made.id}/accept`, {});
  assert.equal(accepted.status, 200, accepted.text);
  assert.equal(accepted.body.acceptions[0].user_id, member.id);
  const its_case = await admin.call("GET", `/v1/cases/${accepted.body.case_id}`);
  assert.equal(its_case.body.relations_path.name, "Used cars");
});

Deno.test("only members of the team and admins may accept or reject; those who do not see the lead get 404", async () => {
  await using app = await startApp();
  const { agent, lead, company } = await world(app);
  const group = await company.group();
  const team = await company.team({ group_id: group, team_type: "dealer" });
  const neighbour = await company.user({ teams: [await company.team({ group_id: group })] });
  const stranger = await company.user({ teams: [await company.team()] });
  const made = await lead({ team_id: team });
  for (const [verb, body] of [["accept", {}], ["reject", { rejection_reason: "no" }]] as const) {
    const statuses = await Promise.all(
      [neighbour, agent, stranger].map(async (actor) =>
        (await actor.call("PUT", `/v1/leads/${made.id}/${verb}`, body)).status
      ),
    );
    assert.deepEqual(statuses, [403, 403, 404], verb);
  }
});

Deno.test("twenty acceptances at once leave one 200, one case and nineteen 409", async () => {
  await using app = await startApp();
  const { admin, member, lead, events } = await world(app);
  const made = await lead();
  const before = await events();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => member.call("PUT", `/v1/leads/${made.id}/accept`, {})),
  );
  const codes = answers.map(({ status, body }) => status === 200 ? "200" : `${status} ${body.code}`).sort();
  assert.deepEqual(codes, ["200", ...Array(19).fill("409 lead_state")]);
  assert.equal((await admin.call("GET", "/v1/cases")).body.pagination.total, 1);
  assert.equal(await events(), before + 4);
});

Deno.test("leads of one customer accepted at once share one case", async () => {
  await using app = await startApp();
  const { admin, member, lead } = await world(app);
  const account = await admin.call("POST", "/v1/accounts", { fixed_fields: named({ name: "Ada Ltd" }) });
  const leads = await Promise.all([1, 2, 3].map(() => lead({ account_id: account.body.id, account: null })));
  const answers = await Promise.all(leads.map(({ id }) => member.call("PUT", `/v1/leads/${id}/accept`, {})));
  assert.deepEqual(answers.map(({ status }) => status), [200, 200, 200]);
  assert.equal(new Set(answers.map(({ body }) => body.case_id)).size, 1);
});

Deno.test("a consumer without an account name is shown by the contact's; a second lead meets the one contact", async () => {
  await using app = await startApp();
  const { admin, member, lead } = await world(app);
  const made = await lead({ b2c: true, account: {} });
  const accepted = await member.call("PUT", `/v1/leads/${made.id}/accept`, {});
  assert.equal(accepted.status, 200, accepted.text);
  assert.equal(fieldOf(accepted.body.account, "name"), "Ada Byron");
  assert.equal((await member.call("GET", `/v1/leads/${made.id}`)).text, accepted.text);
  const again = await lead({
    b2c: true,
    account_id: accepted.body.account_id,
    account: null,
    contact: { fixed_fields: named({ last_name: "Lovelace" }) },
  });
  const second = await member.call("PUT", `/v1/leads/${again.id}/accept`, {});
  assert.equal(second.status, 200, second.text);
  assert.equal(second.body.contact_id, accepted.body.contact_id);
  assert.equal(fieldOf(second.body.account, "name"), "Ada Lovelace");
  const account = await admin.call("GET", `/v1/accounts/${accepted.body.account_id}`);
  assert.equal(fieldOf(account.body, "name"), "Ada Lovelace");
});

Deno.test("an account that another team owns is copied for the team of the lead, and left as it was", async () => {
  await using app = await startApp();
  const { admin, member, dealer, company, lead } = await world(app);
  const other = await company.team({ name: "Other" });
  const account = await admin.call("POST", "/v1/accounts", {
    team_id: other,
    fixed_fields: named({ name: "Ada Ltd", vat: "1" }),
  });
  assert.equal(account.status, 201, account.text);
  const made = await lead({
    account_id: account.body.id,
    account: { fixed_fields: named({ city: "Paris" }) },
  });
  const accepted = await member.call("PUT", `/v1/leads/${made.id}/accept`, {});
  assert.equal(accepted.status, 200, accepted.text);
  assert.notEqual(accepted.body.account_id, account.body.id);
  const copy = await member.call("GET", `/v1/accounts/${accepted.body.account_id}`);
  assert.equal(copy.body.team_id, dealer);
  assert.deepEqual([fieldOf(copy.body, "vat"), fieldOf(copy.body, "city")], ["1", "Paris"]);
  assert.equal((await admin.call("GET", `/v1/accounts/${account.body.id}`)).text, account.text);
});
