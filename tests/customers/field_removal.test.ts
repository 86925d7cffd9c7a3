import assert from "node:assert/strict";
import { runJobs } from "../../src/jobs.ts";
import { startApp } from "../support/app.ts";
import { listFaults, nameValues, newAccount, newField, readCustom } from "./fields_world.ts";

Deno.test("a deleted field is gone at once from records, definitions and links; its values and words by the job", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const field = await newField(admin, { label: "Remark" });
  await newField(admin, { label: "Kept" });
  const accounts = [];
  for (let n = 0; n < 5; n++) accounts.push(await newAccount(admin, { remark: `Walrus ${n}`, kept: "k" }));
  assert.equal((await admin.call("DELETE", `/v1/fields/account/${field.id}`)).status, 204);
  assert.equal((await admin.call("GET", `/v1/fields/account/${field.id}`)).status, 404);
  const { body } = await admin.call("GET", `/v1/accounts/${accounts[0].id}`);
  assert.deepEqual(readCustom(body), { kept: "k" });
  const again = await newField(admin, { label: "Remark" });
  assert.equal(again.name, "remark_2");
  await runJobs(app.deps, app.clock.now());
  assert.deepEqual(await app.sql("select count(*) as n from custom_values"), [{ n: 5 }]);
  assert.deepEqual(await app.sql("select distinct custom from accounts"), [{
    custom: JSON.stringify({ [(await admin.call("GET", "/v1/fields/account")).body.data[0].id]: "k" }),
  }]);
  assert.deepEqual(
    await app.sql("select name, label, options, links from fields where id = ?", field.id),
    [{ name: "remark", label: "", options: "[]", links: "[]" }],
  );
  assert.equal((await newField(admin, { label: "remark" })).name, "remark_3");
  assert.deepEqual((await admin.call("GET", "/v1/accounts?search=walrus")).body.data, []);
  assert.equal((await admin.call("GET", "/v1/accounts?search=ada")).body.data.length, 5);
});

Deno.test("a deleted option is gone at once; values that chose it alone are removed, others lose it", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const one = await newField(admin, { label: "One", type: "single_choice" }, ["a", "b"]);
  const several = await newField(admin, { label: "Several", type: "multiple_choice" }, ["a", "b"]);
  const account = await newAccount(admin, { one: one.options.a, several: Object.values(several.options) });
  const other = await newAccount(admin, { one: one.options.b, several: [several.options.b] });
  for (const field of [one, several]) {
    const gone = await admin.call("DELETE", `/v1/fields/account/${field.id}/options/${field.options.a}`);
    assert.equal(gone.status, 204);
    const again = await admin.call("DELETE", `/v1/fields/account/${field.id}/options/${field.options.a}`);
    assert.equal(again.status, 404);
  }
  const readBoth = async () => [
    readCustom((await admin.call("GET", `/v1/accounts/${account.id}`)).body),
    readCustom((await admin.call("GET", `/v1/accounts/${other.id}`)).body),
  ];
  const expected = [{ one: null, several: ["b"] }, { one: "b", several: ["b"] }];
  assert.deepEqual(await readBoth(), expected);
  await runJobs(app.deps, app.clock.now());
  assert.deepEqual(await readBoth(), expected);
  assert.equal((await app.sql("select * from custom_values")).length, 3);
  assert.deepEqual(await app.sql("select * from staged_work"), []);
  const [{ stored }] = await app.sql("select custom as stored from accounts where id = ?", account.id) as [
    { stored: string },
  ];
  assert.deepEqual(JSON.parse(stored), { [several.id]: [several.options.b] });
});

