import assert from "node:assert/strict";
import { type Body, startApp } from "../support/app.ts";
import { listFaults, nameValues, newAccount, newField, readCustom } from "./fields_world.ts";

Deno.test("a field's name is its label in snake_case, unique in its kind, and stays when the label changes", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const names = [];
  for (const label of ["Größe & Farbe", "Grosse Farbe", "größe/farbe", "!!!"]) {
    names.push((await newField(admin, { label })).name);
  }
  assert.deepEqual(names, ["grosse_farbe", "grosse_farbe_2", "grosse_farbe_3", "field"]);
  assert.equal((await newField(admin, { label: "Grosse Farbe" }, [], "contact")).name, "grosse_farbe");
  const first = (await admin.call("GET", "/v1/fields/account")).body.data[0];
  const changed = await admin.call("PUT", `/v1/fields/account/${first.id}`, { label: "Size" });
  assert.deepEqual([changed.status, changed.body.label, changed.body.name], [200, "Size", "grosse_farbe"]);
  assert.equal((await admin.call("GET", `/v1/fields/account/${first.id}`)).text, changed.text);
});

Deno.test("a custom field cannot have the name of a fixed field", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  await newAccount(admin, {}, { fixed_fields: nameValues({ name: "Ada Ltd", city: "London" }) });
  const countFound = async (field: string) => {
    const filter = [{ field, operator: "eq", value: "london" }];
    return (await admin.call("POST", "/v1/accounts/filter", { filter })).body.pagination.total;
  };
  assert.equal(await countFound("account.city"), 1);
  assert.equal((await newField(admin, { label: "City" })).name, "city_2");
  assert.deepEqual([await countFound("account.city"), await countFound("account.city_2")], [1, 0]);
  assert.equal((await newField(admin, { label: "City" }, [], "contact")).name, "city");
});

Deno.test("accounts, contacts, products and teams have fields; another kind is 404", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  for (const kind of ["account", "contact", "product", "team"]) {
    assert.deepEqual((await admin.call("GET", `/v1/fields/${kind}`)).body, { data: [] });
  }
  for (const kind of ["accounts", "case", "user"]) {
    assert.equal((await admin.call("GET", `/v1/fields/${kind}`)).status, 404);
    assert.equal((await admin.call("POST", `/v1/fields/${kind}`, { label: "x", type: "text" })).status, 404);
  }
});

Deno.test("a definition has a label of 1 to 255 characters, and a known type and validation", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const refused: [object, string, string][] = [
    [{ type: "text" }, "label", "required"],
    [{ label: "", type: "text" }, "label", "min"],
    [{ label: "l".repeat(256), type: "text" }, "label", "max"],
    [{ label: "x" }, "type", "required"],
    [{ label: "x", type: "colour" }, "type", "enum"],
    [{ label: "x", type: "text", validation: "phone" }, "validation", "enum"],
    [{ label: "x", type: "date", validation: "email" }, "validation", "enum"],
    [{ label: "x", type: "text", is_hidden: "no" }, "is_hidden", "type"],
    [{ label: "x", type: "text", team_id: 4711 }, "team_id", "exists"],
    [{ label: "x", type: "text", group_id: 4711 }, "group_id", "exists"],
    [{ label: "x", type: "text", team_id: 1, group_id: 1 }, "group_id", "excluded"],
  ];
  for (const [body, path, code] of refused) {
    const reply = await admin.call("POST", "/v1/fields/account", body);
    assert.equal(reply.status, 422, JSON.stringify(body));
    assert.deepEqual(listFaults(reply), [[path, code]], JSON.stringify(body));
  }
  assert.deepEqual((await admin.call("GET", "/v1/fields/account")).body.data, []);
  await newField(admin, { label: "l".repeat(255) });
});

