/** What must hold in the database file whenever a process died over it; read with SQL, not with the app. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import type { Answered } from "./kill_load.ts";

const tables = { account: "accounts", contact: "contacts", lead: "leads" } as const;

/** Every record has been told of once, and nothing that is not there. */
export function checkWhole(file: string): void {
  using db = new DatabaseSync(file, { readOnly: true });
  const rows = (sql: string) => db.prepare(sql).all().map((row) => ({ ...row }));
  assert.deepEqual(rows("pragma integrity_check"), [{ integrity_check: "ok" }]);
  for (const [kind, table] of Object.entries(tables)) {
    const untold = `select t.id from ${table} t where (select count(*) from outbox e ` +
      `where e.entity_id = t.id and e.event_name = '${kind}_created') <> 1`;
    assert.deepEqual(rows(untold), [], `a ${kind} without its one event`);
    const unfounded = `select e.id from outbox e where e.entity_type = '${kind}' ` +
      `and not exists (select 1 from ${table} t where t.id = e.entity_id)`;
    assert.deepEqual(rows(unfounded), [], `an event without its ${kind}`);
    const counted = `select (select count(*) from ${table}) as there, ` +
      `(select coalesce(sum(n), 0) from totals where kind = '${table}') as counted`;
    const [totals] = rows(counted);
    assert.equal(totals!.there, totals!.counted, `the counter of ${table}`);
  }
  const unsent = "select e.id from outbox e join webhooks w on w.created_at < e.created_at " +
    "where not exists (select 1 from deliveries d where d.event_id = e.id)";
  assert.deepEqual(rows(unsent), [], "an event without a delivery");
}

/** Each answered write is there, told of once with the body that was answered, and on its way. */
export function checkAnswered(file: string, answered: readonly Answered[]): void {
  using db = new DatabaseSync(file, { readOnly: true });
  const found = new Map<string, unknown>();
  for (const [kind, table] of Object.entries(tables)) {
    const sql = "select t.id, count(e.id) as events, min(e.body) as body, " +
      "(select count(*) from deliveries d where d.event_id = min(e.id)) as deliveries " +
      `from ${table} t left join outbox e on e.entity_id = t.id and e.event_name = '${kind}_created' group by t.id`;
    for (const { id, body, ...row } of db.prepare(sql).all()) {
      found.set(`${kind} ${id}`, { ...row, body: wholeBody(db, String(body)) });
    }
  }
  for (const { kind, id, text } of answered) {
    assert.deepEqual({ ...found.get(`${kind} ${id}`) as object }, { events: 1, body: text, deliveries: 1 });
  }
  const ids = new Set(answered.map(({ id }) => id));
  assert.equal(ids.size, answered.length, "one write was answered as two");
}

/** A stored body with the parts that stand beside it, each between two control characters by its name. */
function wholeBody(db: DatabaseSync, body: string): string {
  const part = db.prepare("select text from constants where name = ?");
  const [first = "", ...rest] = body.split("\u0001");
  return rest.reduce(
    (whole, piece, index) => whole + (index % 2 === 0 ? part.get(piece)?.text : piece),
    first,
  );
}

export function deliveriesOf(file: string): string[] {
  using db = new DatabaseSync(file, { readOnly: true });
  return db.prepare("select id from deliveries").all().map(({ id }) => String(id));
}
