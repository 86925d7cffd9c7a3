/** Works all players and their stream out again from the first fact, and mends what differs. */
import { formatTimestamp } from "../../core/time.ts";
import { sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import { GuardRefused, guardThat, type Row, type Statement } from "../../platform/database/database.ts";
import { counts, nextFacts, reached } from "./facts_read.ts";
import { playAll, playFacts } from "./run.ts";
import { deleteEvents, type Game, type NewEvent, storeEvents, storeGames } from "./write.ts";

const pageFacts = 5_000;
/** Rows of one write. */
const chunk = 200;
/** How often it begins again because facts were recorded meanwhile. */
const mostAttempts = 10;

export interface Rebuilt {
  readonly players: number;
  /** Players and events that differed. */
  readonly mended: number;
}

/** Changes nothing when nothing is wrong. High fives of events that stay are kept. */
export async function rebuildGame(deps: Pick<Deps, "db" | "clock" | "stopping">): Promise<Rebuilt> {
  for (let attempt = 1;; attempt++) {
    await playFacts(deps);
    try {
      return await rebuildOnce(deps.db);
    } catch (error) {
      if (!(error instanceof GuardRefused) || attempt === mostAttempts) throw error;
    }
  }
}

async function rebuildOnce(db: Deps["db"]): Promise<Rebuilt> {
  const [found] = await db.read([sql`select ${reached} as seq`]);
  const last = Number(found!.rows[0]!.seq);
  const games = new Map<string, Game>();
  const events = new Map<string, NewEvent>();
  for (let after = 0;;) {
    const [page] = await db.read([nextFacts(sql`${after}`, last, pageFacts)]);
    const { rows } = page!;
    for (const event of playAll(games, rows.filter(counts))) events.set(eventKey(event), event);
    if (rows.length < pageFacts) break;
    after = Number(rows.at(-1)!.seq);
  }
  const wrong = [...await playerDifferences(db, games), ...await eventDifferences(db, events)];
  const guard = guardThat("game_reach", sql`${reached} = ${last}`);
  for (const { statements } of wrong) await db.write([guard, ...statements]);
  return { players: games.size, mended: wrong.reduce((sum, { rows }) => sum + rows, 0) };
}

interface Mending {
  readonly rows: number;
  readonly statements: readonly Statement[];
}

async function playerDifferences(db: Deps["db"], games: ReadonlyMap<string, Game>): Promise<Mending[]> {
  const [found] = await db.read([sql`select company_id, user_id, state from game_players`]);
  const stored = new Map(found!.rows.map((row) => [`${row.company_id}:${row.user_id}`, row]));
  const different = [...games].filter(([key, { player }]) =>
    canonical(stored.get(key)?.state) !== canonical(JSON.stringify(player))
  );
  const surplus = [...stored].filter(([key]) => !games.has(key)).map(([, row]) => row);
  return [
    ...chunks(different).map((some) => ({
      rows: some.length,
      statements: [storeGames(some.map(([, game]) => game))],
    })),
    ...chunks(surplus).map((some) => ({
      rows: some.length,
      statements: some.map(({ company_id, user_id }) =>
        sql`delete from game_players where company_id = ${company_id!} and user_id = ${user_id!}`
      ),
    })),
  ];
}

async function eventDifferences(db: Deps["db"], events: ReadonlyMap<string, NewEvent>): Promise<Mending[]> {
  const [found] = await db.read([
    sql`select id, user_id, type, key, data, created_at from stream_events where type <> 'rank_won'`,
  ]);
  const isRight = (row: Row) => {
    const event = events.get(eventKey(row));
    return event !== undefined && row.created_at === formatTimestamp(event.at * 1000) &&
      row.data === JSON.stringify(event.data);
  };
  const wrong = found!.rows.filter((row) => !isRight(row));
  const stored = new Set(found!.rows.filter(isRight).map(eventKey));
  const missing = [...events].filter(([key]) => !stored.has(key)).map(([, event]) => event);
  return [
    ...chunks(wrong).map((some) => ({
      rows: some.length,
      statements: deleteEvents(sql`select value from json_each(${JSON.stringify(some.map(({ id }) => id))})`),
    })),
    ...chunks(missing).map((some) => ({ rows: some.length, statements: [storeEvents(some)] })),
  ];
}

const eventKey = ({ user_id, type, key }: Row | NewEvent) => `${user_id}|${type}|${key}`;

/** JSON whose members stand in the order of their names. */
function canonical(state: unknown): string | null {
  if (typeof state !== "string") return null;
  return JSON.stringify(
    JSON.parse(state),
    (_, value) =>
      value !== null && typeof value === "object" && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1))
        : value,
  );
}

function chunks<T>(rows: readonly T[]): T[][] {
  const parts: T[][] = [];
  for (let from = 0; from < rows.length; from += chunk) parts.push(rows.slice(from, from + chunk));
  return parts;
}
