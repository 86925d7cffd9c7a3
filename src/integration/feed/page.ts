/** A page of the event feed: what a caller sees of a company's events behind a position, in the order of commits. */
import { testEvent } from "../../core/events.ts";
import { Json } from "../../core/json.ts";
import type { Context } from "../../db/context.ts";
import { feedEpoch } from "../../db/feed_epoch.ts";
import { bindRows, joinSql, literal, type Sql, sql } from "../../db/statements.ts";
import type { Result, Row } from "../../platform/database/database.ts";
import type { FeedPage } from "./schema.ts";
import {
  type Cursor,
  makeCursorWriter,
  makeExpiredCursorProblem,
  readCursor,
  shortenEpoch,
} from "./cursor.ts";
import { hashVisibility, seesAfter, wasSeenBefore } from "./seen_events.ts";
import { fieldIds, limitToSeenFields } from "./seen_fields.ts";

/** The events that a page reads at most, seen or not. */
const mostRead = 10_000;
/** Bytes of stored bodies, and characters of written ones, after which a page ends early. */
const mostStored = 8 * 1024 * 1024;
const mostWritten = 16 * 1024 * 1024;

export interface Filter {
  readonly types?: readonly string[] | undefined;
  readonly entity_type?: string | undefined;
  readonly entity_id?: string | undefined;
}

/** Where a page begins: the oldest event that is kept, from now on, or behind a cursor. */
export type Start = "oldest" | "now" | Cursor;

/** Returns the start that a query names. Throws 422 for text that is no cursor of the company. */
export function parseStart({ deps, caller }: Context, after: string | undefined): Start {
  if (after === undefined) return "oldest";
  return after === "now" ? after : readCursor(deps.secretsKey, caller.companyId, after);
}

export interface Page {
  /** The items as JSON, with their cursors. */
  readonly items: readonly { readonly cursor: string; readonly text: string }[];
  /** Right behind what the page has read. */
  readonly next: Cursor;
  readonly nextText: string;
  readonly more: boolean;
  readonly visibility: string;
}

/** Reads a page. Throws 410 for a cursor behind which events are removed, or from before a restore. */
export async function readPage(
  ctx: Context,
  start: Start,
  filter: Filter,
  { limit, most = mostWritten }: { readonly limit: number; readonly most?: number },
): Promise<Page> {
  const statements = selectFeedPage(ctx, start, filter, limit);
  const visibility = hashVisibility(ctx.caller, ctx.fields);
  // Readers that wait behind the same event and see the same get one page: it is read and written once.
  const key = JSON.stringify([visibility, most, statements.map(({ sql, args }) => [sql, args])]);
  return await ctx.deps.eventReaders.share(key, async () => {
    const [state, found] = await ctx.deps.db.read(statements);
    const rows = found!.rows as (Row & EventRow)[];
    return await makePage(ctx, { start, limit, most, visibility, ...readState(state!), rows });
  });
}

interface Found extends ReturnType<typeof readState> {
  readonly start: Start;
  readonly limit: number;
  readonly most: number;
  readonly visibility: string;
  readonly rows: readonly EventRow[];
}

async function makePage({ deps, caller, fields }: Context, found: Found): Promise<Page> {
  const { start, limit, most, visibility, rows, floor, from, last, until, epoch } = found;
  const cursorOf = makeCursorWriter(deps.secretsKey, caller.companyId, epoch);
  if (typeof start === "object" && (start.epoch !== epoch || start.position < floor)) {
    throw makeExpiredCursorProblem(cursorOf(floor));
  }
  const seen = fieldIds(fields.seen);
  const items: { cursor: string; text: string }[] = [];
  let written = 0;
  for (const row of rows) {
    if (items.length > 0 && (row.bytes > mostStored || written > most)) break;
    const cursor = cursorOf(row.position);
    const body = row.visible === 1 ? limitToSeenFields(await deps.jsonPool.expand(row.body!), seen) : "null";
    const text = writeItem(row, cursor, body);
    written += text.length;
    items.push({ cursor, text });
  }
  const isWhole = items.length === rows.length && rows.length < limit;
  const reached = isWhole ? until ?? Math.max(from, last) : rows[items.length - 1]!.position;
  return {
    items,
    next: { position: reached, epoch },
    nextText: cursorOf(reached),
    more: last > reached,
    visibility,
  };
}

