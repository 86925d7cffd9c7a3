import assert from "node:assert/strict";
import { identifier, joinSql, literal, rawSql, sql } from "../../src/db/statements.ts";

Deno.test("values are bound, and pieces bring their values at their place", () => {
  const piece = sql`b = ${2} and c is ${null}`;
  const { sql: text, args } = sql`select 1 where a = ${1} and ${piece} limit ${3}`;
  assert.equal(text, "select 1 where a = ? and b = ? and c is ? limit ?");
  assert.deepEqual(args, [1, 2, null, 3]);
});

Deno.test("a template takes other pieces at each call", () => {
  const of = (condition: ReturnType<typeof sql>) => sql`select 1 where ${condition}`;
  const [a, value, b] = [of(sql`a = ${1}`), sql`select 1 where ${"a"}`, of(sql`b = ${2}`)];
  assert.deepEqual([a.sql, a.args], ["select 1 where a = ?", [1]]);
  assert.deepEqual([value.sql, value.args], ["select 1 where ?", ["a"]]);
  assert.deepEqual([b.sql, b.args], ["select 1 where b = ?", [2]]);
  const either = (part: ReturnType<typeof sql> | number) => sql`select ${part}`;
  assert.deepEqual([1, rawSql("x"), 2].map((part) => either(part).sql), [
    "select ?",
    "select x",
    "select ?",
  ]);
});

Deno.test("joined pieces keep the order of their values", () => {
  const { sql: text, args } = joinSql([sql`a = ${1}`, sql`b`, sql`c = ${"x"}`], " or ");
  assert.deepEqual([text, args], ["a = ? or b or c = ?", [1, "x"]]);
});

Deno.test("an identifier is a plain name", () => {
  assert.equal(sql`select ${identifier("account", "team_id")}`.sql, "select account.team_id");
  for (const name of ["", "a b", "a.b", 'a"', "a;--", "1a", "a()"]) {
    assert.throws(() => identifier(name), /not a name/);
  }
});

Deno.test("a literal stands in the text as a whole number or in quotes", () => {
  assert.equal(sql`limit ${literal(20)}`.sql, "limit 20");
  assert.equal(sql`kind = ${literal("it's")}`.sql, "kind = 'it''s'");
  assert.throws(() => literal(1.5), /whole number/);
  assert.throws(() => literal(Number.NaN), /whole number/);
});
