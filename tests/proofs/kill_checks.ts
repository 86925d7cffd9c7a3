/** Rules that hold in the database file after any kill. Reads with SQL, not with the app. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { type Expected, takeKind } from "./kill_expected.ts";
import type { Load } from "./kill_load.ts";
import type { Targets } from "./kill_target.ts";

/** SQL of the existing records, for each kind whose deletion sends an event. */
const living: Readonly<Record<string, string>> = {
  account: "accounts",
  contact: "contacts",
  case: "cases",
  lead: "leads where deleted_at is null",
  note: "notes",
  product: "products",
  task: "tasks",
};
const counted = ["accounts", "contacts", "leads"];

/** Checks that records, events, deliveries and counters agree. */
export function checkWhole(file: string, { ended }: Targets): void {
  using db = new DatabaseSync(file, { readOnly: true });
  const rows = (sql: string) => db.prepare(sql).all().map((row) => ({ ...row }));
  assert.deepEqual(rows("pragma quick_check"), [{ quick_check: "ok" }]);
  for (const [kind, from] of Object.entries(living)) {
    const sql = `with counted as materialized (select entity_id as id, ` +
      `sum(event_name = '${kind}_created') as created, sum(event_name = '${kind}_deleted') as deleted ` +
      `from outbox where entity_type = '${kind}' group by entity_id), ` +
      `there as materialized (select cast(id as text) as id from ${from}) ` +
      "select coalesce(t.id, c.id) as id, c.created, c.deleted from there t full join counted c on c.id = t.id " +
      "where c.created is not 1 or c.deleted <> iif(t.id is null, 1, 0)";
    assert.deepEqual(rows(sql), [], `a ${kind} lacks events`);
  }
  for (const table of counted) {
    const sql =
      `select (select count(*) from ${table}${table === "leads" ? " where deleted_at is null" : ""}) ` +
      `as there, (select coalesce(sum(n), 0) from totals where kind = '${table}') as counted`;
    const [totals] = rows(sql);
    assert.equal(totals!.there, totals!.counted, `the counter of ${table}`);
  }
  for (const [whole, kind] of [["leads_by_state", "leads"], ["cases_by_status", "cases"]] as const) {
    const sum = (of: string) => `(select coalesce(sum(n), 0) from totals where kind = '${of}')`;
    const [sums] = rows(`select ${sum(whole)} as company, ${sum(kind)} as teams`);
    assert.equal(sums!.company, sums!.teams, `the counters of ${kind} in all`);
  }
  const unsent = "select e.event_name from outbox e join webhooks w on w.created_at < e.created_at " +
    "and (w.deleted_at is null or w.deleted_at > e.created_at) " +
    "where not exists (select 1 from deliveries d where d.event_id = e.id and d.webhook_id = w.id)";
  assert.deepEqual(rows(unsent), [], "an event lacks a delivery");
  const early =
    "select d.id from deliveries d join outbox e on e.id = d.event_id join webhooks w on w.id = d.webhook_id " +
    "where e.created_at < w.created_at or d.created_at <> e.created_at";
  assert.deepEqual(rows(early), [], "a delivery to a subscription that did not exist");
  // A change that begins before a deletion is answered may be committed before the deletion, even in a later
  // second.
  const late = rows("select d.id, w.target_url from deliveries d join webhooks w on w.id = d.webhook_id")
    .filter(({ id, target_url }) => {
      const end = ended.get(new URL(String(target_url)).pathname);
      return end !== undefined && readTime(String(id)) > end;
    });
  assert.deepEqual(late, [], "a delivery to a subscription that was deleted");
  const twice =
    "select event_id, webhook_id from deliveries group by event_id, webhook_id having count(*) > 1";
  assert.deepEqual(rows(twice), [], "two deliveries of one event");
}

/** The epoch milliseconds of a UUIDv7. */
function readTime(id: string): number {
  return parseInt(id.replace("-", "").slice(0, 12), 16);
}

/**
 * Checks that each record has the events of the answered writes in order, with the answered bodies.
 * Interrupted writes may add events; otherwise there are no others. A body is compared once, since it never
 * changes.
 */
export function checkEvents(file: string, { writers, compared }: Load): void {
  using db = new DatabaseSync(file, { readOnly: true });
  const expected = new Map(writers.flatMap((writer) => [...writer.expected.events]));
  const cut = writers.some(({ pending }) => pending !== null);
  const found = readEvents(db);
  for (const [record, events] of expected) {
    const all = found.get(record) ?? [];
    const there = cut ? all.slice(0, events.length) : all;
    assert.deepEqual(
      there.map(({ name }) => name),
      events.map(({ name }) => name),
      `the events of ${record}`,
    );
    for (const [n, event] of events.entries()) {
      if (event.body === null || compared.has(event)) continue;
      assert.equal(
        expandBody(db, there[n]!),
        event.body,
        `events have other bodies: ${event.name} of ${record}`,
      );
      compared.add(event);
    }
  }
  if (!cut) {
    assert.deepEqual([...found.keys()].filter((record) => !expected.has(record)), [], "nobody's events");
  }
}

