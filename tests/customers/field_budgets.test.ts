/**
 * Limits of custom fields: of their number, of the definitions that every record shows, and of their values.
 */
import assert from "node:assert/strict";
import { counts, ordersBudget, partBudgets, recordBudget } from "../../src/core/budgets.ts";
import { type Actor, type Body, startApp, type TestApp } from "../support/app.ts";
import { callMeanwhile } from "../support/race.ts";

type Given = Partial<{ label: string; type: string; options: readonly string[]; owner: string }>;

/** Inserts fields as the calls would write them, because thousands of calls would take long. */
async function addFields(app: TestApp, companyId: number, fields: readonly Given[]): Promise<void> {
  const at = "2026-01-01 00:00:00";
  await app.deps.db.write(fields.map(({ label = "F", type = "text", options = [], owner = "account" }, n) => {
    const id = `0193a000-0000-7000-8000-${String(n).padStart(12, "0")}`;
    const rows = options.map((value, m) => ({
      id: `0193b000-${String(n).padStart(4, "0")}-7000-8000-${String(m).padStart(12, "0")}`,
      value,
      sort: null,
    }));
    return {
      sql:
        "insert into fields (id, company_id, owner_type, name, label, type, options, created_at, updated_at) " +
        "values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
      args: [id, companyId, owner, `f${n}`, label, type, JSON.stringify(rows), at, at],
    };
  }));
}

const many = (count: number, given: Given | ((n: number) => Given) = {}) =>
  Array.from({ length: count }, (_, n) => (typeof given === "function" ? given(n) : given));
const texts = (count: number) => Array.from({ length: count }, (_, n) => `o${n}`);
const make = (admin: Actor, owner = "account", more: object = {}) =>
  admin.call("POST", `/v1/fields/${owner}`, { label: "One more", type: "text", ...more });

function refusal({ status, body, text }: { status: number; body: Body; text: string }): string {
  assert.equal(status, 422, text.slice(0, 500));
  const [{ path, code, message }] = body.errors;
  return `${path} ${code} ${message}`;
}

Deno.test("a kind of record has at most 200 custom fields, also when two are created at once", async () => {
  await using app = await startApp();
  const { id, admin } = await app.company();
  await addFields(app, id, many(counts.fields - 1));
  const both = await Promise.all([make(admin), make(admin, "account", { label: "Two" })]);
  assert.deepEqual(both.map(({ status }) => status).sort(), [201, 422]);
  assert.match(refusal(await make(admin)), /^label max At most 200 custom fields/);
  assert.equal((await make(admin, "contact")).status, 201);
  const [first] = (await admin.call("GET", "/v1/fields/account")).body.data;
  const path = `/v1/fields/account/${first.id}`;
  assert.equal((await admin.call("PUT", path, { is_hidden: true })).status, 200);
  assert.equal((await admin.call("DELETE", path)).status, 204);
  assert.equal((await make(admin)).status, 201);
});

Deno.test("a field has at most 200 options and a company 5,000, also when they are added at once", async () => {
  await using app = await startApp();
  const { id, admin } = await app.company();
  const single = { type: "single_choice" };
  const owners = ["account", "contact", "product", "team"];
  const rest = counts.companyOptions - counts.options - 1;
  await addFields(app, id, [
    { ...single, options: texts(counts.options - 1) },
    ...many(rest / 199, (n) => ({ ...single, options: texts(199), owner: owners[n % 4]! })),
    { ...single, owner: "team" },
  ]);
  let added = 0;
  const add = async (owner: string, place: number) => {
    const value = `last ${++added}`;
    const field = (await admin.call("GET", `/v1/fields/${owner}`)).body.data.at(place);
    return await admin.call("POST", `/v1/fields/${owner}/${field.id}/options`, { value });
  };
  const stored = await app.sql("select sum(json_array_length(options)) as n from fields");
  const left = counts.companyOptions - Number(stored[0]!.n);
  assert.ok(left > 1);
  assert.equal((await add("account", 0)).status, 201);
  assert.match(refusal(await add("account", 0)), /^value max At most 200 options of a field/);
  for (let n = 0; n < left - 2; n++) assert.equal((await add("team", -1)).status, 201);
  const both = await Promise.all([add("team", -1), add("contact", 0)]);
  assert.deepEqual(both.map(({ status }) => status).sort(), [201, 422]);
  assert.match(refusal(await add("team", -1)), /^value max At most 5000 options/);
});

