/** Which stored filters name a record that is deleted. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { namesRecord } from "../../src/customers/fields/stop_filters.ts";
import { sql } from "../../src/db/statements.ts";

const db = new DatabaseSync(":memory:");

/** Whether a filter, JSON or null, names the team 7. */
function namesTeam(filter: string | null): boolean {
  const { sql: text, args } = sql`select ${namesRecord("team_id", sql`select ${7}`)(sql`filter`)} as names
    from (select ${filter} as filter)`;
  return db.prepare(text).get(...args as (string | number | null)[])!.names === 1;
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

Deno.test("a filter without such a field is not looked into, since a company can have 20,000", () => {
  assert.equal(namesTeam("[{ no JSON"), false);
  assert.throws(() => namesTeam("[{ no team_id"), /malformed JSON/);
});