/** Writes the answer of a page. */
export function writePage({ items, nextText, more, visibility }: Page): Json<FeedPage> {
  const pieces = items.flatMap(({ text }, n) => n === 0 ? [text] : [",", text]);
  const rest = JSON.stringify({ next: nextText, more, visibility });
  return new Json(['{"data":[', ...pieces, "],", rest.slice(1)]);
}

interface EventRow {
  readonly position: number;
  readonly id: string;
  readonly event_name: string;
  readonly entity_type: string;
  readonly entity_id: string;
  readonly sequence: number;
  readonly executor_id: number | null;
  readonly created_at: string;
  readonly visible: number;
  /** Of the bodies up to this one. */
  readonly bytes: number;
  /** Null when the page ends before it. */
  readonly body: string | null;
}

function writeItem(row: EventRow, cursor: string, body: string): string {
  const { id, event_name: event, entity_type, entity_id, sequence, executor_id, created_at, visible } = row;
  const head = { id, cursor, event, entity_type, entity_id, sequence, executor_id, created_at };
  return `${JSON.stringify({ ...head, visible: visible === 1 }).slice(0, -1)},"data":${body}}`;
}

function selectFeedPage(ctx: Context, start: Start, filter: Filter, limit: number): Sql[] {
  const { caller } = ctx;
  const { companyId } = caller;
  const floor = sql`coalesce((select f.position from feed_floors f where f.company_id = ${companyId}), 0)`;
  const last = sql`max(${floor}, coalesce((select max(e.position) from outbox e
    where e.company_id = ${companyId}), 0))`;
  const from = start === "oldest" ? floor : start === "now" ? last : sql`${start.position}`;
  const until =
    sql`(select e.position from outbox e where e.company_id = ${companyId} and e.position > ${from}
    order by e.position limit 1 offset ${literal(mostRead - 1)})`;
  const { types, entity_type, entity_id } = filter;
  const named = [
    ...(types ? [sql` and o.event_name in (select value from json_each(${JSON.stringify(types)}))`] : []),
    ...(entity_type === undefined ? [] : [sql` and o.entity_type = ${entity_type}`]),
    ...(entity_id === undefined ? [] : [sql` and o.entity_id = ${entity_id}`]),
  ];
  const sees = seesAfter(caller);
  const picked = sql`select o.position, ${sees} as visible from outbox o indexed by outbox_by_company
    where o.company_id = ${companyId} and o.position > ${from}
    and o.position <= coalesce(${until}, ${literal(Number.MAX_SAFE_INTEGER)})
    and o.event_name <> ${testEvent}${joinSql(named, "")} and (${sees} or ${wasSeenBefore(caller)})
    order by o.position limit ${bindRows(limit)}`;
  return [
    sql`select ${feedEpoch} as epoch, ${floor} as floor, ${from} as start, ${last} as last, ${until} as until`,
    sql`select position, id, event_name, entity_type, entity_id, sequence, executor_id, created_at, visible, bytes,
      iif(bytes <= ${literal(mostStored)} or place = 1, body, null) as body from (
      select o.position, o.id, o.event_name, o.entity_type, o.entity_id, o.sequence, o.executor_id, o.created_at,
      p.visible, o.body, row_number() over (order by p.position) as place,
      sum(octet_length(o.body)) over (order by p.position) as bytes
      from (${picked}) p cross join outbox o on o.position = p.position) order by position`,
  ];
}

function readState({ rows: [row] }: Result) {
  return {
    epoch: shortenEpoch(String(row!.epoch)),
    floor: Number(row!.floor),
    from: Number(row!.start),
    last: Number(row!.last),
    until: row!.until === null ? null : Number(row!.until),
  };
}
