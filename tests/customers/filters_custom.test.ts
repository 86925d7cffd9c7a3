import assert from "node:assert/strict";
import { startApp } from "../support/app.ts";
import { nameValues, newField } from "./fields_world.ts";
import {
  askFilter,
  createAccount,
  createContact,
  expandFilter,
  listRefused,
  selectNames,
  type Written,
} from "./filters_world.ts";

Deno.test("a custom field compares by its type, addressed by name or id, in every namespace of its owner", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const text = await newField(admin, { label: "Remark" });
  await newField(admin, { label: "Size", type: "numeric" });
  await newField(admin, { label: "Since", type: "date" });
  await newField(admin, { label: "Vip", type: "boolean" });
  await newField(admin, { label: "Story", type: "multi_line" });
  const values = { remark: "Größe L", size: 2.5, since: "2026-01-31", vip: false, story: "Line\nÄndern" };
  await createAccount(admin, "Full", { custom_fields: nameValues(values) });
  await createAccount(admin, "Bare");
  const by = (field: string, operator: string, value: unknown) =>
    selectNames(admin, "accounts", [`account.custom_fields.${field}`, operator, value]);
  const both: [string, string, unknown, string][] = [
    ["remark", "eq", "GRÖSSE l", "Full"],
    ["remark", "eq", "GRÖßE l", "Full"],
    ["remark", "neq", "größe l", "Bare"],
    ["remark", "sw", "GRÖ", "Full"],
    ["remark", "ew", "SSE L", "Full"],
    ["remark", "ew", "e L", "Full"],
    ["remark", "ct", "öß", "Full"],
    ["remark", "nct", "öß", "Bare"],
    ["remark", "in", ["x", "GRÖßE L"], "Full"],
    ["remark", "nin", ["x", "GRÖßE L"], "Bare"],
    ["remark", "exists", true, "Full"],
    ["remark", "exists", false, "Bare"],
    ["story", "ct", "\nÄNDERN", "Full"],
    ["size", "eq", 2.5, "Full"],
    ["size", "neq", 2.5, "Bare"],
    ["size", "gt", 2.4, "Full"],
    ["size", "gt", 2.5, ""],
    ["size", "gte", 2.5, "Full"],
    ["size", "lt", 2.5, ""],
    ["size", "lte", 2.5, "Full"],
    ["size", "in", [1, 2.5], "Full"],
    ["size", "nin", [1, 2.5], "Bare"],
    ["size", "exists", false, "Bare"],
    ["since", "eq", "2026-01-31", "Full"],
    ["since", "eq", "2026-01-31 23:59:59", "Full"],
    ["since", "gt", "2026-01-31 00:00:00", ""],
    ["since", "gte", "2026-01-31 23:00:00", "Full"],
    ["since", "lt", "NOW", "Full"],
    ["since", "gt", "NOW-31d", "Full"],
    ["since", "in", ["2026-01-31"], "Full"],
    ["since", "exists", true, "Full"],
    ["vip", "eq", false, "Full"],
    ["vip", "eq", true, ""],
    ["vip", "neq", true, "Bare Full"],
    ["vip", "neq", false, "Bare"],
    ["vip", "in", [true, false], "Full"],
    ["vip", "exists", false, "Bare"],
  ];
  for (const [field, operator, value, names] of both) {
    assert.equal(await by(field, operator, value), names, `${field} ${operator} ${value}`);
  }
  assert.equal(
    await selectNames(admin, "accounts", [`b2b_account.custom_fields.id.${text.id}`, "sw", "gr"]),
    "Full",
  );
  assert.equal(await selectNames(admin, "accounts", ["b2c_account.custom_fields.remark", "neq", "x"]), "");
  assert.deepEqual(
    await listRefused(admin, expandFilter([["account.custom_fields.size", "eq", "2.5"]]), "accounts"),
    [
      "filter[0].value type",
    ],
  );
  assert.deepEqual(
    await listRefused(admin, expandFilter([["account.custom_fields.size", "sw", "2"]]), "accounts"),
    [
      "filter[0].operator operator",
    ],
  );
  assert.deepEqual(
    await listRefused(admin, expandFilter([["contact.custom_fields.remark", "eq", "x"]]), "accounts"),
    [
      "filter[0].field unknown_field",
    ],
  );
});