Deno.test("options stand by their sort and then by age; value 1 to 255 characters; only choices have options", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const field = await newField(admin, { label: "One", type: "single_choice" });
  const path = `/v1/fields/account/${field.id}/options`;
  const made = [];
  for (const [value, sort] of [["c", null], ["a", 2], ["b", 1], ["d", null]]) {
    const option = await admin.call("POST", path, { value, sort });
    assert.deepEqual([option.status, option.body.value, option.body.sort], [201, value, sort]);
    made.push(option.body);
  }
  const order = async () =>
    (await admin.call("GET", `/v1/fields/account/${field.id}`)).body.options.map((o: { value: string }) =>
      o.value
    );
  assert.deepEqual(await order(), ["b", "a", "c", "d"]);
  const put = await admin.call("PUT", `${path}/${made[3].id}`, { sort: 0 });
  assert.deepEqual([put.status, put.body], [201, { id: made[3].id, value: "d", sort: 0 }]);
  assert.deepEqual(await order(), ["d", "b", "a", "c"]);
  const refused: [unknown, string][] = [[undefined, "required"], ["", "min"], ["v".repeat(256), "max"], [
    5,
    "type",
  ]];
  for (const [value, code] of refused) {
    assert.deepEqual(listFaults(await admin.call("POST", path, { value })), [["value", code]]);
  }
  assert.equal((await admin.call("POST", path, { value: "v".repeat(255) })).status, 201);
  assert.deepEqual(listFaults(await admin.call("POST", path, { value: " a " })), [["value", "unique"]]);
  const taken = await admin.call("PUT", `${path}/${made[0].id}`, { value: "a" });
  assert.deepEqual(listFaults(taken), [["value", "unique"]]);
  assert.equal((await admin.call("PUT", `${path}/${made[1].id}`, { value: "a", sort: 3 })).status, 201);
  const plain = await newField(admin, { label: "Text" });
  const none = await admin.call("POST", `/v1/fields/account/${plain.id}/options`, { value: "x" });
  assert.deepEqual(listFaults(none), [["value", "excluded"]]);
});

Deno.test("a link limits a field to the options shown, and chooses the default when the field is not named", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const make = await newField(admin, { label: "Make", type: "single_choice" }, ["vw", "kia", "other"]);
  const model = await newField(admin, { label: "Model", type: "multiple_choice" }, ["golf", "polo", "rio"]);
  const links = [
    {
      field_id: make.id,
      option_id: make.options.vw,
      options_shown: [model.options.golf, model.options.polo],
      default_option: model.options.golf,
    },
    {
      field_id: make.id,
      option_id: make.options.kia,
      options_shown: [model.options.rio],
      default_option: null,
    },
  ];
  const set = await admin.call("PUT", `/v1/fields/account/${model.id}/links`, { links });
  assert.deepEqual([set.status, set.body], [200, { data: links }]);
  const { make: m, model: o } = { make: make.options, model: model.options };
  const byDefault = await newAccount(admin, { make: m.vw });
  assert.deepEqual(readCustom(byDefault), { make: "vw", model: ["golf"] });
  const named_ = await newAccount(admin, { make: m.vw, model: [o.polo] });
  assert.deepEqual(readCustom(named_), { make: "vw", model: ["polo"] });
  const put = (values: object) =>
    admin.call("PUT", `/v1/accounts/${named_.id}`, { custom_fields: nameValues({ ...values }) });
  assert.deepEqual(listFaults(await put({ model: [o.rio] })), [["custom_fields[0].value", "enum"]]);
  assert.deepEqual(listFaults(await put({ make: m.kia, model: [o.polo] })), [[
    "custom_fields[1].value",
    "enum",
  ]]);
  assert.deepEqual(readCustom((await put({ make: m.kia })).body), { make: "kia", model: null });
  assert.deepEqual(readCustom((await put({ model: [o.rio] })).body), { make: "kia", model: ["rio"] });
  assert.deepEqual(readCustom((await put({ make: m.other, model: [o.golf, o.rio] })).body).model, [
    "golf",
    "rio",
  ]);
  // Deleting what a link names takes the link with it.
  await admin.call("DELETE", `/v1/fields/account/${make.id}/options/${m.kia}`);
  const readLinks = async () => (await admin.call("GET", `/v1/fields/account/${model.id}`)).body.links;
  assert.deepEqual(await readLinks(), [links[0]]);
  await admin.call("DELETE", `/v1/fields/account/${make.id}`);
  assert.deepEqual(await readLinks(), []);
});

