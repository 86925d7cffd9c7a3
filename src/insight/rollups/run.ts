/** Keeps rollups up to date: adds each fact once to each period that it is in. */
import { bindRows, type Sql, sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import { pause } from "../../platform/pause.ts";
import { measureRows, rollupVersion } from "./measures.ts";
import { rollupKinds } from "./periods.ts";
import { rolledTo } from "./read.ts";

/** Facts of one step, which holds the write lock for some milliseconds. */
const stepFacts = 500;
/** Rows of another version of the measures that one step removes. */
const stepRows = 2_000;
/** Milliseconds after which a run begins no more steps; the next run continues. */
const jobBudget = 20_000;

/**
 * While other calls record facts, the job works a twentieth of the time, so that their changes do not wait
 * for it.
 */
const restsPerStep = 19;
/** Milliseconds of a rest at most. */
const longestRest = 1_000;

/** Adds new facts to the rollups, and returns their number. */
export async function rollUpFacts(deps: Pick<Deps, "db" | "clock" | "stopping">): Promise<number> {
  const began = deps.clock.now();
  let done = 0;
  let seen: number | null = null;
  while (!deps.stopping?.aborted && deps.clock.now() - began < jobBudget) {
    const { reached, last, isCurrent } = await readReach(deps.db);
    if (isCurrent && reached >= last) break;
    const stepBegan = performance.now();
    await deps.db.write(isCurrent ? stepFrom(reached) : stepAnew());
    if (isCurrent) {
      done += Math.min(stepFacts, last - reached);
      // What others record meanwhile is left to the next run.
      if (last - reached <= stepFacts) break;
    }
    const isAlone = seen === null || seen === last;
    seen = last;
    const rest = restsPerStep * (performance.now() - stepBegan);
    if (!isAlone) await pause(Math.min(rest, longestRest), deps.stopping);
  }
  return done;
}

async function readReach(db: Deps["db"]): Promise<{ reached: number; last: number; isCurrent: boolean }> {
  const [found] = await db.read([
    sql`select ${rolledTo} as reached, ifnull((select max(f.seq) from facts f), 0) as last`,
  ]);
  const { reached, last } = found!.rows[0]!;
  return { reached: Number(reached ?? 0), last: Number(last), isCurrent: reached !== null };
}

/**
 * Returns the statements of one step, for the facts after `reached`. Several processes may run the same step
 * at once: the second finds that the rollups are further already, and adds nothing.
 */
function stepFrom(reached: number): Sql[] {
  // An import makes thousands of facts that differ in their subjects alone. Each has dozens of periods and measures.
  const alike = sql`select f.company_id, f.kind, f.flags, ${dayOf} as day, f.user_id, f.team_id, f.dim_id,
      sum(f.weight) as weight, sum(f.value) as value, sum(f.value2) as value2, count(f.value) as values1,
      count(f.value2) as values2
    from facts f where f.seq > ${reached} and f.seq <= ${reached + stepFacts} and ${rolledTo} = ${reached}
    group by 1, 2, 3, 4, 5, 6, 7`;
  return [
    sql`insert into fact_rollups (company_id, measure, rollup, at, user_id, team_id, dim_id, total)
      with m as materialized (${measureRows}), p as materialized (${rollupRows}), d as materialized (${alike})
      select d.company_id, m.id, p.id, ${beginOf}, iif(p."by" = 'user', ifnull(d.user_id, 0), 0), ifnull(d.team_id, 0),
      iif(p."by" = 'dims', ifnull(d.dim_id, 0), 0), sum(${amount}) as total
      from d join m on m.kind = d.kind and d.flags & m.mask = m.bits join p on p."by" <> 'dims' or m.dims
      group by 1, 2, 3, 4, 5, 6, 7 having total <> 0
      on conflict do update set total = total + excluded.total`,
    sql`update fact_rollup_reach set seq = min(seq + ${bindRows(stepFacts)}, (select max(f.seq)
      from facts f))
      where id = 1 and seq = ${reached} and version = ${rollupVersion}`,
  ];
}

/** SQL: what the facts of a day add, by the position in `amounts`. */
const amount = sql`case m.amount when 0 then d.weight when 1 then ifnull(d.value, 0)
  when 2 then ifnull(d.value2, 0) when 3 then d.values1 else d.values2 end`;

/** SQL: `rollupKinds` as rows `id` (position), `period`, `by`. */
const rollupRows = sql`select value ->> 0 as id, value ->> 1 as period, value ->> 2 as "by"
  from json_each(${JSON.stringify(rollupKinds.map(({ period, by }, position) => [position, period, by]))})`;

/** SQL: when the day of a fact begins, epoch seconds. The rest of a negative number is negative. */
const dayOf = sql`f.at - (f.at % 86400 + 86400) % 86400`;

/** SQL: when the period of a day begins, epoch seconds. */
const beginOf = sql`case p.period
  -- Whole weeks since a Monday.
  when 'week' then d.day - ((d.day - 345600) % 604800 + 604800) % 604800
  when 'day' then d.day
  when 'month' then ifnull(unixepoch(d.day, 'unixepoch', 'start of month'), d.day)
  else ifnull(unixepoch(d.day, 'unixepoch', 'start of year'), d.day) end`;

/**
 * Returns the statements of one step that computes rollups anew: it removes those of another version, and
 * begins with the first fact when none is left. It does nothing if another process has begun.
 */
function stepAnew(): Sql[] {
  return [
    sql`insert into fact_rollup_reach (id, seq, version) values (1, 0, '')
      on conflict do update set seq = 0, version = '' where version not in ('', ${rollupVersion})`,
    sql`delete from fact_rollups where (company_id, measure, rollup, at, user_id, team_id, dim_id) in (
        select company_id, measure, rollup, at, user_id, team_id, dim_id from fact_rollups
        limit ${bindRows(stepRows)})
      and exists (select 1 from fact_rollup_reach r where r.id = 1 and r.version = '')`,
    sql`update fact_rollup_reach set version = ${rollupVersion}
      where id = 1 and version = '' and not exists (select 1 from fact_rollups)`,
  ];
}
