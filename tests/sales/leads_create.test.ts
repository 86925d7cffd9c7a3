import assert from "node:assert/strict";
import { Lead } from "../../src/sales/leads/schema.ts";
import { startApp } from "../support/app.ts";
import { makeSales, nameFields, readField } from "./leads_world.ts";

const codes = (body: { errors?: { path: string; code: string }[] }) =>
  (body.errors ?? []).map(({ path, code }) => `${path} ${code}`);

Deno.test("a lead for a team is assigned at once; GET answers what POST did, byte for byte", async () => {
  await using app = await startApp();
  const { admin, dealer, agency, type, body, company } = await makeSales(app);
  const made = await admin.call("POST", "/v1/leads", {
    ...body(),
    interest: "Estate",
    lead_user: "importer",
    external_weight: 7,
    lead_data: [{ key: "Colour", value: "<b>blue</b><script>x</script>" }],
    contact: {
      fixed_fields: nameFields({ last_name: "Byron", email: "ada@example.org" }),
      consent: { email: { consent_given: true }, call: { consent_given: null } },
    },
  });
  assert.equal(made.status, 201, made.text);
  const lead = Lead.parse(made.body);
  assert.equal(lead.status, "assigned");
  assert.equal(lead.company_id, company.id);
  assert.equal(lead.team_id, dealer);
  assert.equal(lead.team?.name, "Dealer");
  assert.equal(lead.agency_team_id, agency);
  assert.equal(lead.lead_type.id, type);
  assert.equal(lead.lead_type.relations_paths[0]?.name, "New cars");
  assert.equal(lead.user_id, null);
  assert.equal(lead.external_weight, 7);
  assert.deepEqual(lead.lead_data, [{ key: "Colour", value: "<b>blue</b>", type: "string" }]);
  assert.deepEqual(lead.assignments, [{
    team_id: dealer,
    user_id: null,
    assignment_date: "2026-03-02 09:00:00",
  }]);
  assert.equal(lead.escalates_at, "2026-03-02 10:00:00");
  assert.equal(lead.account_id, null);
  assert.equal(readField(lead.account as never, "name"), "Ada Ltd");
  assert.equal(readField(lead.contact as never, "email"), "ada@example.org");
  assert.deepEqual(lead.contact.consent, {
    call: { consent_given: null, updated_at: null },
    letter: { consent_given: null, updated_at: null },
    email: { consent_given: true, updated_at: null },
  });
  const got = await admin.call("GET", `/v1/leads/${lead.id}`);
  assert.equal(got.text, made.text);
  assert.equal(got.headers.get("etag"), made.headers.get("etag"));
  const events = await app.sql(
    "select event_name, body from outbox where entity_id = ? order by sequence",
    lead.id,
  );
  assert.deepEqual(events.map(({ event_name }) => event_name), ["lead_created", "lead_assigned"]);
  for (const event of events) assert.equal(event.body, made.text);
});

Deno.test("a lead without a team is assignable, has no countdown, and is visible to the agency only", async () => {
  await using app = await startApp();
  const { admin, agent, member, lead, company } = await makeSales(app);
  const made = await lead({ team_id: null });
  assert.equal(made.status, "assignable");
  assert.equal(made.escalates_at, null);
  assert.equal(made.team, null);
  const otherAgent = await company.user({ teams: [await company.team()], rights: ["agency"] });
  const readSeen = async (actor: typeof admin) => {
    const one = await actor.call("GET", `/v1/leads/${made.id}`);
    const all = await actor.call("GET", "/v1/leads");
    return [one.status, all.body.pagination.total, all.body.data.length];
  };
  assert.deepEqual(await readSeen(admin), [200, 1, 1]);
  assert.deepEqual(await readSeen(agent), [200, 1, 1]);
  assert.deepEqual(await readSeen(member), [404, 0, 0]);
  assert.deepEqual(await readSeen(otherAgent), [404, 0, 0]);
});