Deno.test("choices compare by the ids of their options; multiple choices match by any of them", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const fuel = await newField(admin, { label: "Fuel", type: "single_choice" }, ["Diesel", "Petrol", "Gas"]);
  const likes = await newField(admin, { label: "Likes", type: "multiple_choice" }, ["Art", "Golf", "Tea"]);
  const { Diesel, Petrol, Gas } = fuel.options;
  const { Art, Golf, Tea } = likes.options;
  const custom = (values: object) => ({ custom_fields: nameValues({ ...values }) });
  await createAccount(admin, "A", custom({ fuel: Diesel, likes: [Art, Golf] }));
  await createAccount(admin, "B", custom({ fuel: Petrol, likes: [Golf] }));
  await createAccount(admin, "C");
  const by = (field: string, operator: string, value: unknown) =>
    selectNames(admin, "accounts", [`account.custom_fields.${field}`, operator, value]);
  assert.equal(await by("fuel", "eq", Diesel!.toUpperCase()), "A");
  assert.equal(await by("fuel", "neq", Diesel), "B C");
  assert.equal(await by("fuel", "in", [Diesel, Petrol]), "A B");
  assert.equal(await by("fuel", "nin", [Diesel]), "B C");
  assert.equal(await by("fuel", "exists", true), "A B");
  assert.equal(await by("likes", "eq", Golf), "A B");
  assert.equal(await by("likes", "neq", Art), "B C");
  assert.equal(await by("likes", "in", [Art, Tea]), "A");
  assert.equal(await by("likes", "nin", [Art, Tea]), "B C");
  assert.equal(await by("likes", "exists", false), "C");
  const wrong = (value: unknown) =>
    listRefused(admin, expandFilter([["account.custom_fields.fuel", "eq", value]]), "accounts");
  assert.deepEqual(await wrong(Golf), ["filter[0].value enum"]);
  assert.deepEqual(await wrong("Diesel"), ["filter[0].value enum"]);
  assert.deepEqual(await wrong(7), ["filter[0].value type"]);
  // A deleted option is no value, even before a job has removed it from the records.
  const gone = await admin.call("DELETE", `/v1/fields/account/${fuel.id}/options/${Diesel}`);
  assert.equal(gone.status, 204);
  assert.equal(await by("fuel", "exists", true), "B");
  assert.equal(await by("fuel", "exists", false), "A C");
  assert.deepEqual(await wrong(Diesel), ["filter[0].value enum"]);
  assert.equal(await by("fuel", "in", [Petrol, Gas]), "B");
});

Deno.test("a filter cannot use a field that the caller does not see", async () => {
  await using app = await startApp();
  const crm = await app.company();
  const [north, south] = [await crm.team(), await crm.team()];
  const { id } = await newField(crm.admin, { label: "Secret", team_id: south });
  const condition = (field: string) => expandFilter([[field, "exists", true]]);
  const member = await crm.user({ teams: [north] });
  for (const field of ["account.custom_fields.secret", `account.custom_fields.id.${id}`]) {
    assert.deepEqual(await listRefused(member, condition(field), "accounts"), [
      "filter[0].field unknown_field",
    ]);
    assert.equal((await askFilter(crm.admin, "accounts", condition(field))).status, 200);
  }
  const owner = await crm.user({ teams: [south] });
  assert.equal((await askFilter(owner, "accounts", condition("account.custom_fields.secret"))).status, 200);
});

Deno.test("custom fields of contacts and of their accounts combine, in either list", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  await newField(admin, { label: "Rank", type: "numeric" }, [], "contact");
  await newField(admin, { label: "Remark" });
  const firm = await createAccount(admin, "Firm", { custom_fields: nameValues({ remark: "good" }) });
  await createContact(admin, firm.id, "One", { custom_fields: nameValues({ rank: 1 }) });
  await createContact(admin, firm.id, "Two", { custom_fields: nameValues({ rank: 2 }) });
  const rank = (
    operator: string,
    value: unknown,
  ): Written => ["b2b_contact.custom_fields.rank", operator, value];
  const remark: Written = ["b2b_account.custom_fields.remark", "eq", "GOOD"];
  assert.equal(await selectNames(admin, "contacts", remark, rank("gt", 1)), "Two");
  assert.equal(await selectNames(admin, "accounts", remark, rank("gt", 1)), "Firm");
  assert.equal(await selectNames(admin, "accounts", rank("gt", 1), rank("lt", 2)), "");
  assert.equal(await selectNames(admin, "accounts", { or: [rank("gt", 5), remark] }), "Firm");
  assert.equal(await selectNames(admin, "accounts", rank("neq", 2)), "");
  assert.equal(await selectNames(admin, "contacts", { or: [rank("eq", 1), rank("eq", 2)] }), "One Two");
});

Deno.test("consent of each channel is true, false or not given, with the time of its last change", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const firm = await createAccount(admin, "Firm");
  await createContact(admin, firm.id, "Yes", { consent: { email: { consent_given: true } } });
  app.clock.move(60_000);
  await createContact(admin, firm.id, "No", { consent: { email: { consent_given: false } } });
  await createContact(admin, firm.id, "Open");
  const by = (field: string, operator: string, value: unknown) =>
    selectNames(admin, "contacts", [`contact.consent.${field}`, operator, value]);
  assert.equal(await by("email.consent_given", "eq", true), "Yes");
  assert.equal(await by("email.consent_given", "eq", false), "No");
  assert.equal(await by("email.consent_given", "neq", true), "No Open");
  assert.equal(await by("email.consent_given", "exists", false), "Open");
  assert.equal(await by("call.consent_given", "exists", true), "");
  assert.equal(await by("email.updated_at", "eq", "2026-03-02 09:01:00"), "No");
  assert.equal(await by("email.updated_at", "lt", "NOW"), "Yes");
  assert.equal(await by("letter.updated_at", "exists", false), "No Open Yes");
  const kind = (namespace: string) =>
    selectNames(admin, "contacts", [`${namespace}.consent.email.consent_given`, "neq", true]);
  assert.equal(await kind("b2b_contact"), "No Open");
  assert.equal(await kind("b2c_contact"), "");
});
