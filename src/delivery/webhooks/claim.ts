/**
 * Which deliveries to send next. A target is claimed as a whole, by a lease in the database: so it gets no
 * more at once than one sender gives it, however many processes run, and roughly in order. What is due is
 * found by seeks in the index of pending deliveries, however many wait.
 */
import { clockSkew } from "../../core/clocks.ts";
import { sql, statement } from "../../db/statements.ts";
import type { Row, Statement } from "../../platform/database/database.ts";

/** Milliseconds for which a claim holds: longer than an attempt can take, and renewed while sending. */
export const leaseMs = 10_000;

/** How many deliveries a claim takes of one target at most. */
export const mostRoom = 20;

export interface Claim {
  /** Who claims; no two senders have the same. */
  readonly holder: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Companies and subscriptions in which something may be due. */
  readonly companies: readonly number[];
  readonly webhooks: readonly number[];
  /** Subscriptions that the holder has: whether it is sending to them, and how many more it can take. */
  readonly held: readonly { readonly id: number; readonly busy: boolean; readonly room: number }[];
  /** Deliveries that the holder has taken and not recorded yet. */
  readonly taken: readonly string[];
}

/** Bytes of bodies that a claim reads at most; those beyond are read one by one, when they are sent. */
export const mostBytes = 8 * 1024 * 1024;

/** A delivery with everything that sending it needs. */
export interface Due {
  readonly id: string;
  readonly event_id: string;
  readonly webhook_id: number;
  /** Attempts made so far, and how many of them before it was last begun anew. */
  readonly attempts: number;
  readonly begun_after: number;
  /** JSON: ids of custom fields that its user does not see; null: none. */
  readonly hidden_fields: string | null;
  readonly target_url: string;
  /** Sealed, as are those before it that may still sign. */
  readonly verification_token: string | null;
  readonly previous_token: string | null;
  readonly event_name: string;
  readonly entity_type: string;
  readonly entity_id: string;
  readonly sequence: number;
  readonly executor_id: number | null;
  /** As it is stored; see `db/json_pool.ts`. Null: not read yet. */
  readonly body: string | null;
  /** When the event happened. */
  readonly generated_at: string;
}

export interface Claimed {
  /** Subscriptions that the holder has now, each with something due or being sent. */
  readonly held: ReadonlySet<number>;
  /** In the order in which they became due. */
  readonly due: readonly Due[];
  /** Whether something is due in the companies and subscriptions named that another sender has. */
  readonly refused: boolean;
}

/** Lets go of what is idle, takes or renews what has something due, and reads it: one batch. */
export function claimStatements(claim: Claim): Statement[] {
  const { holder, now } = claim;
  const companies = JSON.stringify(claim.companies);
  const held = JSON.stringify(claim.held.map(({ id, room }) => [id, room]));
  const named = JSON.stringify([
    ...claim.held.map(({ id, room }) => [id, room]),
    ...claim.webhooks.map((id) => [id, mostRoom]),
  ]);
  return [
    sql`delete from leases where holder = ${holder} and name in (select 'webhook:' || value from json_each(${
      JSON.stringify(claim.held.filter(({ busy }) => !busy).map(({ id }) => id))
    }))`,
    statement(acquire, companies, held, named, holder, now + leaseMs, now, now, furthestLease(now)),
    statement(read, companies, held, named, holder, now, JSON.stringify(claim.taken)),
    statement(refusals, companies, held, named, holder, now, furthestLease(now), now),
  ];
}

/** A lease that ends later than any claim can make it was written by a clock that was ahead: it holds nothing. */
function furthestLease(now: number): number {
  return now + leaseMs + clockSkew;
}

/** The results of `claimStatements`. */
export function claimedOf([, acquired, read, refused]: readonly Row[][]): Claimed {
  const held = new Set(acquired!.map(({ name }) => Number(String(name).slice("webhook:".length))));
  return {
    held,
    // What became of a subscription since it was taken shows in the lease that was not renewed.
    due: (read! as (Row & Due)[]).filter(({ webhook_id }) => held.has(webhook_id)),
    refused: refused!.length > 0,
  };
}

