import assert from "node:assert/strict";
import { type Body, startApp } from "../support/app.ts";
import { hour, put, tick, ways } from "./leads_states.ts";
import { makeSales, nameFields, readField } from "./leads_world.ts";
import { newContact } from "./parts.ts";

Deno.test("the acceptance may name account, contact, user and path", async () => {
  await using app = await startApp();
  const { admin, member, dealer, lead, company } = await makeSales(app);
  const account = await admin.call("POST", "/v1/accounts", { fixed_fields: nameFields({ name: "Other" }) });
  const contact = await admin.call("POST", `/v1/accounts/${account.body.id}/contacts`, {
    fixed_fields: nameFields({ last_name: "Lovelace" }),
  });
  const other = await admin.call("POST", "/v1/accounts", { fixed_fields: nameFields({ name: "Third" }) });
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
  assert.equal(
    readField((await admin.call("GET", `/v1/accounts/${account.body.id}`)).body, "name"),
    "Ada Ltd",
  );
});

Deno.test("the settings of the lead type for the team give the path and, for an admin, the user", async () => {
  await using app = await startApp();
  const { admin, member, dealer, path, lead, leadType } = await makeSales(app);
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

Deno.test("only members of the team and admins may accept or reject; 404 for users who do not see the lead", async () => {
  await using app = await startApp();
  const { agent, lead, company } = await makeSales(app);
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

Deno.test("twenty concurrent acceptances give one 200, one case and nineteen 409", async () => {
  await using app = await startApp();
  const { admin, member, lead, events } = await makeSales(app);
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

Deno.test("leads of one customer that are accepted concurrently share one case", async () => {
  await using app = await startApp();
  const { admin, member, lead } = await makeSales(app);
  const account = await admin.call("POST", "/v1/accounts", { fixed_fields: nameFields({ name: "Ada Ltd" }) });
  const leads = await Promise.all([1, 2, 3].map(() => lead({ account_id: account.body.id, account: null })));
  const answers = await Promise.all(leads.map(({ id }) => member.call("PUT", `/v1/leads/${id}/accept`, {})));
  assert.deepEqual(answers.map(({ status }) => status), [200, 200, 200]);
  assert.equal(new Set(answers.map(({ body }) => body.case_id)).size, 1);
});

Deno.test("a team that accepts a lead again uses its own account, contact and case", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const id = await ways.accepted!(sales);
  const first = (await sales.admin.call("GET", `/v1/leads/${id}`)).body;
  for (const verb of ["/call", "/assign"]) {
    app.clock.move(3 * hour);
    assert.equal(await tick(sales), 1);
    const moved = await put(sales, "agent", id, verb, { team_id: sales.dealer });
    assert.ok(moved.status < 300, moved.text);
  }
  const again = await put(sales, "member", id, "/accept");
  assert.equal(again.status, 200, again.text);
  const ids = ({ account_id, contact_id, case_id }: Body) => [account_id, contact_id, case_id];
  assert.deepEqual(ids(again.body), ids(first));
  assert.equal(again.body.acceptions.length, 2);
  assert.equal((await sales.admin.call("GET", "/v1/cases")).body.pagination.total, 1);
  assert.equal((await sales.admin.call("GET", "/v1/accounts")).body.pagination.total, 1);
});

Deno.test("a team that accepts a lead again uses the shared account and the contact of its first acceptance", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { account, contact } = await newContact(sales.admin, {}, { team_id: null });
  const other = await sales.admin.call("POST", `/v1/accounts/${account.id}/contacts`, {
    fixed_fields: nameFields({ last_name: "Byron" }),
  });
  const lead = await sales.lead({ account: undefined, account_id: account.id, contact_id: contact.id });
  const choice = { contact_id: other.body.id };
  const first = await put(sales, "member", lead.id, "/accept", choice);
  assert.equal(first.body.contact_id, other.body.id, first.text);
  for (const verb of ["/call", "/assign"]) {
    app.clock.move(3 * hour);
    assert.equal(await tick(sales), 1);
    await put(sales, "agent", lead.id, verb, { team_id: sales.dealer });
  }
  const { body: again } = await put(sales, "member", lead.id, "/accept");
  assert.deepEqual([again.account_id, again.contact_id, again.case_id], [
    account.id,
    other.body.id,
    first.body.case_id,
  ]);
});

Deno.test("a team that accepts a lead again after its contact was deleted uses the account and gets a new contact", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const id = await ways.called_after_acceptance!(sales);
  const { body: first } = await sales.admin.call("GET", `/v1/leads/${id}`);
  app.clock.move(3 * hour);
  assert.equal(await tick(sales), 1);
  await put(sales, "agent", id, "/assign", { team_id: sales.dealer });
  const gone = await sales.admin.call(
    "DELETE",
    `/v1/accounts/${first.account_id}/contacts/${first.contact_id}`,
  );
  assert.equal(gone.status, 204, gone.text);
  const { body: again, text } = await put(sales, "member", id, "/accept");
  assert.equal(again.account_id, first.account_id, text);
  assert.notEqual(again.contact_id, first.contact_id);
  assert.equal(readField(again.contact, "email"), "ada@example.org");
});

Deno.test("a lead that another team accepted before gets new records for this team, even for a shared account", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { company, admin } = sales;
  const { account, contact } = await newContact(admin, { account: "Shared" }, { team_id: null });
  const next = await company.team({ team_type: "dealer" });
  const other = await company.user({ teams: [next] });
  const lead = await sales.lead({
    account: undefined,
    account_id: account.id,
    contact: undefined,
    contact_id: contact.id,
  });
  const first = (await put(sales, "member", lead.id, "/accept")).body;
  assert.equal(first.account_id, account.id);
  for (const verb of ["/call", "/assign"]) {
    app.clock.move(3 * hour);
    assert.equal(await tick(sales), 1);
    await put(sales, "agent", lead.id, verb, { team_id: next });
  }
  const second = await other.call("PUT", `/v1/leads/${lead.id}/accept`, {});
  assert.equal(second.status, 200, second.text);
  assert.notEqual(second.body.account_id, account.id);
  assert.notEqual(second.body.contact_id, contact.id);
  const copy = await other.call("GET", `/v1/accounts/${second.body.account_id}`);
  assert.deepEqual([copy.body.team_id, readField(copy.body, "name")], [next, "Shared"]);
  assert.equal(
    (await admin.call("GET", `/v1/cases/${first.case_id}`)).status,
    200,
    "the first team keeps its own",
  );
});

Deno.test("another team gets the embedded data of a lead, and no later changes by the first team", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { company, admin } = sales;
  const next = await company.team({ team_type: "dealer" });
  const other = await company.user({ teams: [next] });
  const id = await ways.called_after_acceptance!(sales);
  const { body: first } = await admin.call("GET", `/v1/leads/${id}`);
  const secret = { fixed_fields: nameFields({ vat: "Secret", city: "Paris" }) };
  assert.equal((await admin.call("PUT", `/v1/accounts/${first.account_id}`, secret)).status, 200);
  app.clock.move(3 * hour);
  assert.equal(await tick(sales), 1);
  await put(sales, "agent", id, "/assign", { team_id: next });
  const { body: second, text } = await other.call("PUT", `/v1/leads/${id}/accept`, {});
  assert.notEqual(second.account_id, first.account_id, text);
  assert.deepEqual([readField(second.account, "vat"), readField(second.account, "city")], [null, "London"]);
});

Deno.test("an acceptance never leaves an account without a name, or a contact without name and address", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin } = sales;
  const { account, contact } = await newContact(admin, {}, { team_id: sales.dealer });
  const lead = await sales.lead({
    account_id: account.id,
    contact_id: contact.id,
    account: {},
    contact: { fixed_fields: nameFields({ first_name: null, last_name: null, title: null }) },
  }).catch(() => null);
  assert.equal(lead, null, "rejected while nothing else names the contact");
  const at = `/v1/accounts/${account.id}/contacts/${contact.id}`;
  await admin.call("PUT", at, { fixed_fields: nameFields({ email: "ada@example.org" }) });
  const { id } = await sales.lead({
    account_id: account.id,
    contact_id: contact.id,
    account: {},
    contact: { fixed_fields: nameFields({ first_name: null, last_name: null }) },
  });
  await admin.call("PUT", at, { fixed_fields: nameFields({ email: null }) });
  const changed = await put(sales, "admin", id, "", { interest: "Van", account: {} });
  assert.equal(changed.status, 200, "a change checks only its own members");
  const accepted = await put(sales, "member", id, "/accept");
  assert.equal(accepted.status, 200, accepted.text);
  const after = (await admin.call("GET", at)).body;
  assert.deepEqual([readField(after, "first_name"), readField(after, "last_name")], ["Grace", "Hopper"]);
});