Deno.test("all missing fields of a lead are reported at once", async () => {
  await using app = await startApp();
  const { admin } = await makeSales(app);
  const empty = await admin.call("POST", "/v1/leads", {});
  assert.equal(empty.status, 422);
  assert.deepEqual(codes(empty.body), [
    "b2c required",
    "lead_source required",
    "lead_type_id required",
    "account required",
    "contact required",
    "agency_team_id required",
  ]);
});

Deno.test("each rule of the body is reported with path and code, and no lead is created", async () => {
  await using app = await startApp();
  const { admin, body, leadType, company, path } = await makeSales(app);
  const disabled = await leadType({ disabled: true });
  const stranger = await app.company();
  const elsewhere = await stranger.admin.call("POST", "/v1/accounts", {
    fixed_fields: nameFields({ name: "X" }),
  });
  const own = await admin.call("POST", "/v1/accounts", { fixed_fields: nameFields({ name: "Own" }) });
  const other = await admin.call("POST", "/v1/accounts", { fixed_fields: nameFields({ name: "Other" }) });
  const contact = await admin.call("POST", `/v1/accounts/${other.body.id}/contacts`, {
    fixed_fields: nameFields({ last_name: "Byron" }),
  });
  const plain = await company.team({ name: "Not a dealer" });
  const foreignTeam = await stranger.team({ team_type: "dealer" });
  const cases: [object, string[]][] = [
    [{ account: null }, ["account required"]],
    [{ contact: null }, ["contact required"]],
    [{ account: { fixed_fields: nameFields({ city: "London" }) } }, ["account.fixed_fields required"]],
    [{ contact: { fixed_fields: nameFields({ title: "Dr" }) } }, ["contact.fixed_fields required"]],
    [{ account: { fixed_fields: nameFields({ name: "A", website: "no" }) } }, [
      "account.fixed_fields[1].value format",
    ]],
    [{ contact: { fixed_fields: nameFields({ email: "no" }) } }, [
      "contact.fixed_fields[0].value format",
    ]],
    [{ account: { fixed_fields: nameFields({ name: "A", shoe: "9" }) } }, [
      "account.fixed_fields[1].name unknown_field",
    ]],
    [{
      contact: { fixed_fields: nameFields({ last_name: "B" }), custom_fields: [{ name: "shoe", value: 1 }] },
    }, [
      "contact.custom_fields[0].name unknown_field",
    ]],
    [{ account: null, account_id: elsewhere.body.id }, ["account_id exists"]],
    [{ account_id: own.body.id, contact: null, contact_id: contact.body.id }, ["contact_id exists"]],
    [{ account_id: "12" }, ["account_id type"]],
    [{ lead_type_id: disabled }, ["lead_type_id exists"]],
    [{ lead_type_id: path }, ["lead_type_id exists"]],
    [{ team_id: plain }, ["team_id exists"]],
    [{ team_id: foreignTeam }, ["team_id exists"]],
    [{ agency_team_id: foreignTeam }, ["agency_team_id exists"]],
    [{ team_id: null, agency_team_id: null }, ["agency_team_id required"]],
    [{ expires_at: "2026-03-02 09:00:00" }, ["expires_at after"]],
    [{ expires_at: "2026-02-30 09:00:00" }, ["expires_at format"]],
    [{ created_at: "2026-03-02 09:00:01" }, ["created_at before"]],
    [{ product_ids: [path] }, ["product_ids[0] exists"]],
    [{ external_weight: 0 }, ["external_weight min"]],
    [{ external_weight: 101 }, ["external_weight max"]],
    [{ external_weight: 1.5 }, ["external_weight type"]],
    [{ lead_source: "" }, ["lead_source min"]],
    [{ b2c: "yes" }, ["b2c type"]],
    [{ lead_data: [{ value: "x" }] }, ["lead_data[0].key required"]],
    [{ lead_data: [{ key: "", value: "x" }] }, ["lead_data[0].key min"]],
    [{ lead_data: [{ key: "a", value: ["x"] }] }, ["lead_data[0].value type"]],
    [{ lead_data: [{ key: "a", value: "x", type: "list" }] }, ["lead_data[0].value type"]],
    [{ lead_data: [{ key: "a", value: ["x"], type: "table" }] }, ["lead_data[0].value type"]],
    [{ lead_data: [{ key: "a", value: "x", type: "html" }] }, ["lead_data[0].type enum"]],
  ];
  for (const [more, expected] of cases) {
    const refused = await admin.call("POST", "/v1/leads", body(more));
    assert.equal(refused.status, 422, JSON.stringify(more));
    assert.deepEqual(codes(refused.body), expected, JSON.stringify(more));
  }
  assert.deepEqual(await app.sql("select count(*) as n from leads"), [{ n: 0 }]);
});

