/**
 * The one loop of staged work. A run leases a piece of work and makes its steps, each one commit that also carries
 * the events and the progress. Any number of runs in any number of processes may go on at once: a commit fails
 * once another run has taken the lease over. A record that fails alone is set aside, and the rest goes on. It is no
 * queue of `later/`: there a row is attempted once for each lease, here each commit renews the lease and is refused
 * without it, and callers wait for the work on their own record.
 */
import { makeId } from "../core/ids.ts";
import { formatTimestamp } from "../core/time.ts";
import { retrying } from "../db/commit.ts";
import { sql } from "../db/statements.ts";
import type { Deps } from "../deps.ts";
import { DatabaseUnavailable } from "../platform/database/database.ts";
import { isolate } from "./isolate.ts";
import type { StagedKind } from "./kind.ts";
import {
  giveBack,
  goOnWith,
  isFree,
  isLost,
  lease,
  type Leased,
  makeStep,
  makeTake,
  readHeld,
  type Run,
  runMs,
} from "./steps.ts";

/**
 * The most steps in one turn of a piece of work, before other work has its turn; and its most turns in a run.
 */
const turnSteps = 25;
const mostTurns = 20;

/**
 * Makes the steps of all work of these kinds that is due at `now` (epoch milliseconds), or of one `subject`;
 * returns the number of steps. Throws when something failed, once the rest is done.
 */
export async function runStaged(
  deps: Deps,
  now: number,
  kinds: readonly StagedKind[],
  subject: string | number | null = null,
): Promise<number> {
  const run: Run = {
    deps,
    kinds: new Map(kinds.map((kind) => [kind.kind, kind])),
    now,
    at: formatTimestamp(now),
    holder: makeId(now),
    began: performance.now(),
    rates: new Map(),
    left: new Set(),
    turns: new Map(),
    setAside: new Map(),
    steps: 0,
    failed: 0,
    roundTrip: Infinity,
  };
  while (hasTime(run)) {
    const due = await readDue(run, subject);
    if (due.length === 0) break;
    for (const id of due) await takeTurn(run, id);
  }
  if (run.failed > 0) throw new Error(`staged work failed ${run.failed} times, in ${run.steps} steps`);
  return run.steps;
}

function hasTime({ began }: Run): boolean {
  return performance.now() - began < runMs;
}

async function readDue(run: Run, subject: string | number | null): Promise<number[]> {
  const [due] = await run.deps.db.read([
    sql`select id from staged_work where kind in (select value
      from json_each(${JSON.stringify([...run.kinds.keys()])})) and (${subject} is null
      or subject = ${subject === null ? null : String(subject)}) and ${isFree(run)}
      and id not in (select value from json_each(${JSON.stringify([...run.left])})) order by id limit 100`,
  ]);
  return due!.rows.map(({ id }) => Number(id));
}

/** Leases the work, makes some of its steps, and gives it back. */
async function takeTurn(run: Run, id: number): Promise<void> {
  let work = await lease(run, id);
  const turns = (run.turns.get(id) ?? 0) + 1;
  run.turns.set(id, turns);
  if (work === null || turns === mostTurns) run.left.add(id);
  for (let step = 0; work !== null && step < turnSteps && hasTime(run); step++) {
    // With a database in this process, a step never waits. Lets other calls run in between.
    await new Promise((resolve) => setTimeout(resolve));
    run.steps++;
    work = await stepOrIsolate(run, work);
  }
  if (work !== null) await giveBack(run, id);
}

/** Makes one step. Returns the work as it goes on, or null when nothing is left for this run. */
async function stepOrIsolate(run: Run, work: Leased): Promise<Leased | null> {
  try {
    return await oneStep(run, work);
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    const payload = isLost(error) ? null : run.kinds.get(work.kind)!.afterFailure?.(work, error) ?? null;
    if (payload !== null) return await goOnWith(run, work, payload);
    return await isolate(run, work, error);
  }
}

async function oneStep(run: Run, before: Leased): Promise<Leased | null> {
  let work = before;
  return await retrying(async (attempt) => {
    if (attempt > 1) {
      const held = await readHeld(run, work.id);
      if (held === null) return null;
      work = held;
    }
    const step = await makeStep(run, work, makeTake(run, work));
    return step.more ? { ...work, payload: step.payload ?? work.payload } : null;
  });
}