export interface StoredEvent {
  readonly name: string;
  readonly row: number;
}

/** Returns the events of each record in sequence, which counts from 1. */
export function readEvents(db: DatabaseSync): Map<string, StoredEvent[]> {
  const all = new Map<string, StoredEvent[]>();
  const sql = "select position, event_name, entity_id, sequence from outbox order by sequence";
  for (const { position, event_name, entity_id, sequence } of db.prepare(sql).all()) {
    const name = String(event_name);
    const record = `${takeKind(name)} ${entity_id}`;
    const events = all.get(record);
    if (events) events.push({ name, row: Number(position) });
    else all.set(record, [{ name, row: Number(position) }]);
    assert.equal(sequence, all.get(record)!.length, `the sequence of ${record}`);
  }
  return all;
}

/** Expands a stored body: strings of a slash, which is escaped, and a name refer to shared JSON. */
export function expandBody(db: DatabaseSync, { row }: StoredEvent): string {
  const { body } = db.prepare("select body from outbox where position = ?").get(row)!;
  const part = db.prepare("select text from json_pool where name = ?");
  return String(body).replaceAll(/"\\\/([0-9a-f]{40})"/g, (_, name: string) => String(part.get(name)?.text));
}

/** Checks that each answer is kept under its key. */
export function checkKept(file: string, { answered }: Load): void {
  using db = new DatabaseSync(file, { readOnly: true });
  const kept = new Map(
    db.prepare("select key, status from idempotency_keys").all().map(({ key, status }) => [key, status]),
  );
  for (const { key, status, method, path } of answered) {
    assert.equal(kept.get(key), status, `the kept answer of ${method} ${path}`);
  }
}

/** Checks that each cause notified the reader once and that counts equal lists. */
export function checkNotices(file: string, { reader, writers }: Load): void {
  using db = new DatabaseSync(file, { readOnly: true });
  const cut = writers.some(({ pending }) => pending !== null);
  for (const [type, about] of aboutWhat) {
    const sql = `select ${about} as about from notifications where user_id = ? and type = '${type}'`;
    const there = db.prepare(sql).all(reader.id).map(({ about }) => String(about));
    const lacking = new Map<string, number>();
    for (const each of listNotices(writers.map(({ expected }) => expected), type)) {
      lacking.set(each, (lacking.get(each) ?? 0) + 1);
    }
    for (const each of there) lacking.set(each, (lacking.get(each) ?? 0) - 1);
    const counts = [...lacking.values()];
    assert.ok(counts.every((count) => count <= 0), `a notification ${type} is missing`);
    if (!cut) assert.ok(counts.every((count) => count === 0), `a notification ${type} is nobody's`);
  }
  const counts = "select c.user_id, c.total, c.unread from notification_counts c";
  const counted =
    "select n.user_id, count(*) as total, sum(n.read_at is null and not exists (select 1 from " +
    "notification_reads r where r.user_id = n.user_id and r.through >= n.seq)) as unread " +
    "from notifications n where n.expires_at is null group by n.user_id order by n.user_id";
  const rows = (sql: string) => db.prepare(sql).all().map((row) => ({ ...row }));
  assert.deepEqual(rows(`${counts} where c.total > 0 order by c.user_id`), rows(counted));
}

/** SQL for the subject of a notification, by type. */
const aboutWhat = [
  ["custom", "message"],
  ["lead_assigned", "data ->> '$.lead.id'"],
  ["note", "data ->> '$.case.id'"],
] as const;

function listNotices(expected: readonly Expected[], type: string): string[] {
  return expected.flatMap(({ notifications }) => notifications.get(type) ?? []);
}

export interface Delivery {
  readonly id: string;
  readonly path: string;
  readonly status: string;
  /** Answered attempts only; others may not have arrived. */
  readonly answered: number;
  /** True when its subscription is deleted. */
  readonly ended: boolean;
}

export function readDeliveries(file: string): Delivery[] {
  using db = new DatabaseSync(file, { readOnly: true });
  const sql = "select d.id, w.target_url, d.status, d.attempts, w.deleted_at is not null as ended, " +
    "(select count(*) from delivery_attempts a where a.delivery_id = d.id) as kept, " +
    "(select count(a.response_status) from delivery_attempts a where a.delivery_id = d.id) as answered " +
    "from deliveries d join webhooks w on w.id = d.webhook_id";
  return db.prepare(sql).all().map(({ id, target_url, status, attempts, ended, kept, answered }) => {
    assert.equal(attempts, kept, `the attempts of ${id}`);
    return {
      id: String(id),
      path: new URL(String(target_url)).pathname,
      status: String(status),
      answered: Number(answered),
      ended: ended === 1,
    };
  });
}
