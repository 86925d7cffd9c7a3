/** The rules of a lead's body, on create and on update. */
import assert from "node:assert/strict";
import { type Body, startApp } from "../support/app.ts";
import { newField } from "../customers/fields_world.ts";
import { hour, put, tick } from "./leads_states.ts";
import { makeSales, nameFields, readField } from "./leads_world.ts";
import { newContact } from "./parts.ts";

const codes = (body: Body): string[] =>
  (body.errors ?? []).map(({ path, code }: { path: string; code: string }) => `${path} ${code}`);

Deno.test("lead data keeps six HTML tags without attributes, in keys too; anything else is removed, never rejected", async () => {
  await using app = await startApp();
  const { lead } = await makeSales(app);
  const cases: [given: string, kept: string][] = [
    ["<b>1</b><strong>2</strong><i>3</i><em>4</em><blockquote>5</blockquote>", "same"],
    ["a<br>b<br/>c", "a<br />b<br />c"],
    ["a<br />b", "same"],
    ['<b onclick="x()" style="color:red">1</b>', "<b>1</b>"],
    ["<B>1</B>", "<b>1</b>"],
    ["<b><u>1</u></b><h1>2</h1><a href='javascript:x'>3</a>", "<b>1</b>23"],
    ["<script>alert(1)</script><style>b{}</style>4", "4"],
    ["<img src=x onerror=alert(1)>5", "5"],
    ["<b>open", "<b>open</b>"],
    ["Fish & chips", "same"],
    ["1 < 2", "1 &lt; 2"],
    ["&lt;script&gt;", "same"],
    ["", "same"],
  ];
  const keys = ["<b>Key</b>", "<i>Key<u>s</u></i>"];
  const made = await lead({
    lead_data: [
      ...cases.map(([value]) => ({ key: "k", value })),
      { key: "list", type: "list", value: cases.map(([value]) => value) },
      { key: "table", type: "table", value: [cases.map(([value]) => value), ["<u>x</u>"]] },
      ...keys.map((key) => ({ key, value: "v" })),
      { key: "<b>Wishes</b>", value: "<u>all</u>", type: "heading" },
    ],
  });
  const kept = cases.map(([given, kept]) => kept === "same" ? given : kept);
  const values = made.lead_data.map(({ value }: Body) => value);
  assert.deepEqual(values.slice(0, cases.length), kept);
  assert.deepEqual(values.slice(cases.length, cases.length + 2), [kept, [kept, ["x"]]]);
  assert.deepEqual(made.lead_data.slice(-3), [
    { key: "<b>Key</b>", value: "v", type: "string" },
    { key: "<i>Keys</i>", value: "v", type: "string" },
    { key: "<b>Wishes</b>", value: "all", type: "heading" },
  ]);
  // Sanitised text stays the same, so that a client may send an answer back.
  const again = await lead({ lead_data: made.lead_data });
  assert.deepEqual(again.lead_data, made.lead_data);
});

Deno.test("each type of lead data requires its shape of value and a key with text; only a heading needs no key", async () => {
  await using app = await startApp();
  const { admin, body } = await makeSales(app);
  const refused: [line: unknown, expected: string][] = [
    [{ key: "a", value: 5 }, "value type"],
    [{ key: "a", value: true }, "value type"],
    [{ key: "a", value: null }, "value required"],
    [{ key: "a" }, "value required"],
    [{ key: 5, value: "x" }, "key type"],
    [{ key: "a", value: {} }, "value type"],
    [{ key: "a", value: ["x"], type: "string" }, "value type"],
    [{ key: "a", value: ["x"], type: "heading" }, "value type"],
    [{ key: "a", value: [["x"]], type: "list" }, "value type"],
    [{ key: "a", value: "x", type: "table" }, "value type"],
    [{ key: "a", value: ["x", ["y"]], type: "table" }, "value[1] type"],
    [{ key: "a", value: [1], type: "list" }, "value[0] type"],
    [{ key: null, value: "x" }, "key required"],
    [{ value: ["x"], type: "list" }, "key required"],
    [{ key: "", value: [["x"]], type: "table" }, "key min"],
    [{ key: "<script>k</script>", value: "x" }, "key min"],
    [{ key: "k".repeat(256), value: "x" }, "key max"],
    [{ key: "a", value: "x", type: "text" }, "type enum"],
  ];
  for (const [line, expected] of refused) {
    const reply = await admin.call(
      "POST",
      "/v1/leads",
      body({ lead_data: [{ key: "fine", value: "x" }, line] }),
    );
    assert.equal(reply.status, 422, JSON.stringify(line));
    const [first] = codes(reply.body);
    assert.equal(first, `lead_data[1].${expected}`, `${JSON.stringify(line)}: ${reply.text}`);
  }
  for (const [lead_data, expected] of [["x", "type"], [{}, "type"], [["x"], "type"]] as const) {
    const reply = await admin.call("POST", "/v1/leads", body({ lead_data }));
    assert.deepEqual([reply.status, codes(reply.body)[0]?.split(" ")[1]], [422, expected]);
  }
  const empty = [{ value: "", type: "heading" }, { key: null, value: "x", type: "heading" }];
  const made = await admin.call("POST", "/v1/leads", body({ lead_data: empty }));
  assert.deepEqual(made.body.lead_data.map(({ key }: Body) => key), ["", ""]);
});