Deno.test("definitions and values within their budgets make a record of at most 256 KiB, and nothing exceeds it", async () => {
  await using app = await startApp();
  const { id, admin } = await app.company();
  // Characters outside of ASCII take the most bytes.
  const wide = "😀".repeat(60);
  await addFields(app, id, [
    { type: "multi_line", label: "Long" },
    { type: "multi_line", label: "Longer" },
    ...many(4, { type: "multiple_choice", label: wide, options: many(20).map((_, n) => `${wide}${n}`) }),
  ]);
  const fields: Body[] = (await admin.call("GET", "/v1/fields/account")).body.data;
  const [long, longer, ...choices] = fields;
  const last = choices.at(-1)!;
  const add = (value: string) => admin.call("POST", `/v1/fields/account/${last.id}/options`, { value });
  let reply = await add(wide);
  for (let n = 0; reply.status === 201; n++) reply = await add(`${wide}+${n}`);
  assert.match(
    refusal(reply),
    /^value max The custom fields with their options would take \d+ bytes of each account/,
  );
  const first = last.options[0];
  const renameOption = (value: string) =>
    admin.call("PUT", `/v1/fields/account/${last.id}/options/${first.id}`, { value });
  assert.match(refusal(await renameOption("😀".repeat(255))), /^value max/);
  assert.equal((await renameOption("less")).status, 201);

  const size = partBudgets.values;
  const now: Body[] = (await admin.call("GET", "/v1/fields/account")).body.data;
  const chosen = now.filter(({ type }) => type === "multiple_choice")
    .map((field) => ({ id: field.id, value: field.options.map((option: Body) => option.id) }));
  const makeValues = (bytes: number) => ({
    fixed_fields: ["name", "address", "city", "state_region", "vat", "zip_code"]
      .map((name) => ({ name, value: "😀".repeat(255) })),
    custom_fields: [
      ...chosen,
      { id: long!.id, value: "é".repeat(30_000) },
      { id: longer!.id, value: "x".repeat(bytes - 60_004) },
    ],
  });
  assert.match(
    refusal(await admin.call("POST", "/v1/accounts", { b2c: false, ...makeValues(size + 1) })),
    /^custom_fields max/,
  );
  const made = await admin.call("POST", "/v1/accounts", {
    b2c: false,
    external_id: "e",
    ...makeValues(size),
  });
  assert.equal(made.status, 201, made.text.slice(0, 500));
  const bytes = new TextEncoder().encode(made.text).length;
  assert.ok(bytes > recordBudget * 0.75 && bytes <= recordBudget, `${bytes} bytes`);

  const path = `/v1/accounts/${made.body.id}`;
  const more = { custom_fields: [{ id: long!.id, value: "é".repeat(30_001) }] };
  for (const at of [path, "/v1/accounts/by-external-id/e"]) {
    const refused = await admin.call("PUT", at, { b2c: false, ...more });
    if (refused.status !== 404) assert.match(refusal(refused), /^custom_fields max/);
  }
  const less = { custom_fields: [{ id: longer!.id, value: "x" }] };
  assert.equal((await admin.call("PUT", path, less)).status, 200);
});

Deno.test("links of fields and orders of fields have separate budgets", async () => {
  await using app = await startApp();
  const { id, admin } = await app.company();
  await addFields(app, id, [
    { type: "single_choice", options: texts(60) },
    { type: "multiple_choice", options: texts(200) },
    ...many(190),
  ]);
  const [from, to]: Body[] = (await admin.call("GET", "/v1/fields/account")).body.data;
  const links = (count: number) =>
    from!.options.slice(0, count).map((option: Body) => ({
      field_id: from!.id,
      option_id: option.id,
      options_shown: to!.options.map((shown: Body) => shown.id),
    }));
  const put = (count: number) =>
    admin.call("PUT", `/v1/fields/account/${to!.id}/links`, { links: links(count) });
  assert.equal((await put(16)).status, 200);
  assert.match(refusal(await put(17)), /^links max The links of the fields would take \d+ bytes/);

  const sort = [{ type: "field", value: from!.id }];
  const order = () => admin.call("PUT", "/v1/fields/account/sort", { sort });
  const others = (bytes: number) =>
    app.deps.db.write([{
      sql:
        "insert or replace into field_orders (company_id, owner_type, scope, items) values (?, 'team', 'company', ?)",
      args: [id, JSON.stringify([{ type: "field", value: "x".repeat(bytes - empty) }])],
    }]);
  const empty = JSON.stringify([{ type: "field", value: "" }]).length;
  const own = JSON.stringify(sort).length;
  await others(ordersBudget - own + 1);
  assert.match(refusal(await order()), /^sort max The orders of a company would take \d+ bytes/);
  await others(100);
  const overtaken = await callMeanwhile(
    app,
    admin,
    "PUT",
    "/v1/fields/account/sort",
    () => others(ordersBudget - own + 1),
    { sort },
  );
  assert.equal(overtaken.status, 422);
  await overtaken.body?.cancel();
  await others(ordersBudget - own);
  assert.equal((await order()).status, 200);
});
