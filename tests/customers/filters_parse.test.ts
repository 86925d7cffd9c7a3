import assert from "node:assert/strict";
import { type Body, startApp, type TestApp } from "../support/app.ts";
import { newField } from "./fields_world.ts";
import { askFilter, type Condition, expandFilter, listRefused } from "./filters_world.ts";

const status: Condition = ["contact.status", "eq", "lead"];

Deno.test("every fault of a filter is reported with its path", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const cases: [unknown, string[]][] = [
    [undefined, ["filter required"]],
    [null, ["filter required"]],
    ["x", ["filter type"]],
    [{ and: [] }, ["filter type"]],
    [[7, null, []], ["filter[0] type", "filter[1] type", "filter[2] type"]],
    [[{}], ["filter[0].field required", "filter[0].operator required", "filter[0].value required"]],
    [[{ field: 7, operator: 7, value: 7 }], ["filter[0].field type", "filter[0].operator type"]],
    [expandFilter([["contact.nothing", "eq", "x"]]), ["filter[0].field unknown_field"]],
    [expandFilter([["", "eq", "x"]]), ["filter[0].field unknown_field"]],
    [expandFilter([["__proto__", "eq", "x"], ["contact.constructor", "eq", "x"]]), [
      "filter[0].field unknown_field",
      "filter[1].field unknown_field",
    ]],
    [expandFilter([["contact.custom_fields.none", "eq", "x"]]), ["filter[0].field unknown_field"]],
    [expandFilter([["contact.fixed_fields.id.99", "eq", "x"]]), ["filter[0].field unknown_field"]],
    [expandFilter([["b2b_contact.status", "eq", "lead"]]), ["filter[0].field unknown_field"]],
    [expandFilter([["contact.status", "like", "lead"]]), ["filter[0].operator operator"]],
    [expandFilter([["contact.status", "gt", "lead"]]), ["filter[0].operator operator"]],
    [expandFilter([["contact.created_at", "sw", "2026"]]), ["filter[0].operator operator"]],
    [expandFilter([["contact.b2c", "gt", true]]), ["filter[0].operator operator"]],
    [expandFilter([["contact.team_id", "ct", "1"]]), ["filter[0].operator operator"]],
    [expandFilter([["b2b_contact.fixed_fields.title", "lte", "x"]]), ["filter[0].operator operator"]],
    [expandFilter([["contact.status", "eq", "unknown"]]), ["filter[0].value enum"]],
    [expandFilter([["contact.status", "in", ["lead", "unknown"]]]), ["filter[0].value[1] enum"]],
    [expandFilter([["contact.status", "eq", null]]), ["filter[0].value type"]],
    [expandFilter([["contact.status", "in", ["lead", null]]]), ["filter[0].value[1] type"]],
    [expandFilter([["contact.status", "in", "lead"]]), ["filter[0].value type"]],
    [expandFilter([["contact.status", "eq", 7]]), ["filter[0].value type"]],
    [expandFilter([["contact.b2c", "eq", "true"]]), ["filter[0].value type"]],
    [expandFilter([["contact.b2c", "exists", "true"]]), ["filter[0].value type"]],
    [expandFilter([["contact.team_id", "eq", "7"]]), ["filter[0].value type"]],
    [[{ field: "contact.status", operator: "eq", value: { toString: 7 } }], ["filter[0].value type"]],
    [[{ field: "contact.status", operator: "in", value: [[{ toString: 7 }]] }], ["filter[0].value[0] type"]],
    [expandFilter([["b2b_contact.fixed_fields.title", "eq", 7]]), ["filter[0].value type"]],
    [expandFilter([["contact.created_at", "gt", "2026-02-30 10:00:00"]]), ["filter[0].value format"]],
    [expandFilter([["contact.created_at", "gt", "2026-02-03"]]), ["filter[0].value format"]],
    [expandFilter([{ and: [] }, { or: [] }]), ["filter[0].and min", "filter[1].or min"]],
    [[{ and: 7 }], ["filter[0].and type"]],
    [[{ or: null }], ["filter[0].or required"]],
    [[{ and: expandFilter([status]), or: expandFilter([status]) }], ["filter[0].or excluded"]],
    [[{ and: expandFilter([status]), field: "contact.status" }], ["filter[0].field excluded"]],
    [
      expandFilter([status, { and: [{ or: [status, ["contact.status", "eq", "x"]] }] }]),
      ["filter[1].and[0].or[1].value enum"],
    ],
  ];
  for (const [filter, faults] of cases) {
    assert.deepEqual(await listRefused(admin, filter), faults, JSON.stringify(filter));
  }
});

Deno.test("an unknown field or choice gets an error that lists existing ones, the nearest first", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const { options } = await newField(admin, { label: "Colour", type: "single_choice" }, ["Red"]);
  const message = async (condition: Condition) =>
    (await askFilter(admin, "contacts", expandFilter([condition]))).body.errors[0].message;
  assert.match(
    await message(["contact.statos", "eq", "lead"]),
    /^There is no such field to filter by; the nearest of \d+ are contact\.status, /,
  );
  assert.match(await message(["custom_fields.colour", "eq", "x"]), / are \w+\.custom_fields\.colour, /);
  assert.match(await message(["x".repeat(100_000), "eq", "x"]), /^.{1,600}$/);
  assert.match(
    await message(["contact.status", "eq", "Leed"]),
    /^There is no such choice; there are lead, \w/,
  );
  assert.equal(
    await message(["account.custom_fields.colour", "eq", "red"]),
    `There is no such choice; there are Red (${options.Red}).`,
  );
  const long = expandFilter(Array.from({ length: 50 }, (): Condition => ["nothing", "eq", "x"]));
  const { errors } = (await askFilter(admin, "contacts", long)).body;
  assert.equal(errors.filter(({ message }: Body) => message.includes("nearest")).length, 5);
});