Deno.test("a key of which cleaning leaves nothing is refused together with the other faults of the body", async () => {
  await using app = await startApp();
  const { admin, body } = await makeSales(app);
  const given = {
    lead_source: "",
    account: null,
    lead_data: [
      { key: "<u></u>", value: "x", type: "list" },
      { key: null, value: "x" },
      { key: "<script>k</script>", value: "x" },
    ],
  };
  for (
    const [method, path] of [["POST", "/v1/leads"], ["PUT", `/v1/leads/${crypto.randomUUID()}`]] as const
  ) {
    const reply = await admin.call(method, path, body(given));
    assert.deepEqual([reply.status, codes(reply.body)], [422, [
      "lead_source min",
      "lead_data[0].key min",
      "lead_data[0].value type",
      "lead_data[1].key required",
      "lead_data[2].key min",
      ...(method === "POST" ? ["account required"] : []),
    ]]);
  }
});

Deno.test("expires_at may be a date, which means its start; it is past from its second on, and null removes it", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin, body } = sales;
  const made = await sales.lead({ expires_at: "2026-03-04" });
  assert.equal(made.expires_at, "2026-03-04 00:00:00");
  const zoned = await sales.lead({ expires_at: "2026-03-04T01:00:00+01:00" });
  assert.equal(zoned.expires_at, made.expires_at);
  for (
    const [expires_at, expected] of [["2026-02-30", "format"], ["2026-03-02", "after"], ["soon", "format"]]
  ) {
    const reply = await admin.call("POST", "/v1/leads", body({ expires_at }));
    assert.deepEqual(codes(reply.body), [`expires_at ${expected}`]);
  }
  const kept = await put(sales, "admin", made.id, "", { expires_at: null });
  assert.equal(kept.body.expires_at, null);
  const see = async (id: string) => (await admin.call("GET", `/v1/leads/${id}`)).status;
  app.clock.set(Date.UTC(2026, 2, 3, 23, 59, 59));
  assert.deepEqual([await see(made.id), await see(zoned.id)], [200, 200]);
  app.clock.move(1000);
  assert.deepEqual([await see(made.id), await see(zoned.id)], [200, 404]);
});

Deno.test("products are stored once each in order; a deleted one may stay, but cannot be added", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin } = sales;
  const product = async (name: string) =>
    (await admin.call("POST", "/v1/products", { fixed_fields: nameFields({ name }) })).body.id;
  const [a, b] = [await product("A"), await product("B")];
  const made = await sales.lead({ product_ids: [b, a, b.toUpperCase()] });
  assert.deepEqual(made.product_ids, [b, a]);
  assert.equal((await admin.call("DELETE", `/v1/products/${b}`)).status, 204);
  const same = await put(sales, "admin", made.id, "", { product_ids: [b, a] });
  assert.deepEqual([same.status, same.body.product_ids], [200, [b, a]]);
  const gone = await put(sales, "admin", made.id, "", { product_ids: null });
  assert.deepEqual(gone.body.product_ids, []);
  const anew = await put(sales, "admin", made.id, "", { product_ids: [a, b] });
  assert.deepEqual(codes(anew.body), ["product_ids[1] exists"]);
  const stranger = (await app.company()).admin;
  const foreign =
    (await stranger.call("POST", "/v1/products", { fixed_fields: nameFields({ name: "X" }) })).body.id;
  const refused = await admin.call("POST", "/v1/leads", sales.body({ product_ids: [foreign, "x"] }));
  assert.equal(refused.status, 422);
});

