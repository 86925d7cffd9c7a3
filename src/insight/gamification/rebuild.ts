/** Computes all players and their stream again from the first fact, and corrects what differs. */
import { formatTimestamp } from "../../core/time.ts";
import { bindRows, sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import {
  GuardRefused,
  guardThat,
  type Result,
  type Row,
  type Statement,
} from "../../platform/database/database.ts";
import { reached, selectFactsOfUsers, type Users } from "./facts_read.ts";
import { playAll, playFacts } from "./run.ts";
import { deleteEvents, type Game, type NewEvent, storeEvents, storeGames } from "./write.ts";

/** The users of a page, whose games are in memory at the same time. Each page reads all facts once. */
const pageUsers = 1_000;
/** Facts of one read. */
const windowFacts = 20_000;
/** Rows of one write. */
const chunk = 200;
/** The most attempts at a page. It begins again when the job has processed new facts meanwhile. */
const mostAttempts = 10;

export interface Rebuilt {
  readonly players: number;
  /** Players and events that differed. */
  readonly mended: number;
}

/**
 * Rebuilds all games, in pages of users. Writes only what differs. Keeps the high fives of events that stay.
 */
export async function rebuildGame(deps: Pick<Deps, "db" | "clock" | "stopping">): Promise<Rebuilt> {
  await playFacts(deps);
  let [players, mended] = [0, 0];
  for (let users = await readNextUsers(deps.db, 0); users; users = await readNextUsers(deps.db, users.last)) {
    const rebuilt = await rebuildPage(deps.db, users);
    players += rebuilt.players;
    mended += rebuilt.mended;
  }
  return { players, mended };
}

/** Returns the next page of users after an id; null after the last page, which has no upper bound. */
async function readNextUsers(db: Deps["db"], after: number): Promise<Users | null> {
  if (after === Number.MAX_SAFE_INTEGER) return null;
  const [found] = await db.read([
    sql`select max(id) as last, count(*) as n from (select id from users where id > ${after}
      order by id limit ${bindRows(pageUsers)})`,
  ]);
  const { last, n } = found!.rows[0]!;
  return { after, last: Number(n) < pageUsers ? Number.MAX_SAFE_INTEGER : Number(last) };
}

async function rebuildPage(db: Deps["db"], users: Users): Promise<Rebuilt> {
  let mended = 0;
  for (let attempt = 1;; attempt++) {
    // The stored state includes the facts up to the `seq` that is read with it.
    const [found, players, events] = await db.read([
      sql`select ${reached} as seq`,
      sql`select company_id, user_id, state from game_players
        where user_id > ${users.after} and user_id <= ${users.last}`,
      sql`select id, user_id, type, key, data, created_at from stream_events
        where user_id > ${users.after} and user_id <= ${users.last} and type <> 'rank_won'`,
    ]);
    const last = Number(found!.rows[0]!.seq);
    const page = await playUsers(db, users, last);
    const guard = guardThat("game_reach", sql`${reached} = ${last}`);
    try {
      for (const { rows, statements } of findDifferences(page, players!, events!)) {
        await db.write([guard, ...statements]);
        mended += rows;
      }
      return { players: page.games.size, mended };
    } catch (error) {
      if (!(error instanceof GuardRefused) || attempt === mostAttempts) throw error;
    }
  }
}

/** The games and events that follow from the facts of a page of users. */
interface Page {
  readonly games: ReadonlyMap<string, Game>;
  readonly events: ReadonlyMap<string, NewEvent>;
}

async function playUsers(db: Deps["db"], users: Users, last: number): Promise<Page> {
  const games = new Map<string, Game>();
  const events = new Map<string, NewEvent>();
  for (let after = 0; after < last; after += windowFacts) {
    const [found] = await db.read([selectFactsOfUsers(users, after, Math.min(after + windowFacts, last))]);
    for (const event of playAll(games, found!.rows)) events.set(makeEventKey(event), event);
  }
  return { games, events };
}

interface Mending {
  readonly rows: number;
  readonly statements: readonly Statement[];
}

function findDifferences({ games, events }: Page, players: Result, stored: Result): Mending[] {
  return [...findPlayerDifferences(games, players), ...findEventDifferences(events, stored)];
}

function findPlayerDifferences(games: Page["games"], { rows }: Result): Mending[] {
  const stored = new Map(rows.map((row) => [`${row.company_id}:${row.user_id}`, row]));
  const different = [...games].filter(([key, { player }]) =>
    canonical(stored.get(key)?.state) !== canonical(JSON.stringify(player))
  );
  const surplus = [...stored].filter(([key]) => !games.has(key)).map(([, row]) => row);
  return [
    ...cutChunks(different).map((some) => ({
      rows: some.length,
      statements: [storeGames(some.map(([, game]) => game))],
    })),
    ...cutChunks(surplus).map((some) => ({
      rows: some.length,
      statements: some.map(({ company_id, user_id }) =>
        sql`delete from game_players where company_id = ${company_id!} and user_id = ${user_id!}`
      ),
    })),
  ];
}

function findEventDifferences(events: Page["events"], { rows }: Result): Mending[] {
  const isRight = (row: Row) => {
    const event = events.get(makeEventKey(row));
    return event !== undefined && row.created_at === formatTimestamp(event.at * 1000) &&
      row.data === JSON.stringify(event.data);
  };
  const wrong = rows.filter((row) => !isRight(row));
  const stored = new Set(rows.filter(isRight).map(makeEventKey));
  const missing = [...events].filter(([key]) => !stored.has(key)).map(([, event]) => event);
  return [
    ...cutChunks(wrong).map((some) => ({
      rows: some.length,
      statements: deleteEvents(sql`select value from json_each(${JSON.stringify(some.map(({ id }) => id))})`),
    })),
    ...cutChunks(missing).map((some) => ({ rows: some.length, statements: [storeEvents(some)] })),
  ];
}

const makeEventKey = ({ user_id, type, key }: Row | NewEvent) => `${user_id}|${type}|${key}`;

/** Returns JSON with its members in the order of their names. */
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

function cutChunks<T>(rows: readonly T[]): T[][] {
  const parts: T[][] = [];
  for (let from = 0; from < rows.length; from += chunk) parts.push(rows.slice(from, from + chunk));
  return parts;
}