Deno.test("a filter is at most 10 levels deep", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const deep = (levels: number): unknown[] =>
    levels === 1 ? expandFilter([status]) : [{ [levels % 2 ? "and" : "or"]: deep(levels - 1) }];
  assert.equal((await askFilter(admin, "contacts", deep(10))).status, 200);
  const path = `filter${[10, 9, 8, 7, 6, 5, 4, 3, 2].map((n) => n % 2 ? "[0].or" : "[0].and").join("")}`;
  const [fault] = await listRefused(admin, deep(11));
  assert.equal(fault?.split(" ")[1], "max");
  assert.equal(fault?.split(" ")[0]?.split("[0]").length, path.split("[0]").length + 1);
  assert.equal((await listRefused(admin, deep(2000)))[0]?.split(" ")[1], "max");
});

Deno.test("a filter has at most 200 conditions and groups together", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const many = (count: number) => expandFilter([{ or: Array.from({ length: count - 1 }, () => status) }]);
  assert.equal((await askFilter(admin, "contacts", many(200))).status, 200);
  assert.deepEqual(await listRefused(admin, many(201)), ["filter max"]);
});

Deno.test("an in or nin has at most 500 values", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const many = (operator: string, count: number) =>
    expandFilter([["b2b_contact.fixed_fields.title", operator, Array.from({ length: count }, String)]]);
  for (const operator of ["in", "nin"]) {
    assert.equal((await askFilter(admin, "contacts", many(operator, 500))).status, 200);
    assert.deepEqual(await listRefused(admin, many(operator, 501)), ["filter[0].value max"]);
  }
});

Deno.test("a text of a filter has at most 255 characters, and all values together 32,768", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const name = "b2b_contact.fixed_fields.last_name";
  const operators = ["eq", "neq", "sw", "ew", "ct", "nct"];
  for (const operator of operators) {
    // An emoji is one character.
    for (const longest of ["x".repeat(255), "🦊".repeat(255)]) {
      assert.equal(
        (await askFilter(admin, "contacts", expandFilter([[name, operator, longest]]))).status,
        200,
      );
      assert.deepEqual(await listRefused(admin, expandFilter([[name, operator, `${longest}x`]])), [
        "filter[0].value max",
      ]);
    }
  }
  for (const operator of ["in", "nin"]) {
    const faults = await listRefused(admin, expandFilter([[name, operator, ["x", "x".repeat(256)]]]));
    assert.deepEqual(faults, ["filter[0].value[1] max"]);
  }
  for (const field of ["contact.status", "contact.created_at", "account.fixed_fields.city"]) {
    assert.deepEqual(await listRefused(admin, expandFilter([[field, "eq", "x".repeat(256)]])), [
      "filter[0].value max",
    ]);
  }
  const nested = [{
    or: expandFilter([["contact.status", "eq", "lead"], { and: [[name, "ct", "x".repeat(256)]] }]),
  }];
  assert.deepEqual(await listRefused(admin, nested), ["filter[0].or[1].and[0].value max"]);

  // 128 texts of 255 characters, and 128 more.
  const full = Array.from({ length: 128 }, (): Condition => [name, "eq", "x".repeat(255)]);
  const together = (rest: Condition) => expandFilter([{ or: [...full, rest] }]);
  assert.equal((await askFilter(admin, "contacts", together([name, "eq", "x".repeat(128)]))).status, 200);
  assert.deepEqual(await listRefused(admin, together([name, "eq", "x".repeat(129)])), ["filter max"]);
  assert.deepEqual(await listRefused(admin, together([name, "in", ["x".repeat(128), "x"]])), ["filter max"]);
  const ids = Array.from({ length: 500 }, (_, n) => 1_000_000_000 + n);
  const lists = Array.from({ length: 7 }, (): Condition => ["contact.team_id", "in", ids]);
  assert.deepEqual(await listRefused(admin, expandFilter(lists)), ["filter max"]);

  const saved = await admin.call("POST", "/v1/contacts/filters", {
    name: "Long",
    filter: expandFilter([[name, "ct", "x".repeat(256)]]),
  });
  assert.equal(saved.status, 422);
  assert.deepEqual(saved.body.errors.map(({ path, code }: Body) => `${path} ${code}`), [
    "filter[0].value max",
  ]);
});

Deno.test("the largest legal filters are answered in time, for all fields", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const fields: Condition[] = [
    ["contact.b2c", "eq", true],
    ["b2b_account.fixed_fields.name", "nct", "x"],
    ["b2c_contact.consent.sms.updated_at", "gt", "NOW-3M"],
    ["account.fixed_fields.city", "in", Array.from({ length: 70 }, String)],
  ];
  const wide = (kind: string) =>
    Array.from({ length: 49 }, (_, n) => ({ [kind]: expandFilter([...fields]).slice(n % 3) }));
  for (const [kind, records] of [["or", "contacts"], ["and", "accounts"], ["or", "accounts"]] as const) {
    const reply = await askFilter(admin, records, wide(kind).slice(0, 45));
    assert.equal(reply.status, 200, reply.text);
  }
});

Deno.test("the answer of a filter is not stored under an Idempotency-Key", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const call = () =>
    admin.call("POST", "/v1/contacts/filter", { filter: [] }, { "Idempotency-Key": "a key" });
  const reply = await call();
  assert.deepEqual([reply.status, reply.headers.get("idempotent-replayed")], [200, null]);
  assert.equal((await call()).headers.get("idempotent-replayed"), null);
  assert.deepEqual(await idempotencyKeys(app), []);
});

function idempotencyKeys(app: TestApp) {
  return app.sql("select key from idempotency_keys");
}