Deno.test("a lead whose type is disabled later can still be changed, escalate and be accepted", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { lead_type_id, id } = await sales.lead();
  const other = await sales.lead({ lead_type_id: await sales.leadType() });
  await app.deps.db.write([{ sql: "update lead_types set disabled = 1, version = version + 1", args: [] }]);
  const changed = await put(sales, "admin", id, "", { lead_type_id, interest: "Van" });
  assert.deepEqual([changed.status, changed.body.lead_type?.disabled], [200, true], changed.text);
  const moved = await put(sales, "admin", id, "", { lead_type_id: other.lead_type_id });
  assert.deepEqual(codes(moved.body), ["lead_type_id exists"], "another one that is disabled takes no leads");
  app.clock.move(hour);
  assert.equal(await tick(sales), 2);
  assert.equal((await put(sales, "member", id, "/accept")).status, 200);
});

Deno.test("consent may be true, false or null, which also replaces; null for a channel removes it from the lead", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin } = sales;
  const { account, contact } = await newContact(admin, {}, { team_id: sales.dealer });
  const at = `/v1/accounts/${account.id}/contacts/${contact.id}`;
  const all = {
    email: { consent_given: true },
    call: { consent_given: true },
    letter: { consent_given: true },
  };
  await admin.call("PUT", at, { consent: { ...all, sms: { consent_given: true } } });
  const parties = { account: undefined, account_id: account.id, contact_id: contact.id };
  const consent = {
    email: { consent_given: false },
    call: { consent_given: null },
    letter: { consent_given: false },
  };
  const made = await sales.lead({ ...parties, contact: { consent } });
  const listConsent = (lead: Body) =>
    ["email", "call", "letter"].map((channel) => lead.contact.consent[channel].consent_given);
  assert.deepEqual(listConsent(made), [false, null, false]);
  const one = await put(sales, "admin", made.id, "", { contact: { consent: { letter: null } } });
  assert.deepEqual(listConsent(one.body), [false, null, true]);
  const none = await sales.lead({ ...parties, contact: { consent } });
  const cleared = await put(sales, "admin", none.id, "", { contact: { consent: null } });
  assert.deepEqual(listConsent(cleared.body), [true, true, true]);
  assert.equal((await put(sales, "member", none.id, "/accept")).status, 200);
  const readConsent = async () => {
    const { body } = await admin.call("GET", at);
    return ["email", "call", "letter", "sms"].map((channel) => body.consent[channel].consent_given);
  };
  assert.deepEqual(await readConsent(), [true, true, true, true]);
  assert.equal((await put(sales, "member", made.id, "/accept")).status, 200);
  assert.deepEqual(await readConsent(), [false, null, true, true]);
  for (const [wrong, expected] of [["yes", "type"], [1, "type"]] as const) {
    const reply = await admin.call(
      "POST",
      "/v1/leads",
      sales.body({ ...parties, contact: { consent: { email: { consent_given: wrong } } } }),
    );
    assert.deepEqual(codes(reply.body), [`contact.consent.email.consent_given ${expected}`]);
  }
});

