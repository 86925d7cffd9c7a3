/** Compares the changes of records that a call made with the events that it stored. */
import assert from "node:assert/strict";
import type { EventName } from "../../src/core/events.ts";
import { locateRecord, readAt } from "../delivery/events/world.ts";
import type { TestApp } from "../support/app.ts";
import type { Place } from "./place.ts";

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
  account: ["contact_count", "last_activity_at"],
  contact: ["last_activity_at"],
  user: ["password_hash", "version"],
};

/** Kinds of records whose deletion sends no event. */
const endsUntold = /^(activity|timeline_event) /;

/** The rows by kind and id, as text. No text of these tables names a constant of the pool. */
async function readRows({ deps: { db } }: TestApp): Promise<Map<string, string>> {
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

/** Compares the effects of one call after the other. */
export interface EventsWatch {
  /** Reads the records before a call. */
  before(): Promise<void>;
  /**
   * Checks that each change of a record since `before` has its event with the body of GET, and that there is
   * no other event. Returns the number of bodies that it compared.
   */
  check(at: string): Promise<number>;
}

export function watchEvents(app: TestApp, { world: { admin, company } }: Place): EventsWatch {
  let [last, rows] = [0, new Map<string, string>()];
  return {
    async before() {
      const [row] = await app.sql("select coalesce(max(rowid), 0) as last from outbox");
      last = Number(row!.last);
      rows = await readRows(app);
    },
    async check(at) {
      await app.idle();
      const after = await readRows(app);
      const events = await app.sql("select * from outbox where rowid > ? and entity_type <> 'webhook'", last);
      const changed = [...new Set([...rows.keys(), ...after.keys()])].filter((key) =>
        rows.get(key) !== after.get(key) && (after.has(key) || !endsUntold.test(key))
      );
      const names = new Set(events.map(({ entity_type, entity_id }) => `${entity_type} ${entity_id}`));
      assert.deepEqual([...names].sort(), changed.sort(), at);
      let compared = 0;
      for (const event of events) {
        const name = event.event_name as EventName;
        if (name.endsWith("_deleted") || event.company_id !== company.id) continue;
        const record = JSON.parse(String(event.body));
        const answer = await admin.call("GET", locateRecord(name, record, company.id));
        assert.equal(event.body, readAt(name, record.id, answer), `${at}: ${name}`);
        compared++;
      }
      return compared;
    },
  };
}
