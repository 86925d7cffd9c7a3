/** Computes players and the stream from the facts, in bounded steps. Each fact counts exactly once. */
import { sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import { guardChanged, GuardRefused, type Row } from "../../platform/database/database.ts";
import { counts, reached, readFact, readPlayer, selectNextFacts } from "./facts_read.ts";
import { play } from "./player.ts";
import { type Game, makeAchievementEvent, type NewEvent, storeEvents, storeGames } from "./write.ts";

/** Facts of one step, which holds the write lock for a few milliseconds. */
const stepFacts = 2_000;
/** Milliseconds after which a run begins no more steps; the next run continues. */
const jobBudget = 20_000;

/** Processes new facts and returns their number. */
export async function playFacts(deps: Pick<Deps, "db" | "clock" | "stopping">): Promise<number> {
  const began = deps.clock.now();
  let done = 0;
  while (!deps.stopping?.aborted && deps.clock.now() - began < jobBudget) {
    const facts = await playStep(deps);
    done += facts;
    if (facts < stepFacts) break;
  }
  return done;
}

/** Processes the facts of one step and returns their number; 0 when another process was faster. */
async function playStep({ db }: Pick<Deps, "db">): Promise<number> {
  const [from, found] = await db.read([
    sql`select ${reached} as seq`,
    selectNextFacts(stepFacts),
  ]);
  const rows = found!.rows;
  if (rows.length === 0) return 0;
  const counted = rows.filter(counts);
  const games = await readGames(db, counted);
  const events = playAll(games, counted);
  try {
    await db.write([
      ...reachTo(Number(from!.rows[0]!.seq), Number(rows.at(-1)!.seq)),
      ...(games.size > 0 ? [storeGames([...games.values()])] : []),
      ...(events.length > 0 ? [storeEvents(events)] : []),
    ]);
  } catch (error) {
    if (error instanceof GuardRefused) return 0;
    throw error;
  }
  return rows.length;
}

/** Adds the facts to the games, and returns the events of their achievements. */
export function playAll(games: Map<string, Game>, rows: readonly Row[]): NewEvent[] {
  return rows.flatMap((row) => {
    const key = makeKey(row);
    let game = games.get(key);
    if (!game) games.set(key, game = makeGame(row, undefined));
    return play(game.player, readFact(row)).map((achievement) => makeAchievementEvent(game, achievement));
  });
}

async function readGames(db: Deps["db"], rows: readonly Row[]): Promise<Map<string, Game>> {
  const users = new Map(rows.map((row) => [makeKey(row), [row.company_id, row.user_id]]));
  if (users.size === 0) return new Map();
  const [found] = await db.read([
    sql`select p.company_id, p.user_id, p.state from json_each(${JSON.stringify([...users.values()])}) e
      join game_players p on p.company_id = e.value ->> 0 and p.user_id = e.value ->> 1`,
  ]);
  return new Map(found!.rows.map((row) => [makeKey(row), makeGame(row, row)]));
}

function makeGame({ company_id, user_id }: Row, state: Row | undefined): Game {
  return { company_id: Number(company_id), user_id: Number(user_id), player: readPlayer(state) };
}

const makeKey = ({ company_id, user_id }: Row) => `${company_id}:${user_id}`;

/** Moves the last processed fact from `from` to `to`. Refuses the batch when another process has moved it. */
function reachTo(from: number, to: number) {
  return [
    sql`insert into game_reach (id, seq) values (1, 0) on conflict do nothing`,
    sql`update game_reach set seq = ${to} where id = 1 and seq = ${from}`,
    guardChanged("game_reach"),
  ];
}