Deno.test("values must fit the type and validation of their field, when they are created and changed", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const choice = await newField(admin, { label: "one", type: "single_choice" }, ["a", "b"]);
  const several = await newField(admin, { label: "several", type: "multiple_choice" }, ["a", "b"]);
  for (const type of ["text", "multi_line", "numeric", "date", "boolean"]) {
    await newField(admin, { label: type, type });
  }
  for (const validation of ["email", "url", "numeric", "date", "boolean"]) {
    await newField(admin, { label: `a ${validation}`, validation });
  }
  const good: [string, unknown, unknown?][] = [
    ["text", "t".repeat(255)],
    ["text", "😀".repeat(255)],
    ["multi_line", "m".repeat(65_535)],
    ["numeric", -1.5],
    ["numeric", 0],
    ["date", "2024-02-29"],
    ["boolean", false],
    ["one", choice.options.a, "a"],
    ["one", { id: choice.options.b }, "b"],
    ["several", [several.options.a, { id: several.options.b }, several.options.a], ["a", "b"]],
    ["several", [], null],
    ["text", "", null],
    ["text", null],
    ["a_email", "ada@example.org"],
    ["a_url", "https://example.org/x"],
    ["a_numeric", "12.50"],
    ["a_date", "2026-01-31"],
    ["a_boolean", "true"],
  ];
  const bad: [string, unknown, string][] = [
    ["text", "t".repeat(256), "max"],
    ["text", 5, "type"],
    ["multi_line", "m".repeat(65_536), "max"],
    ["numeric", "5", "type"],
    ["date", "2025-02-29", "format"],
    ["date", 20250101, "type"],
    ["boolean", "true", "type"],
    ["one", several.options.a, "enum"],
    ["one", "a", "type"],
    ["one", [choice.options.a], "type"],
    ["several", several.options.a, "type"],
    ["several", [choice.options.a], "enum"],
    ["a_email", "ada", "format"],
    ["a_url", "ftp://example.org", "format"],
    ["a_numeric", "twelve", "format"],
    ["a_date", "31.01.2026", "format"],
    ["a_boolean", "yes", "format"],
    ["text", undefined, "required"],
  ];
  const account = await newAccount(admin);
  for (const [name, value, shown] of good) {
    const made = await newAccount(admin, { [name]: value });
    assert.deepEqual(readCustom(made)[name], shown === undefined ? value : shown, name);
    const put = await admin.call("PUT", `/v1/accounts/${account.id}`, {
      custom_fields: nameValues({ [name]: value }),
    });
    assert.equal(put.status, 200, put.text);
    assert.deepEqual(readCustom(put.body)[name], shown === undefined ? value : shown, name);
    assert.equal((await admin.call("GET", `/v1/accounts/${account.id}`)).text, put.text);
  }
  const before = (await admin.call("GET", `/v1/accounts/${account.id}`)).text;
  for (const [name, value, code] of bad) {
    const body = { fixed_fields: nameValues({ name: "x" }), custom_fields: nameValues({ [name]: value }) };
    for (
      const reply of [
        await admin.call("POST", "/v1/accounts", body),
        await admin.call("PUT", `/v1/accounts/${account.id}`, body),
      ]
    ) {
      assert.equal(reply.status, 422, `${name} ${JSON.stringify(value)}`);
      assert.deepEqual(
        listFaults(reply),
        [["custom_fields[0].value", code]],
        `${name} ${JSON.stringify(value)}`,
      );
    }
  }
  assert.equal((await admin.call("GET", `/v1/accounts/${account.id}`)).text, before);
});

Deno.test("values address a field by name or id; others are unknown_field, exists or type", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const field = await newField(admin, { label: "Remark" });
  const made = await admin.call("POST", "/v1/accounts", {
    fixed_fields: nameValues({ name: "x" }),
    custom_fields: [{ id: field.id.toUpperCase(), value: "by id" }],
  });
  assert.deepEqual(readCustom(made.body), { remark: "by id" });
  const [shown] = made.body.custom_fields;
  assert.deepEqual(
    { ...shown, value: null },
    {
      id: field.id,
      type: "text",
      name: "remark",
      label: "Remark",
      value: null,
      validation: null,
      required: false,
      hidden: false,
      read_only: false,
      sort_order: 9,
      options: [],
    },
  );
  const refused: [object, string, string][] = [
    [{ name: "remarks", value: "x" }, "name", "unknown_field"],
    [{ id: made.body.id, value: "x" }, "id", "exists"],
    [{ id: 7, value: "x" }, "id", "exists"],
    [{ id: "seven", value: "x" }, "id", "type"],
  ];
  for (const [value, path, code] of refused) {
    const reply = await admin.call("PUT", `/v1/accounts/${made.body.id}`, { custom_fields: [value] });
    assert.deepEqual(listFaults(reply), [[`custom_fields[0].${path}`, code]]);
  }
});

Deno.test("a read-only field takes no other value, a hidden one is stored and returned", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const field = await newField(admin, { label: "Rating", is_hidden: true });
  const account = await newAccount(admin, { rating: "A" });
  assert.equal(account.custom_fields[0].hidden, true);
  assert.equal(
    (await admin.call("PUT", `/v1/fields/account/${field.id}`, { is_read_only: true })).status,
    200,
  );
  const put = (value: unknown) =>
    admin.call("PUT", `/v1/accounts/${account.id}`, { custom_fields: nameValues({ rating: value }) });
  assert.equal((await put("A")).status, 200);
  for (const value of ["B", null]) {
    assert.deepEqual(listFaults(await put(value)), [["custom_fields[0].value", "not_editable"]]);
  }
  const byId = await admin.call("PUT", `/v1/accounts/${account.id}`, {
    custom_fields: [{ id: field.id.toUpperCase(), value: "A" }, { id: field.id.toUpperCase(), value: "B" }],
  });
  assert.deepEqual(listFaults(byId), [["custom_fields[1].value", "not_editable"]]);
  assert.equal(readCustom((await put("A")).body).rating, "A");
});

