/** Events as statements of the batch that makes them: an outbox row, and a delivery for each subscription. */
import type { Late } from "../core/answer.ts";
import type { EventName, testEvent } from "../core/events.ts";
import { makeId } from "../core/ids.ts";
import type { Json } from "../core/json.ts";
import type { Statement } from "../platform/database/database.ts";
import type { Author } from "./author.ts";
import { selectVisibleTeamIds } from "./scope.ts";
import { rawSql, type Sql, sql } from "./statements.ts";

/** The teams that decide who sees a record; see `EventDraft`. */
export interface Teams {
  readonly team_id: number | null;
  readonly agency_team_id?: number | null;
}

export interface EventDraft<T = unknown> {
  readonly name: EventName | typeof testEvent;
  readonly entity: {
    readonly type: string;
    /** Null: the integer id that this batch assigns. */
    readonly id: string | number | null;
    /** The team, for visibility; null: shared in the company (of a lead: visible to its agency only). */
    readonly team_id: number | null;
    readonly agency_team_id?: number | null;
    readonly created_by: number | null;
    /** The teams before a change that may move the record: callers who lose sight of it get this event as the last. */
    readonly before?: Teams | undefined;
  };
  /** The body that GET returns right after the change (before it, for a deletion). */
  readonly body: T | Json<T>;
  /** Uses the visibility before the change: for a deletion that ends memberships. */
  readonly seenBefore?: true;
  /** The only subscription that receives it, and the id of the delivery. */
  readonly only?: { readonly webhook_id: number; readonly delivery_id: string };
}

/** Error of a delivery that was never attempted. */
export const missed = "the subscription was paused";

/**
 * Returns when a row that is written now is due, epoch milliseconds. A timer can look ahead and act as if it
 * were later; its events are still due by the clock.
 */
export function dueAtOnce({ deps, now }: Pick<Author, "deps" | "now">): number {
  return Math.min(now, deps.clock.now());
}

/**
 * Returns three statements. The last one writes the deliveries; its `changes` are their number. `id`: SQL for
 * the integer id that the batch assigns, if any.
 */
export function insertEvent(
  author: Author,
  companyId: number,
  event: Omit<EventDraft, "body"> & { readonly body: Json },
  id: Sql | null,
  late?: Late,
): Statement[] {
  const { name, entity, only } = event;
  const eventId = makeId(author.now);
  const key = entity.id === null ? sql`cast(${id ?? sql`null`} as text)` : sql`${String(entity.id)}`;
  const body = composeStoredBody(event.body, id, late);
  const before = pickFormerStreams(entity);
  return [
    sql`insert into event_sequences (company_id, entity_type, entity_id, last)
      values (${companyId}, ${entity.type}, ${key}, 1)
      on conflict (company_id, entity_type, entity_id) do update set last = last + 1`,
    sql`insert into outbox (id, company_id, event_name, entity_type, entity_id, sequence, executor_id,
      team_id, agency_team_id, created_by, body, created_at, recorded_at, team_before, agency_team_before)
      values (${eventId}, ${companyId}, ${name}, ${entity.type}, ${key},
      (select last from event_sequences
      where company_id = ${companyId} and entity_type = ${entity.type} and entity_id = ${key}),
      ${author.caller?.userId ?? null}, ${entity.team_id}, ${entity.agency_team_id ?? null},
      ${entity.created_by}, ${body}, ${author.at}, ${author.deps.clock.now()},
      ${before.team}, ${before.agency})`,
    only ? insertDelivery(author, only, eventId) : insertDeliveries(author, eventId),
  ];
}

/** Returns the teams to store for an event that moves its record (0: none); nulls for one that does not. */
function pickFormerStreams(entity: EventDraft["entity"]): { team: number | null; agency: number | null } {
  const { before, team_id, agency_team_id = null } = entity;
  const agency = before?.agency_team_id ?? null;
  if (!before || (before.team_id === team_id && agency === agency_team_id)) {
    return { team: null, agency: null };
  }
  return { team: before.team_id ?? 0, agency: agency ?? 0 };
}