Deno.test("a link names another choice field, an option of it, and options of its own field, one for a single choice", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const other = await newField(admin, { label: "Other", type: "single_choice" }, ["x"]);
  const frozen = await newField(admin, { label: "Frozen", type: "single_choice", is_read_only: true }, ["x"]);
  const text = await newField(admin, { label: "Text" });
  const own = await newField(admin, { label: "Own", type: "single_choice" }, ["a", "b"]);
  const good = { field_id: other.id, option_id: other.options.x, options_shown: [own.options.a] };
  const refused: [object, string, string][] = [
    [{ field_id: own.id }, "links[0].field_id", "exists"],
    [{ field_id: text.id }, "links[0].field_id", "exists"],
    [{ field_id: other.options.x }, "links[0].field_id", "exists"],
    [{ field_id: frozen.id }, "links[0].field_id", "not_editable"],
    [{ field_id: 7 }, "links[0].field_id", "type"],
    [{ option_id: own.options.a }, "links[0].option_id", "exists"],
    [{ options_shown: [] }, "links[0].options_shown", "min"],
    [{ options_shown: [own.options.a, own.options.b] }, "links[0].options_shown", "max"],
    [{ options_shown: [other.options.x] }, "links[0].options_shown[0]", "exists"],
    [{ default_option: other.options.x }, "links[0].default_option", "exists"],
    [{ default_option: own.options.b }, "links[0].default_option", "enum"],
  ];
  const put = (link: object, id = own.id) =>
    admin.call("PUT", `/v1/fields/account/${id}/links`, { links: [{ ...good, ...link }] });
  for (const [link, path, code] of refused) {
    assert.deepEqual(listFaults(await put(link)), [[path, code]], JSON.stringify(link));
  }
  assert.deepEqual(listFaults(await put({}, text.id)), [["links", "excluded"]]);
  assert.equal((await put({})).status, 200);
});

Deno.test("custom values of a lead reach the account and contact of its acceptance, over what those have", async () => {
  await using app = await startApp();
  const { makeSales } = await import("../sales/leads_world.ts");
  const place = await makeSales(app);
  const { admin, member } = place;
  await newField(admin, { label: "Remark" });
  await newField(admin, { label: "Other" });
  await newField(admin, { label: "Birthday", type: "date" }, [], "contact");
  const wrong = await admin.call(
    "POST",
    "/v1/leads",
    place.body({
      contact: {
        fixed_fields: nameValues({ last_name: "B" }),
        custom_fields: nameValues({ birthday: "soon" }),
      },
    }),
  );
  assert.deepEqual(listFaults(wrong), [["contact.custom_fields[0].value", "format"]]);
  const carried = {
    account: { fixed_fields: nameValues({ name: "Ada Ltd" }), custom_fields: nameValues({ remark: "new" }) },
    contact: {
      fixed_fields: nameValues({ last_name: "B" }),
      custom_fields: nameValues({ birthday: "1815-12-10" }),
    },
  };
  const lead = await place.lead(carried);
  assert.deepEqual(readCustom(lead.account), { remark: "new", other: null });
  const accepted = await member.call("PUT", `/v1/leads/${lead.id}/accept`, {});
  assert.equal(accepted.status, 200, accepted.text);
  const { body: contact } = await member.call("GET", `/v1/contacts/${accepted.body.contact_id}`);
  assert.deepEqual(readCustom(contact), { birthday: "1815-12-10" });
  const { account_id } = accepted.body;
  await admin.call("PUT", `/v1/accounts/${account_id}`, {
    custom_fields: nameValues({ other: "kept", remark: "old" }),
  });
  const second = await place.lead({ ...carried, account_id });
  assert.equal((await member.call("PUT", `/v1/leads/${second.id}/accept`, {})).status, 200);
  const { body: account } = await member.call("GET", `/v1/accounts/${account_id}`);
  assert.deepEqual(readCustom(account), { remark: "new", other: "kept" });
});
