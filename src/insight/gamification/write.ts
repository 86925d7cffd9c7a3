/** Statements that change players or the stream. */
import { formatTimestamp } from "../../core/time.ts";
import { type Sql, sql } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";
import { findBadgeId } from "./badges.ts";
import type { Achievement, Player } from "./player.ts";
import type { EventType } from "./table.ts";

/** A user's game. */
export interface Game {
  readonly company_id: number;
  readonly user_id: number;
  readonly player: Player;
}

/** An event of the stream before it is stored. */
export interface NewEvent {
  readonly company_id: number;
  readonly user_id: number;
  readonly type: EventType;
  readonly key: string;
  readonly data: unknown;
  /** Epoch seconds. */
  readonly at: number;
}

export function makeAchievementEvent(
  { company_id, user_id }: Omit<Game, "player">,
  achievement: Achievement,
): NewEvent {
  const { type, at } = achievement;
  const base = { company_id, user_id, type, at };
  if (type === "new_level") {
    const name = `level_${achievement.level}`;
    return { ...base, key: name, data: { level: { name } } };
  }
  const { badge } = achievement;
  return { ...base, key: badge, data: { badge: { id: findBadgeId(badge), name: badge } } };
}

/** Stores the games of companies that exist. */
export function storeGames(games: readonly Game[]): Statement {
  const rows = games.map(({ company_id, user_id, player }) => [company_id, user_id, JSON.stringify(player)]);
  return sql`insert into game_players (company_id, user_id, state)
    select c.id, e.value ->> 1, e.value ->> 2 from json_each(${JSON.stringify(rows)}) e
    join companies c on c.id = e.value ->> 0 where true
    on conflict (company_id, user_id) do update set state = excluded.state`;
}

/** Adds events to the stream, each once, in companies that exist. */
export function storeEvents(events: readonly NewEvent[]): Statement {
  const rows = events.map(({ company_id, user_id, type, key, data, at }) => {
    return [company_id, user_id, type, key, JSON.stringify(data), formatTimestamp(at * 1000)];
  });
  return sql`insert into stream_events (company_id, user_id, type, key, data, created_at, updated_at)
    select c.id, e.value ->> 1, e.value ->> 2, e.value ->> 3, e.value ->> 4, e.value ->> 5, e.value ->> 5
    from json_each(${JSON.stringify(rows)}) e join companies c on c.id = e.value ->> 0 where true
    order by e.key on conflict (user_id, type, key) do nothing`;
}

/** Deletes events (a select of ids) with their high fives. */
export function deleteEvents(ids: Sql): Statement[] {
  return [
    sql`delete from high_fives where event_id in (${ids})`,
    sql`delete from stream_events where id in (${ids})`,
  ];
}

/**
 * Deletes the wins of a rank after a moment (epoch milliseconds). The keys of wins begin with the id of the
 * rank.
 */
export function deleteWins(companyId: number, rankId: string, after: number): Statement[] {
  return deleteEvents(sql`select e.id from stream_events e where e.company_id = ${companyId}
    and e.type = 'rank_won' and e.key like ${`${rankId}:%`} and e.created_at > ${formatTimestamp(after)}`);
}