Deno.test("lead data keeps its types and six HTML tags", async () => {
  await using app = await startApp();
  const { lead } = await makeSales(app);
  const { lead_data } = await lead({
    lead_data: [
      { value: "Wishes", type: "heading" },
      { key: "a", value: "<i class='x'>1</i><p>2</p>", type: null },
      { key: "b", value: ["<em>1</em>", "<a href='/'>2</a>"], type: "list" },
      { key: "c", value: [["1", "<br>"], []], type: "table" },
    ],
  });
  assert.deepEqual(lead_data, [
    { key: "", value: "Wishes", type: "heading" },
    { key: "a", value: "<i>1</i>2", type: "string" },
    { key: "b", value: ["<em>1</em>", "2"], type: "list" },
    { key: "c", value: [["1", "<br />"], []], type: "table" },
  ]);
});

Deno.test("a consumer's lead needs no account name, and a lead can be backdated", async () => {
  await using app = await startApp();
  const { lead } = await makeSales(app);
  const made = await lead({ b2c: true, account: {}, created_at: "2026-01-05T10:00:00+01:00" });
  assert.equal(made.b2c, true);
  assert.equal(made.created_at, "2026-01-05 09:00:00");
  assert.equal(made.escalates_at, "2026-03-02 10:00:00");
});

Deno.test("a lead shows the records that it names, with its embedded values on top", async () => {
  await using app = await startApp();
  const { admin, lead } = await makeSales(app);
  const account = await admin.call("POST", "/v1/accounts", {
    fixed_fields: nameFields({ name: "Ada Ltd", vat: "1" }),
  });
  const contact = await admin.call("POST", `/v1/accounts/${account.body.id}/contacts`, {
    fixed_fields: nameFields({ last_name: "Byron" }),
    consent: { letter: { consent_given: false } },
  });
  const made = await lead({
    account_id: account.body.id,
    account: { fixed_fields: nameFields({ city: "Paris" }) },
    contact_id: contact.body.id,
    contact: null,
  });
  assert.deepEqual(made.original_account, account.body);
  assert.deepEqual(made.original_contact, contact.body);
  assert.equal(made.account_id, account.body.id);
  assert.equal(made.account.id, account.body.id);
  assert.equal(readField(made.account, "vat"), "1");
  assert.equal(readField(made.account, "city"), "Paris");
  assert.equal(made.contact.consent.letter.consent_given, false);
  assert.equal(made.contact.consent.letter.updated_at, contact.body.consent.letter.updated_at);
});

Deno.test("a lead can be given to any dealer team or an own team, and to no other", async () => {
  await using app = await startApp();
  const { member, body, company } = await makeSales(app);
  const made = await member.call("POST", "/v1/leads", body());
  assert.equal(made.status, 201);
  const own = await company.team({ name: "Plain" });
  const colleague = await company.user({ teams: [own] });
  assert.equal((await colleague.call("POST", "/v1/leads", body({ team_id: own }))).status, 201);
  assert.equal((await member.call("POST", "/v1/leads", body({ team_id: own }))).status, 422);
});
