/** Finds the records that make a step fail, sets them aside, and makes the step with the others. */
import { Stale } from "../core/errors.ts";
import { sql } from "../db/statements.ts";
import { DatabaseUnavailable, type Value } from "../platform/database/database.ts";
import { selectFirst } from "./first_of.ts";
import type { RecordBatch, Take } from "./kind.ts";
import {
  isLost,
  isNotSetAside,
  type Leased,
  makeMoment,
  makeStep,
  nameQueue,
  putOff,
  readHeld,
  type Run,
} from "./steps.ts";
import { bisect, setRecordAside } from "./set_aside.ts";

/** The most records of one piece of work that a run sets aside. Then it leaves the work to the next run. */
const mostSetAside = 20;
/** How often a step is tried while other writers change its records. */
const attempts = 3;

/** A record, and the number of the `take` that selected it. */
interface Chosen {
  readonly take: number;
  readonly id: Value;
}

/**
 * Repeats the failed step without the records that fail. Returns the work as it goes on, or null when this
 * run makes no more steps of it.
 */
export async function isolate(run: Run, before: Leased, cause: unknown): Promise<Leased | null> {
  const work = await readHeld(run, before.id);
  if (work === null) return null;
  try {
    const chosen = await choose(run, work);
    if (chosen.length === 0) throw cause;
    await bisect(chosen, {
      act: (some) => takeTogether(run, work, some),
      onFailure: async ({ id }, error) => {
        const count = (run.setAside.get(work.id) ?? 0) + 1;
        if (count > mostSetAside) throw error;
        run.setAside.set(work.id, count);
        run.failed++;
        const { company_id } = work;
        await setRecordAside(
          run.deps,
          { queue: nameQueue(work), record: String(id), company_id, error },
          run.now,
        );
      },
      ends: isLost,
    });
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    if (!isLost(error)) {
      await putOff(run, work, error);
      return null;
    }
  }
  return await readHeld(run, work.id);
}

/** Returns the records of the step. Stops at the first selection that may have more. */
async function choose(run: Run, work: Leased): Promise<Chosen[]> {
  const { db } = run.deps;
  const takes: RecordBatch[] = [];
  await run.kinds.get(work.kind)!.step(work, (ids, most) => {
    const taken = { ids: selectFirst(ids, isNotSetAside(run, work), most), most };
    takes.push(taken);
    return taken;
  }, makeMoment(run, work));
  const found = await db.read(takes.map(({ ids }) => ids));
  const full = found.findIndex(({ rows }, take) => rows.length >= takes[take]!.most);
  return found.slice(0, full < 0 ? found.length : full + 1)
    .flatMap(({ rows }, take) => rows.map(({ id }) => ({ take, id: id! })));
}

async function takeTogether(run: Run, work: Leased, some: readonly Chosen[]): Promise<number> {
  for (let attempt = 1;; attempt++) {
    try {
      await makeStep(run, work, takeOnly(some), true);
      return some.length;
    } catch (error) {
      if (!(error instanceof Stale) || isLost(error) || attempt === attempts) throw error;
    }
  }
}

function takeOnly(some: readonly Chosen[]): Take {
  let number = 0;
  return (ids, most) => {
    const own = some.filter(({ take }) => take === number).map(({ id }) => id);
    number++;
    const isOwn = sql`id in (select value from json_each(${JSON.stringify(own)}))`;
    return { ids: selectFirst(ids, isOwn, most), most };
  };
}
