/**
 * Recomputes, from the first fact on, the results that jobs have computed from the facts, and compares both.
 */
import assert from "node:assert/strict";
import { factKinds } from "../../src/core/fact_kinds.ts";
import { sql } from "../../src/db/statements.ts";
import type { Deps } from "../../src/deps.ts";
import { rebuildGame } from "../../src/insight/gamification/rebuild.ts";
import { playFacts } from "../../src/insight/gamification/run.ts";
import { rollUpFacts } from "../../src/insight/rollups/run.ts";
import type { Row } from "../../src/platform/database/database.ts";
import { checkLevels } from "./levels.ts";

type Place = Pick<Deps, "db" | "clock" | "stopping">;

/**
 * Compares levels with the records, and games, the stream and rollups with those that one process computes
 * from all facts. Returns the number of players.
 */
export async function checkRecount(deps: Place): Promise<number> {
  assert.ok(await checkLevels(deps) > 0);
  await rolledUp(deps);
  const rolled = await readRollups(deps);
  await deps.db.write([sql`delete from fact_rollups`, sql`delete from fact_rollup_reach`]);
  await rolledUp(deps);
  assert.deepEqual(rolled, await readRollups(deps), "rollups differ from those of all facts");
  while (await playFacts(deps) > 0);
  assert.deepEqual(
    await pointsStored(deps),
    await pointsCounted(deps),
    "points differ from those of all facts",
  );
  const { players, mended } = await rebuildGame(deps);
  assert.equal(mended, 0, "players or events of the stream differ from those of all facts");
  return players;
}

async function rolledUp(deps: Place): Promise<void> {
  while (await rollUpFacts(deps) > 0);
}

/** Leaves out rows whose total is 0: a value that comes and goes in one step has no row. */
async function readRollups({ db }: Place): Promise<readonly Row[]> {
  const [found] = await db.read([
    sql`select company_id, measure, rollup, at, user_id, team_id, dim_id, round(total, 4) as total from fact_rollups
      where abs(total) > 0.0001 order by 1, 2, 3, 4, 5, 6, 7`,
  ]);
  return found!.rows;
}

async function pointsStored({ db }: Place): Promise<readonly Row[]> {
  const [found] = await db.read([
    sql`select user_id, state ->> 'points' as points from game_players where state ->> 'points' > 0 order by 1`,
  ]);
  return found!.rows;
}

/**
 * Returns the points that all facts of each user pay, in any order. Badges count as they are stored in
 * `achieved`.
 */
async function pointsCounted({ db }: Place): Promise<readonly Row[]> {
  const { account, contact, activity, lead_accepted, case_closed, task_completed, note } = factKinds;
  const [found] = await db.read([
    sql`with once as (select f.user_id, f.kind, f.flags, f.subject,
        row_number() over (partition by f.kind, ifnull(f.subject, f.seq) order by f.seq) as nth from facts f
        where f.kind in (${case_closed}, ${task_completed})),
      paid (user_id, points) as (
        select user_id, 5 from facts where kind in (${account}, ${contact}) and flags & 1
        union all select user_id, iif(flags & 1, 15, 5) from facts where kind = ${activity}
        union all select user_id, 15 from facts where kind = ${lead_accepted}
        union all select user_id, 1 from facts where kind = ${note}
        union all select user_id, iif(kind = ${case_closed}, 50, iif(flags & 1, 5, 0)) from once where nth = 1
        union all select user_id, 100 from game_players, json_each(state, '$.achieved'))
      select user_id, sum(points) as points from paid where user_id is not null
      group by user_id having sum(points) > 0 order by 1`,
  ]);
  return found!.rows;
}
