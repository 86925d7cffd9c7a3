import assert from "node:assert/strict";
import type { EventName } from "../../src/core/events.ts";
import { addressOf, readAt } from "../delivery/events/world.ts";
import type { TestApp } from "../support/app.ts";
import { fill } from "./place.ts";
import { prepare, sent, startApp, sweep, writes } from "./sweep.ts";

const tables: Readonly<Record<string, string>> = {
  account: "accounts",
  activity: "activities",
  case: "cases",
  contact: "contacts",
  lead: "leads",
  note: "notes",
  product: "products",
  task: "tasks",
  team: "teams",
  timeline_event: "timeline_events",
  user: "users",
};

/** Columns that change without a change of what GET shows. A new password also changes the version. */
const unseen: Readonly<Record<string, readonly string[]>> = {
  account: ["contact_count"],
  user: ["password_hash", "version"],
};

/** Kinds of records whose deletion sends no event. */
const endsUntold = /^(activity|timeline_event) /;

/** The rows by kind and id, as text. No text of these tables names a constant of the pool. */
async function rowsOf({ deps: { db } }: TestApp): Promise<Map<string, string>> {
  const all = new Map<string, string>();
  const kinds = Object.entries(tables);
  const results = await db.read(kinds.map(([, table]) => ({ sql: `select * from ${table}`, args: [] })));
  for (const [index, { rows }] of results.entries()) {
    const kind = kinds[index]![0];
    for (const row of rows) {
      const shown = { ...row };
      for (const column of unseen[kind] ?? []) delete shown[column];
      all.set(`${kind} ${row.id}`, JSON.stringify(shown));
    }
  }
  return all;
}

Deno.test("each change of a record has its event with the body of GET, and no other event", async (t) => {
  await using app = await startApp();
  const place = await fill(app);
  const { admin, company } = place.world;
  let reported = 0;
  await sweep(t, writes, app, async (endpoint, at) => {
    const call = await prepare(place, endpoint);
    const [{ last } = {}] = await app.sql("select coalesce(max(rowid), 0) as last from outbox");
    const before = await rowsOf(app);
    const reply = await sent(app.url, call);
    assert.ok(reply.status < 300, `${at}: ${reply.text}`);
    await app.idle();
    const after = await rowsOf(app);
    const events = await app.sql(
      "select * from outbox where rowid > ? and entity_type <> 'webhook'",
      Number(last),
    );
    const changed = [...new Set([...before.keys(), ...after.keys()])].filter((key) =>
      before.get(key) !== after.get(key) && (after.has(key) || !endsUntold.test(key))
    );
    const names = new Set(events.map(({ entity_type, entity_id }) => `${entity_type} ${entity_id}`));
    assert.deepEqual([...names].sort(), changed.sort(), at);
    for (const event of events) {
      const name = event.event_name as EventName;
      if (name.endsWith("_deleted") || event.company_id !== company.id) continue;
      const record = JSON.parse(String(event.body));
      const answer = await admin.call("GET", addressOf(name, record, company.id));
      assert.equal(event.body, readAt(name, record.id, answer), `${at}: ${name}`);
      reported++;
    }
  });
  assert.ok(reported > 40, `${reported} events`);
});