/** Gives up everything that the holder has. */
export function releaseAll(holder: string): Statement {
  return sql`delete from leases where holder = ${holder} and name like 'webhook:%'`;
}

/** Reads `id`: every subscription for which something is due and that can be sent to. */
export function dueTargets(now: number): Statement {
  return statement(
    `with recursive ${pendingTargets} select p.id from pending p where ${sendable("p.id")} and ${
      something("p.id")
    }`,
    now,
  );
}

/** A recursive common table expression `pending (id)`: subscriptions with pending deliveries, a seek each. */
export const pendingTargets = "pending (id) as (" +
  "select (select d.webhook_id from deliveries d indexed by deliveries_due where d.status = 'pending' " +
  "order by d.webhook_id limit 1) union all " +
  "select (select d.webhook_id from deliveries d indexed by deliveries_due where d.status = 'pending' " +
  "and d.webhook_id > pending.id order by d.webhook_id limit 1) from pending where pending.id is not null)";

/** A query that has a row when the subscription, its user and its company are there. */
export function live(id: string): string {
  return "select 1 from webhooks w join users u on u.id = w.user_id join companies c on c.id = w.company_id " +
    `where w.id = ${id} and w.deleted_at is null and u.deleted_at is null and c.deleted_at is null`;
}

function sendable(id: string): string {
  return `exists (${live(id)} and w.paused_at is null)`;
}

function something(id: string): string {
  return "exists (select 1 from deliveries d indexed by deliveries_due " +
    `where d.webhook_id = ${id} and d.status = 'pending' and d.due_at <= ?)`;
}

/** Takes companies, held subscriptions, and named ones with the held. */
const wanted = "with wanted (id, room) as (" +
  `select w.id, ${mostRoom} from json_each(?) k cross join webhooks w indexed by webhooks_by_event on w.company_id = k.value ` +
  "where w.deleted_at is null and w.paused_at is null and w.id not in (select value ->> 0 from json_each(?)) " +
  "union select value ->> 0, value ->> 1 from json_each(?))";

const acquire = `insert into leases (name, holder, until) ${wanted} ` +
  `select distinct 'webhook:' || t.id, ?, ? from wanted t where ${sendable("t.id")} and ${
    something("t.id")
  } ` +
  "on conflict (name) do update set holder = excluded.holder, until = excluded.until " +
  "where leases.holder = excluded.holder or leases.until <= ? or leases.until > ? returning name";

/** Of a delivery that was claimed without its body. */
export function bodyOf({ event_id }: Due): Statement {
  return statement("select body from outbox where id = ?", event_id);
}

/** A limit may not depend on the row that it is for, so the rows of a target are numbered. */
const read = `${wanted}, picked (row, place, room, size) as (` +
  "select d.rowid, row_number() over (partition by t.id order by d.due_at, d.rowid), t.room, " +
  "sum((select octet_length(e.body) from outbox e where e.id = d.event_id)) over (order by d.due_at, d.rowid) " +
  "from wanted t join leases l on l.name = 'webhook:' || t.id and l.holder = ? " +
  "cross join deliveries d on d.rowid in (select y.rowid from deliveries y indexed by deliveries_due " +
  "where y.webhook_id = t.id and y.status = 'pending' and y.due_at <= ? " +
  `and y.id not in (select value from json_each(?)) order by y.due_at, y.rowid limit ${mostRoom}) where t.room > 0) ` +
  "select d.id, d.event_id, d.webhook_id, d.attempts, d.begun_after, d.hidden_fields, w.target_url, w.verification_token, " +
  "w.previous_token, " +
  "o.event_name, o.entity_type, o.entity_id, o.sequence, o.executor_id, " +
  `iif(p.size <= ${mostBytes}, o.body, null) as body, o.created_at as generated_at ` +
  "from picked p cross join deliveries d on d.rowid = p.row join webhooks w on w.id = d.webhook_id " +
  "join outbox o on o.id = d.event_id where p.place <= p.room order by d.due_at, d.rowid";

const refusals = `${wanted} select 1 as refused from wanted t ` +
  "join leases l on l.name = 'webhook:' || t.id and l.holder <> ? and l.until > ? and l.until <= ? " +
  `where ${sendable("t.id")} and ${something("t.id")} limit 1`;
