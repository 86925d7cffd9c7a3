/** Events as statements of the batch that makes them: the outbox row, and a delivery a subscription. */
import { type Late, withIdSql, withLateSql } from "../core/answer.ts";
import type { EventName, testEvent } from "../core/events.ts";
import { newId } from "../core/ids.ts";
import type { Json } from "../core/json.ts";
import type { Statement, Value } from "../platform/database/database.ts";
import type { Author } from "./commit.ts";
import { visibleTeamIds } from "./scope.ts";

export interface EventDraft {
  readonly name: EventName | typeof testEvent;
  readonly entity: {
    readonly type: string;
    /** Null: the integer id that this batch gives. */
    readonly id: string | number | null;
    /** Whose it is, for visibility; null: everybody's in the company (a lead's: nobody's but the agency's). */
    readonly team_id: number | null;
    readonly agency_team_id?: number | null;
    readonly created_by: number | null;
  };
  /** What GET answers for the entity right after the change (right before, for a deletion). */
  readonly body: Json;
  /** Who sees it, and what of it, goes by what was before the change: for a deletion that ends memberships. */
  readonly seenBefore?: true;
  /** The one subscription that gets it, whatever it subscribes to, and the id of the delivery. */
  readonly only?: { readonly webhook_id: number; readonly delivery_id: string };
}

/** Why a delivery that was never tried has failed. */
export const missed = "the subscription was paused";

/**
 * When what is written now is to be sent, epoch milliseconds. A timer may look ahead, and act as if it were later;
 * what it causes goes out by the clock all the same.
 */
export function dueAtOnce({ deps, now }: Pick<Author, "deps" | "now">): number {
  return Math.min(now, deps.clock.now());
}

/** Three statements; the last one makes the deliveries and tells by its changes how many. */
export function eventStatements(
  author: Author,
  companyId: number,
  event: EventDraft,
  id: string | null,
  late?: Late,
): Statement[] {
  const { entity } = event;
  const eventId = newId(author.now);
  const key = entity.id === null ? `cast(${id} as text)` : "?";
  const keyArgs: Value[] = entity.id === null ? [] : [String(entity.id)];
  const text = entity.id === null && id ? withIdSql(event.body, id) : "?";
  const body = late ? withLateSql(text, late) : text;
  return [
    {
      sql: "insert into event_sequences (company_id, entity_type, entity_id, last) " +
        `values (?, ?, ${key}, 1) on conflict (company_id, entity_type, entity_id) do update set last = last + 1`,
      args: [companyId, entity.type, ...keyArgs],
    },
    {
      sql: "insert into outbox (id, company_id, event_name, entity_type, entity_id, sequence, executor_id, " +
        `team_id, agency_team_id, created_by, body, created_at) values (?, ?, ?, ?, ${key}, ` +
        `(select last from event_sequences where company_id = ? and entity_type = ? and entity_id = ${key}), ` +
        `?, ?, ?, ?, ${body}, ?)`,
      args: [
        eventId,
        companyId,
        event.name,
        entity.type,
        ...keyArgs,
        companyId,
        entity.type,
        ...keyArgs,
        author.caller?.userId ?? null,
        entity.team_id,
        entity.agency_team_id ?? null,
        entity.created_by,
        event.body.tag,
        author.at,
      ],
    },
    event.only ? deliveryTo(author, event.only, eventId) : deliveriesOf(author, companyId, event, eventId),
  ];
}

/**
 * The parameter and the SQL that make version 7 ids of the moment (epoch milliseconds), another for each row. They
 * rise from call to call, as ids of this process do, so that an index takes many of them into few of its pages: with
 * nothing but chance behind the time, timers that move thousands of leads wrote twice as much. `number`: SQL of an
 * integer that is another one in each row. Of the last 32 bits, half are chance, since another process may count
 * alike, and half are of the number.
 */
export function stampedId(now: number, number: string): [parameter: string, sql: string] {
  return [newId(now).slice(0, 28), `lower(? || hex(randomblob(2)) || printf('%04x', (${number}) & 65535))`];
}

function deliveryTo(author: Author, only: NonNullable<EventDraft["only"]>, eventId: string): Statement {
  return {
    sql: "insert into deliveries (id, company_id, webhook_id, event_id, due_at, created_at) " +
      "select ?, w.company_id, w.id, ?, ?, ? from webhooks w where w.id = ? and w.deleted_at is null",
    args: [only.delivery_id, eventId, dueAtOnce(author), author.at, only.webhook_id],
  };
}

/**
 * A delivery for every subscription that exists at this moment, wants the event, and whose user may see
 * the entity: so these three are true by construction. One that is paused gets its delivery too, as failed:
 * what is recovered later is then what was missed, of what the user saw at this moment and as it was shown then.
 * Looking for it later, in the events that were kept, would go by what the user sees and the subscription
 * wants by then.
 */
function deliveriesOf(author: Author, companyId: number, event: EventDraft, eventId: string): Statement {
  const { entity } = event;
  const sees = entity.type === "lead" ? seesLead : seesTeam;
  const whose: Value[] = entity.type === "lead"
    ? [entity.team_id, entity.agency_team_id ?? null, entity.agency_team_id ?? null]
    : [entity.team_id, entity.team_id];
  // To number the rows by a window function would make the statement, which most often adds none, four times as slow.
  const [time, id] = stampedId(author.now, "w.id");
  return {
    sql: "insert into deliveries " +
      "(id, company_id, webhook_id, event_id, due_at, created_at, status, error, hidden_fields) " +
      `select ${id}, w.company_id, w.id, ?, ?, ?, iif(w.paused_at is null, 'pending', 'failed'), ` +
      `iif(w.paused_at is null, null, '${missed}'), ${author.fields?.scoped ? hiddenFields : "null"} ` +
      "from webhooks w join users u on u.id = w.user_id and u.deleted_at is null " +
      "where w.company_id = ? and w.event_name in ('*', ?) and w.deleted_at is null " +
      `and (w.scope = 'global' or w.user_id = ?) and (u.user_type = 1 or ${sees})`,
    args: [time, eventId, dueAtOnce(author), author.at, companyId, event.name, entity.created_by, ...whose],
  };
}

/** The fields of teams and groups that a subscription's user is not in, at this moment. */
const hiddenFields =
  "(select nullif(json_group_array(f.id), '[]') from fields f where f.company_id = w.company_id " +
  "and f.deleted_at is null and (f.team_id is not null or f.group_id is not null) and u.user_type <> 1 " +
  "and not exists (select 1 from team_members m join teams t on t.id = m.team_id " +
  "where m.user_id = u.id and (m.team_id = f.team_id or t.group_id = f.group_id)))";

const seesTeam = `(? is null or ? in (${visibleTeamIds("u.id")}))`;

const seesLead = `(? in (${visibleTeamIds("u.id")}) or (` +
  "exists (select 1 from user_roles r join role_rights g on g.role_id = r.role_id " +
  "where r.user_id = u.id and g.right_name = 'agency') and " +
  "(? is null or exists (select 1 from team_members m where m.user_id = u.id and m.team_id = ?))))";