Deno.test("the values for account and contact are checked by field, on create and on update", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin, body } = sales;
  const numeric = await newField(admin, { label: "Size", type: "numeric" }, [], "account");
  const choice = await newField(admin, { label: "Colour", type: "single_choice" }, ["red"], "contact");
  const mail = await newField(
    admin,
    { label: "Second mail", type: "text", validation: "email" },
    [],
    "contact",
  );
  const locked = await newField(admin, { label: "Locked", type: "text", is_read_only: true }, [], "account");
  const account = (fixed: object, custom: object[] = []) => ({
    account: { fixed_fields: nameFields({ name: "A", ...fixed }), custom_fields: custom },
  });
  const contact = (fixed: object, custom: object[] = []) => ({
    contact: { fixed_fields: nameFields({ last_name: "B", ...fixed }), custom_fields: custom },
  });
  const cases: [object, string][] = [
    [account({ website: "no url" }), "account.fixed_fields[1].value format"],
    [account({ country: "XX" }), "account.fixed_fields[1].value enum"],
    [account({ city: 5 }), "account.fixed_fields[1].value type"],
    [account({ city: "x".repeat(256) }), "account.fixed_fields[1].value max"],
    [account({}, [{ id: numeric.id, value: "ten" }]), "account.custom_fields[0].value type"],
    [account({}, [{ id: locked.id, value: "x" }]), "account.custom_fields[0].value not_editable"],
    [account({}, [{ id: mail.id, value: "a@b.at" }]), "account.custom_fields[0].id exists"],
    [contact({ email: "nobody" }), "contact.fixed_fields[1].value format"],
    [contact({}, [{ id: mail.id, value: "nobody" }]), "contact.custom_fields[0].value format"],
    [contact({}, [{ id: choice.id, value: numeric.id }]), "contact.custom_fields[0].value enum"],
  ];
  const made = await sales.lead();
  for (const [more, expected] of cases) {
    const posted = await admin.call("POST", "/v1/leads", body(more));
    assert.deepEqual([posted.status, codes(posted.body)], [422, [expected]], posted.text);
    const changed = await put(sales, "admin", made.id, "", more);
    assert.deepEqual([changed.status, codes(changed.body)], [422, [expected]], changed.text);
  }
  const fine = await sales.lead({
    ...account({ website: "https://example.org", country: "AT" }, [{ id: numeric.id, value: 10 }]),
    ...contact({ email: "ada@example.org" }, [{ id: choice.id, value: choice.options.red! }]),
  });
  assert.equal(readField(fine.contact, "email"), "ada@example.org");
});

Deno.test("a lead cannot clear the name of its account, or all names of its contact", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin, body } = sales;
  const { account, contact } = await newContact(admin, {}, { team_id: sales.dealer });
  const parties = { account: undefined, contact: undefined, account_id: account.id, contact_id: contact.id };
  const nameless = { account: { fixed_fields: nameFields({ name: null }) } };
  const nobody = { contact: { fixed_fields: nameFields({ first_name: null, last_name: "" }) } };
  const cases = [[nameless, "account.fixed_fields required"], [
    nobody,
    "contact.fixed_fields required",
  ]] as const;
  const made = await sales.lead(parties);
  for (const [more, expected] of cases) {
    const posted = await admin.call("POST", "/v1/leads", body({ ...parties, ...more }));
    assert.deepEqual([posted.status, codes(posted.body)], [422, [expected]]);
    const changed = await put(sales, "admin", made.id, "", more);
    assert.deepEqual([changed.status, codes(changed.body)], [422, [expected]]);
  }
  const one = await put(sales, "admin", made.id, "", {
    contact: { fixed_fields: nameFields({ first_name: null, email: "ada@example.org" }) },
  });
  assert.equal(one.status, 200, one.text);
  // Another account, which the contact does not belong to.
  const other = await newContact(admin);
  const moved = await put(sales, "admin", made.id, "", { account_id: other.account.id });
  assert.deepEqual(codes(moved.body), ["contact_id exists"]);
  const both = await put(sales, "admin", made.id, "", {
    account_id: other.account.id,
    contact_id: other.contact.id,
  });
  assert.equal(both.body.original_contact.id, other.contact.id);
  const cleared = await put(sales, "admin", made.id, "", { account_id: null });
  assert.deepEqual(codes(cleared.body), ["account required"]);
});

Deno.test("a new lead takes the consents of its contact also when they come with times", async () => {
  await using app = await startApp();
  const { lead } = await makeSales(app);
  const consent = { email: { consent_given: true, updated_at: "2026-01-01 10:00:00" } };
  const made = await lead({ contact: { fixed_fields: nameFields({ last_name: "Byron" }), consent } });
  assert.equal(made.contact.consent.email.consent_given, true);
});
