/**
 * Claims the deliveries to send next. A sender claims a whole target by a lease in the database, so that one
 * sender at a time serves it, roughly in order, with any number of processes. Seeks in the index of pending
 * deliveries find the due ones in constant time.
 */
import { isReleased } from "../../db/hold.ts";
import { isLeased, unlessLeased } from "../../db/leases.ts";
import { literal, type Sql, sql } from "../../db/statements.ts";
import type { ClaimedTurns, TurnClaim } from "../../later/turn_lease.ts";
import type { Row, Statement } from "../../platform/database/database.ts";
import { isComingIntoOrder } from "./order.ts";

/** Milliseconds of a claim, longer than the longest attempt; renewed while sending. */
export const deliveryLeaseMs = 10_000;
/** The name of a target's lease is this and the id of its subscription. */
export const leasePrefix = "webhook:";

/** Most deliveries of one target per claim. */
export const mostCapacity = 20;

/** Most bytes of bodies per claim. Other bodies are read one by one when they are sent. */
export const mostBytes = 8 * 1024 * 1024;

/** A delivery with all data for sending. */
export interface Due {
  readonly id: string;
  readonly event_id: string;
  readonly webhook_id: number;
  /** Attempts so far, and those of them that do not count. */
  readonly attempts: number;
  readonly begun_after: number;
  /** JSON: ids of custom fields that the subscription's user does not see; null for none. */
  readonly hidden_fields: string | null;
  readonly target_url: string;
  readonly success_status: "200" | "2xx";
  /** 1: at most one delivery of a record is under way. */
  readonly ordered: number;
  /** Sealed. `previous_token` has earlier tokens that still sign, sealed too. */
  readonly verification_token: string | null;
  readonly previous_token: string | null;
  readonly event_name: string;
  /** Type and id of the record, whose events are sent in order. */
  readonly entity: string;
  readonly sequence: number;
  readonly executor_id: number | null;
  /** In stored form; see `db/json_pool.ts`. Null when not read yet. */
  readonly body: string | null;
  /** When the event happened. */
  readonly generated_at: string;
}

const capacity = literal(mostCapacity);
const bytes = literal(mostBytes);

/**
 * In one batch: releases idle targets, claims or renews targets with due deliveries, and reads these
 * deliveries.
 */
export function claimStatements(claim: TurnClaim): Statement[] {
  const { groups: companies, held, holder, now, taken, turns: webhooks } = claim;
  const capacities = held.map(({ id, capacity }) => [id, capacity]);
  const named = [...capacities, ...webhooks.map((id) => [id, mostCapacity])];
  const wanted = sql`with wanted (id, capacity) as (
    select w.id, ${capacity} from json_each(${JSON.stringify(companies)}) k
    cross join webhooks w indexed by webhooks_by_event on w.company_id = k.value
    where w.deleted_at is null and w.paused_at is null
    and w.id not in (select value ->> 0 from json_each(${JSON.stringify(capacities)}))
    union select value ->> 0, value ->> 1 from json_each(${JSON.stringify(named)}))`;
  const idle = held.filter(({ isBusy }) => !isBusy).map(({ id }) => id);
  return [
    sql`delete from leases where holder = ${holder}
      and name in (select 'webhook:' || value from json_each(${JSON.stringify(idle)}))`,
    sql`insert into leases (name, holder, until) ${wanted}
      select distinct 'webhook:' || t.id, ${holder}, ${now + deliveryLeaseMs} from wanted t
      where ${isSendable} and ${hasDue(now)}
      ${unlessLeased(now, deliveryLeaseMs)} returning name`,
    // The due deliveries. SQL has no limit per row, so the rows of a target are numbered.
    sql`${wanted}, picked (row, place, capacity, size) as (
      select d.rowid, row_number() over (partition by t.id order by d.due_at, d.rowid), t.capacity,
      sum((select octet_length(e.body) from outbox e where e.id = d.event_id)) over (order by d.due_at, d.rowid)
      from wanted t join leases l on l.name = 'webhook:' || t.id and l.holder = ${holder}
      cross join deliveries d on d.rowid in (select y.rowid from deliveries y indexed by deliveries_ready
      where y.webhook_id = t.id and y.status = 'pending' and y.parked = 0 and y.due_at <= ${now}
      and y.id not in (select value from json_each(${JSON.stringify(taken)}))
      order by y.due_at, y.rowid limit ${capacity}) where t.capacity > 0)
      select d.id, d.event_id, d.webhook_id, d.attempts, d.begun_after, d.hidden_fields, w.target_url, w.success_status, w.ordered,
      w.verification_token, w.previous_token, o.event_name,
      o.entity_type || ' ' || o.entity_id as entity, o.sequence, o.executor_id,
      iif(p.size <= ${bytes}, o.body, null) as body, o.created_at as generated_at
      from picked p cross join deliveries d on d.rowid = p.row join webhooks w on w.id = d.webhook_id
      join outbox o on o.id = d.event_id where p.place <= p.capacity order by d.due_at, d.rowid`,
    sql`${wanted} select 1 as refused from wanted t
      join leases l on l.name = 'webhook:' || t.id and l.holder <> ${holder}
      and ${isLeased(now, deliveryLeaseMs)} where ${isSendable} and ${hasDue(now)} limit 1`,
  ];
}

/** Reads the results of `claimStatements`. */
export function readClaimed([, acquired, read, refused]: readonly Row[][]): ClaimedTurns<Due> {
  const held = new Set(acquired!.map(({ name }) => Number(String(name).slice(leasePrefix.length))));
  return {
    held,
    // A lease that was not renewed shows that the subscription has changed.
    due: (read! as (Row & Due)[]).filter(({ webhook_id }) => held.has(webhook_id)),
    isRefused: refused!.length > 0,
  };
}

/** Reads `id` of every active subscription with due deliveries. */
export function selectDueTargets(now: number): Statement {
  return sql`with recursive ${pendingTargets} select t.id from pending t
    where ${isSendable} and ${hasDue(now)}`;
}

/**
 * A recursive common table expression `pending (id)`: subscriptions with pending deliveries, one seek each.
 */
export const pendingTargets = sql`pending (id) as (
  select (select d.webhook_id from deliveries d indexed by deliveries_ready where d.status = 'pending'
  order by d.webhook_id limit 1) union all
  select (select d.webhook_id from deliveries d indexed by deliveries_ready where d.status = 'pending'
  and d.webhook_id > pending.id order by d.webhook_id limit 1) from pending where pending.id is not null)`;

/** Selects a row when the subscription, its user and its company exist. */
export function selectLive(id: Sql): Sql {
  return sql`select 1 from webhooks w join users u on u.id = w.user_id join companies c on c.id = w.company_id
    where w.id = ${id} and w.deleted_at is null and u.deleted_at is null and c.deleted_at is null`;
}

/** SQL: the subscription of the row `t` may be sent to. */
const isSendable = sql`(${isReleased("webhook-deliveries")} and exists (${selectLive(sql`t.id`)}
  and w.paused_at is null) and not ${isComingIntoOrder(sql`t.id`)})`;

/** SQL: the subscription of the row `t` has due deliveries. */
function hasDue(now: number): Sql {
  return sql`exists (select 1 from deliveries d indexed by deliveries_ready
    where d.webhook_id = t.id and d.status = 'pending' and d.parked = 0 and d.due_at <= ${now})`;
}

/** Reads the body of a delivery that was claimed without it. */
export function selectBody({ event_id }: Due): Statement {
  return sql`select body from outbox where id = ${event_id}`;
}
