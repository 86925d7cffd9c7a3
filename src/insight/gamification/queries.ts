/** Reads of badges, levels and the stream. */
import { type Caller, isAdmin } from "../../core/access.ts";
import { ok } from "../../core/answer.ts";
import { notFound } from "../../core/errors.ts";
import { Turns } from "../../core/turns.ts";
import type { Context } from "../../db/context.ts";
import { makeCompanyScope } from "../../db/scope.ts";
import { type Sql, sql } from "../../db/statements.ts";
import { type List, type ListPage, readList } from "../../lists/list.ts";
import type { Paging } from "../../lists/paging.ts";
import type { Result, Row, Statement } from "../../platform/database/database.ts";
import {
  mostUnreached,
  readFact,
  readPlayer,
  selectFactsOfPlayer,
  selectPlayer,
  stepFacts,
} from "./facts_read.ts";
import { play, type Player } from "./player.ts";
import { presentBadges, presentLevel } from "./present.ts";
import { type StreamQuery, streamSorts } from "./schema.ts";

export async function getBadges(ctx: Context) {
  return ok(presentBadges(await readOwnPlayer(ctx)));
}

export async function getLevel(ctx: Context) {
  return ok(presentLevel(await readOwnPlayer(ctx)));
}

/**
 * Returns the caller's game up to this moment: the state that the job has stored, and the facts since then.
 */
async function readOwnPlayer({ caller, deps }: Context): Promise<Player> {
  const [from, state, first] = await deps.db.read(selectPlayer(caller));
  const last = Number(from!.rows[0]!.seq) + mostUnreached;
  const player = readPlayer(state!.rows[0]);
  const turns = new Turns();
  for (let { rows } = first!;;) {
    for (const row of rows) play(player, readFact(row));
    if (rows.length < stepFacts) return player;
    await turns.next();
    const [next] = await deps.db.read([selectFactsOfPlayer(caller, sql`${player.seq}`, sql`${last}`)]);
    rows = next!.rows;
  }
}

export const streamOrder = { sorts: streamSorts, order: "-created_at" };

/** A page of the events of the caller, and of users in the caller's teams and groups; admins see all. */
export function listStream(ctx: Context, { users }: StreamQuery, paging: Paging): Promise<ListPage> {
  const { caller } = ctx;
  const scope = makeCompanyScope(caller);
  const streamList = listFor(caller);
  if (isAdmin(caller) && users === undefined) return readList(ctx, streamList, { scope, paging });
  const seen = isAdmin(caller) ? sql`1` : sql`s.user_id in (${selectUsersSeen(caller)})`;
  const asked = users === undefined
    ? sql`1`
    : sql`s.user_id in (select value from json_each(${JSON.stringify(users)}))`;
  const ids =
    sql`select s.id from stream_events s where s.company_id = ${caller.companyId} and ${seen} and ${asked}`;
  return readList(ctx, streamList, { scope, paging, ids, totals: [sql`select count(*) as n from (${ids})`] });
}

function listFor({ userId }: Caller): List {
  return {
    table: "stream_events",
    alias: "event",
    columns: sql`event.id, event.user_id, event.type, event.data, event.created_at, event.updated_at,
      u.first_name || ' ' || u.last_name as user_name,
      exists (select 1 from high_fives h where h.event_id = event.id and h.user_id = ${userId}) as high_fived`,
    joins: sql`left join users u on u.id = event.user_id`,
    ...streamOrder,
    isCounted: true,
  };
}

/** SQL: the caller, and the users in the caller's teams and in teams of a group with them. */
function selectUsersSeen({ userId, visibleTeamIds }: Caller): Sql {
  return sql`select ${userId} union select m.user_id from team_members m
    where m.team_id in (select value from json_each(${JSON.stringify(visibleTeamIds)}))`;
}

/** Reads an event of the company for `requireEvent`. */
export function selectEventById(caller: Caller, id: number): Statement {
  const seen = isAdmin(caller) ? sql`1` : sql`e.user_id in (${selectUsersSeen(caller)})`;
  return sql`select e.user_id from stream_events e where e.id = ${id} and e.company_id = ${caller.companyId}
    and ${seen}`;
}

/** Returns the event; 404 when the caller does not see it. */
export function requireEvent({ rows: [event] }: Result): Row {
  if (!event) throw notFound();
  return event;
}

/** Returns the users who gave a high five, the first one first, without deleted users. */
export async function listHighFives({ caller, deps }: Context, id: number) {
  const [found, users] = await deps.db.read([
    selectEventById(caller, id),
    sql`select u.id, u.first_name || ' ' || u.last_name as name from high_fives h join users u on u.id = h.user_id
      where h.event_id = ${id} and u.company_id = ${caller.companyId} and u.deleted_at is null
      order by h.created_at, u.id`,
  ]);
  requireEvent(found!);
  const data = users!.rows.map((user) => ({ id: Number(user.id), name: String(user.name) }));
  return ok({ data });
}