Deno.test("the type of a field can change only while the field has no values", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const field = await newField(admin, { label: "Size" });
  const put = (type: string) => admin.call("PUT", `/v1/fields/account/${field.id}`, { type });
  assert.equal((await put("numeric")).status, 200);
  const account = await newAccount(admin, { size: 5 });
  assert.deepEqual(listFaults(await put("text")), [["type", "not_editable"]]);
  assert.equal((await put("numeric")).status, 200);
  await admin.call("PUT", `/v1/accounts/${account.id}`, { custom_fields: nameValues({ size: null }) });
  assert.equal((await put("text")).status, 200);
});

Deno.test("records show fields in the configured order, fixed and custom ones together, then the others", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const [first, second] = [
    await newField(admin, { label: "First" }),
    await newField(admin, { label: "Second" }),
  ];
  const sort = [
    { type: "field", value: second.id },
    { type: "property", value: "city" },
    { type: "property", value: "name" },
  ];
  const set = await admin.call("PUT", "/v1/fields/account/sort", { sort });
  assert.equal(set.status, 200);
  assert.deepEqual(set.body.data.slice(0, 3), sort);
  assert.deepEqual(set.body.data.at(-1), { type: "field", value: first.id });
  assert.equal(set.body.data.length, 10);
  assert.equal((await admin.call("GET", "/v1/fields/account/sort")).text, set.text);
  const account = await newAccount(admin);
  const order = (fields: { name: string; sort_order: number }[]) =>
    fields.map(({ name, sort_order }) => [sort_order, name]);
  assert.deepEqual(order(account.custom_fields), [[1, "second"], [10, "first"]]);
  assert.deepEqual(order(account.fixed_fields).slice(0, 3), [[2, "city"], [3, "name"], [4, "address"]]);
  // With `fixed` the list has all of them in this order; without it only the custom ones.
  const { body: { data: all } } = await admin.call("GET", "/v1/fields/account?fixed=true");
  assert.deepEqual(
    all.map((each: Body) =>
      each.fixed ? { type: "property", value: each.name } : { type: "field", value: each.id }
    ),
    set.body.data,
  );
  const findByName = (name: string) => all.find((each: Body) => each.name === name);
  const { body: { data: custom } } = await admin.call("GET", "/v1/fields/account");
  assert.deepEqual(custom.map(({ name }: Body) => name), ["second", "first"]);
  assert.deepEqual(findByName("first"), { ...custom[1], fixed: false, required: false });
  assert.deepEqual(findByName("name"), {
    id: 1,
    name: "name",
    type: "text",
    label: "Name",
    is_hidden: false,
    is_read_only: false,
    validation: null,
    team_id: null,
    group_id: null,
    links: [],
    options: [],
    fixed: true,
    required: true,
  });
  assert.ok(findByName("country").options.some(({ id, value }: Body) => id === "DE" && value === "Germany"));
  assert.equal((await admin.call("GET", "/v1/fields/account?fixed=maybe")).body.errors[0].code, "type");
  assert.deepEqual((await admin.call("GET", "/v1/fields/account?fixed=false")).body.data, custom);
  const refused: [object, string][] = [
    [{ type: "property", value: "town" }, "unknown_field"],
    [{ type: "field", value: "city" }, "type"],
    [{ type: "field", value: account.id }, "exists"],
  ];
  for (const [item, code] of refused) {
    const reply = await admin.call("PUT", "/v1/fields/account/sort", { sort: [item] });
    assert.deepEqual(listFaults(reply), [["sort[0].value", code]]);
  }
  const twice = await admin.call("PUT", "/v1/fields/account/sort", { sort: [sort[0], sort[0]] });
  assert.deepEqual(listFaults(twice), [["sort[1].value", "unique"]]);
});

Deno.test("searches find records by company-wide text fields, not by those of a team or group", async () => {
  await using app = await startApp();
  const { admin, ...company } = await app.company();
  const [team_id, group_id] = [await company.team(), await company.group()];
  await newField(admin, { label: "Remark" });
  await newField(admin, { label: "Secret", team_id });
  await newField(admin, { label: "Shared", group_id });
  await newField(admin, { label: "Story", type: "multi_line" });
  const account = await newAccount(admin, {
    remark: "Blauer Löwe",
    secret: "Panther",
    shared: "Jaguar",
    story: "Elefant",
  });
  const countFound = async (word: string) =>
    (await admin.call("GET", `/v1/accounts?search=${word}`)).body.data.length;
  assert.equal(await countFound("lowe"), 1);
  for (const word of ["panther", "jaguar", "elefant"]) assert.equal(await countFound(word), 0, word);
  await admin.call("PUT", `/v1/accounts/${account.id}`, { custom_fields: nameValues({ remark: "Tiger" }) });
  assert.deepEqual([await countFound("lowe"), await countFound("tiger")], [0, 1]);
});
