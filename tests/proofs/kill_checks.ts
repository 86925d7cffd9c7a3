/** What must hold in the database file whenever a process died over it; read with SQL, not with the app. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import type { Answered, Kind, Load } from "./kill_load.ts";

const tables: Readonly<Record<Kind, string>> = {
  account: "accounts",
  contact: "contacts",
  lead: "leads",
  note: "notes",
};

/** Every record has been told of once, and nothing that is not there; to whom it should be, and to nobody else. */
export function checkWhole(file: string): void {
  using db = new DatabaseSync(file, { readOnly: true });
  const rows = (sql: string) => db.prepare(sql).all().map((row) => ({ ...row }));
  assert.deepEqual(rows("pragma quick_check"), [{ quick_check: "ok" }]);
  for (const [kind, table] of Object.entries(tables)) {
    const untold = `select t.id from ${table} t where (select count(*) from outbox e ` +
      `where e.entity_id = cast(t.id as text) and e.event_name = '${kind}_created') <> 1`;
    assert.deepEqual(rows(untold), [], `a ${kind} without its one event`);
    const unfounded = `select e.id from outbox e where e.entity_type = '${kind}' ` +
      `and not exists (select 1 from ${table} t where t.id = e.entity_id)`;
    assert.deepEqual(rows(unfounded), [], `an event without its ${kind}`);
    if (kind === "note") continue;
    const counted = `select (select count(*) from ${table}) as there, ` +
      `(select coalesce(sum(n), 0) from totals where kind = '${table}') as counted`;
    const [totals] = rows(counted);
    assert.equal(totals!.there, totals!.counted, `the counter of ${table}`);
  }
  const unsent = "select e.id from outbox e join webhooks w on w.created_at < e.created_at " +
    "and (w.deleted_at is null or w.deleted_at > e.created_at) " +
    "where not exists (select 1 from deliveries d where d.event_id = e.id and d.webhook_id = w.id)";
  assert.deepEqual(rows(unsent), [], "an event without a delivery");
  const early =
    "select d.id from deliveries d join outbox e on e.id = d.event_id join webhooks w on w.id = d.webhook_id " +
    "where e.created_at < w.created_at or e.created_at > w.deleted_at or d.created_at <> e.created_at";
  assert.deepEqual(rows(early), [], "a delivery to a subscription that was not there");
  const twice =
    "select event_id, webhook_id from deliveries group by event_id, webhook_id having count(*) > 1";
  assert.deepEqual(rows(twice), [], "two deliveries of one event");
}

/** Each answered write is there, told of once with the body that was answered, and on its way to the lasting. */
export function checkAnswered(file: string, answered: readonly Answered[], lasting: number): void {
  using db = new DatabaseSync(file, { readOnly: true });
  const found = new Map<string, unknown>();
  for (const [kind, table] of Object.entries(tables)) {
    const sql = "select t.id, count(e.id) as events, min(e.body) as body, " +
      "(select count(*) from deliveries d where d.event_id = min(e.id)) as deliveries " +
      `from ${table} t left join outbox e on e.entity_id = cast(t.id as text) ` +
      `and e.event_name = '${kind}_created' group by t.id`;
    for (const { id, body, events, deliveries } of db.prepare(sql).all()) {
      const told = {
        events,
        body: wholeBody(db, String(body)),
        deliveries: Math.min(Number(deliveries), lasting),
      };
      found.set(`${kind} ${id}`, told);
    }
  }
  const made = answered.filter(({ address }) => address !== null);
  for (const { kind, id, text } of made) {
    assert.deepEqual(found.get(`${kind} ${id}`), { events: 1, body: text, deliveries: lasting });
  }
  const ids = new Set(made.map(({ kind, id }) => `${kind} ${id}`));
  assert.equal(ids.size, made.length, "one write was answered as two");
}

/** Each cause has told the reader once: a note, a message, a lead of the team; the counts are what is listed. */
export function checkNotices(file: string, { reader, answered, cut }: Load): void {
  assert.equal(cut.length, 0);
  using db = new DatabaseSync(file, { readOnly: true });
  const texts = (sql: string) => db.prepare(sql).all(reader.id).map(({ text }) => String(text)).sort();
  const written = (kind: Answered["kind"]) => answered.filter((each) => each.kind === kind);
  const of = (type: string, text: string) =>
    texts(`select ${text} as text from notifications where user_id = ? and type = '${type}'`);
  const messages = written("message").map(({ body }) => "message" in body ? String(body.message) : "");
  assert.deepEqual(of("custom", "message"), messages.sort());
  assert.deepEqual(of("lead_assigned", "data ->> '$.lead.id'"), written("lead").map(({ id }) => id).sort());
  assert.equal(of("note", "data").length, written("note").length);
  const counts = "select c.user_id, c.total, c.unread from notification_counts c";
  const counted =
    "select n.user_id, count(*) as total, sum(n.read_at is null and not exists (select 1 from " +
    "notification_reads r where r.user_id = n.user_id and r.through >= n.seq)) as unread " +
    "from notifications n where n.expires_at is null group by n.user_id order by n.user_id";
  const rows = (sql: string) => db.prepare(sql).all().map((row) => ({ ...row }));
  assert.deepEqual(rows(`${counts} where c.total > 0 order by c.user_id`), rows(counted));
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

export interface Delivery {
  readonly id: string;
  readonly path: string;
  readonly status: string;
  /** Attempts that were answered: what was not may have come nowhere. */
  readonly answered: number;
  /** Whether its subscription is deleted. */
  readonly ended: boolean;
}

export function deliveriesOf(file: string): Delivery[] {
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