/** SQL: the stored form of a body, with the numbers that only the batch knows. */
export function composeStoredBody(body: Json | null, id: Sql | null, late?: Late): Sql {
  const given = [
    ...(id && lacks(body?.value, "id") ? [`'$.id', ${id.sql}`] : []),
    ...(late && lacks(body?.value, late.key) ? [`'$.${late.key}', ${late.sql}`] : []),
  ];
  const filled = given.length === 0 ? "?" : `json_set(?, ${given.join(", ")})`;
  return rawSql(filled, [body?.tag ?? null]);
}

/** Returns whether a body waits for the number that the batch assigns. */
export function lacks(body: unknown, key: string): boolean {
  return typeof body === "object" && body !== null && (body as Readonly<Record<string, unknown>>)[key] === 0;
}

/**
 * SQL: version 7 ids of a moment (epoch milliseconds), a different one in each row. They rise from call to
 * call, like the ids of this process, so that they share few pages of an index; random ids doubled the writes
 * of timers that move thousands of leads. `number`: SQL of an integer that differs in each row. The last 32
 * bits are 16 random bits, because other processes count in the same way, and 16 bits of the number.
 */
export function composeStampedId(now: number, number: Sql): Sql {
  const stamp = makeId(now).slice(0, 28);
  return sql`lower(${stamp} || hex(randomblob(2)) || printf('%04x', (${number}) & 65535))`;
}

function insertDelivery(author: Author, only: NonNullable<EventDraft["only"]>, eventId: string): Statement {
  return sql`insert into deliveries (id, company_id, webhook_id, event_id, due_at, created_at)
    select ${only.delivery_id}, w.company_id, w.id, ${eventId}, ${dueAtOnce(author)}, ${author.at}
    from webhooks w where w.id = ${only.webhook_id} and w.deleted_at is null`;
}

/**
 * Writes a delivery for every subscription that exists at this moment, wants the event, and whose user sees
 * the entity. A paused subscription gets it as failed, so that a later recovery sends exactly what was
 * missed, as the user saw it at this moment. A later search in stored events would use the visibility and
 * subscription of that later time.
 */
function insertDeliveries(author: Author, eventId: string): Statement {
  // Numbering the rows by a window function would make this statement, which mostly adds none, four times as
  // slow.
  return sql`insert into deliveries
    (id, company_id, webhook_id, event_id, due_at, created_at, status, error, hidden_fields, entity, parked)
    select ${composeStampedId(author.now, sql`w.id`)}, o.company_id, w.id, o.id, ${dueAtOnce(author)},
    ${author.at}, iif(w.paused_at is null, 'pending', 'failed'), iif(w.paused_at is null, null, ${missed}),
    ${author.fields?.scoped ? hiddenFields : sql`null`},
    iif(w.ordered, ${entityKey}, null), w.ordered and exists (select 1 from deliveries e
    indexed by deliveries_in_order where e.webhook_id = w.id and e.entity = ${entityKey} and e.status = 'pending'
    and e.again = 0 and e.entity is not null)
    from outbox o cross join webhooks w on w.company_id = o.company_id and w.event_name in ('*', o.event_name)
    and w.deleted_at is null and (w.scope = 'global' or w.user_id = o.created_by)
    join users u on u.id = w.user_id and u.deleted_at is null
    where o.id = ${eventId} and (u.user_type = 1 or ${seesEntity})`;
}

/** SQL: what the deliveries of a record in order have in common. */
const entityKey = sql`o.entity_type || ' ' || o.entity_id`;

/** SQL: fields of teams and groups that the subscription's user is not in, at this moment. */
const hiddenFields = sql`(select nullif(json_group_array(f.id), '[]') from fields f
  where f.company_id = w.company_id and f.deleted_at is null
  and (f.team_id is not null or f.group_id is not null) and u.user_type <> 1
  and not exists (select 1 from team_members m join teams t on t.id = m.team_id
  where m.user_id = u.id and (m.team_id = f.team_id or t.group_id = f.group_id)))`;

const visibleToUser = selectVisibleTeamIds(sql`u.id`);

/** SQL: whether the subscription's user sees the entity of the event. */
const seesEntity = sql`case o.entity_type when 'lead' then o.team_id in (${visibleToUser}) or (
  exists (select 1 from user_roles r join role_rights g on g.role_id = r.role_id
  where r.user_id = u.id and g.right_name = 'agency') and
  (o.agency_team_id is null or exists (select 1 from team_members m
  where m.user_id = u.id and m.team_id = o.agency_team_id)))
  else o.team_id is null or o.team_id in (${visibleToUser}) end`;
