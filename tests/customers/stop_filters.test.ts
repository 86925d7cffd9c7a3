/** Which stored filters name a record that is deleted. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { namesField, namesOption, namesRecord } from "../../src/customers/fields/stop_filters.ts";
import { type Sql, sql } from "../../src/db/statements.ts";

const db = new DatabaseSync(":memory:");

const namesTeam = makeCheck(namesRecord("team_id", sql`select ${7}`));

/** Returns whether a filter, JSON or null, names the record. */
function makeCheck(names: (filter: Sql) => Sql): (filter: string | null) => boolean {
  return (filter) => {
    const { sql: text, args } = sql`select ${names(sql`filter`)} as names from (select ${filter} as filter)`;
    return db.prepare(text).get(...args as (string | number | null)[])!.names === 1;
  };
}

Deno.test("a filter names a record in a condition on such a field, at any depth", () => {
  const condition = { field: "contact.team_id", operator: "nin", value: [5, 7] };
  assert.ok(namesTeam(JSON.stringify([condition])));
  assert.ok(
    namesTeam(JSON.stringify([{ any: [{ all: [{ ...condition, field: "team_id", value: "7" }] }] }])),
  );
  assert.ok(!namesTeam(JSON.stringify([{ ...condition, value: [5, 77] }])));
  assert.ok(!namesTeam(JSON.stringify([{ ...condition, field: "contact.user_id" }])));
  assert.ok(!namesTeam(null));
});

Deno.test("a filter names a field and an option in a condition on the field, by its name or id", () => {
  const field = { id: "0195b2c4-0000-7000-8000-00000000000a", name: "größe_2", owner_type: "contact" };
  const byField = makeCheck(namesField(field));
  const byOption = makeCheck(namesOption(field, "vip"));
  const names = ["contact.custom_fields.größe_2", "B2C_Contact.Custom_Fields.Größe_2", "contact.größe_2"];
  for (const name of [...names, `contact.custom_fields.id.${field.id.toUpperCase()}`]) {
    const filter = JSON.stringify([{ any: [{ field: name, operator: "nin", value: ["VIP"] }] }]);
    assert.deepEqual([byField(filter), byOption(filter)], [true, true], name);
    const other = JSON.stringify([{ field: name, operator: "nin", value: ["größe_2"] }]);
    assert.deepEqual([byField(other), byOption(other)], [true, false], name);
  }
  const value = JSON.stringify([{ field: "contact.status", operator: "eq", value: field.name }]);
  assert.deepEqual([byField(value), byOption(value)], [false, false]);
});

Deno.test("a filter without such a field is not looked into, since a company can have 20,000", () => {
  const field = { id: "0195b2c4-0000-7000-8000-00000000000a", name: "gone", owner_type: "contact" };
  for (
    const names of [namesRecord("team_id", sql`select ${7}`), namesField(field), namesOption(field, "vip")]
  ) {
    const check = makeCheck(names);
    assert.equal(check("[{ no JSON"), false);
    assert.throws(() => check("[{ no team_id or gone"), /malformed JSON/);
  }
});
