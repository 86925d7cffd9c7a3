/** Turns, for example by company: many rows of one company do not delay the single row of another. */
import { isReleased } from "../db/hold.ts";
import { bounded, identifier, literal, type Sql, sql } from "../db/statements.ts";
import type { Rows } from "./rows.ts";

/** Most turns that a claim looks at; those whose rows are leased or wait for a retry count too. */
const mostTurns = 64;

/**
 * SQL of a select of ids: the rows that have been due longest in the turns after `turn`, as many of each; after
 * the last turn the first is next. `oldest`: SQL of the rows to take when the turns looked at have none.
 */
export function nextTurns(
  { table, waiting }: Pick<Rows, "table" | "waiting">,
  { column, index }: NonNullable<Rows["turns"]>,
  { now, most, turn, oldest }: { now: number; most: number; turn: number; oldest: Sql },
): Sql {
  const [name, by] = [identifier(column), identifier(index)];
  const rows = sql`from ${identifier(table)} indexed by ${by} where ${waiting}`;
  const next = (after: Sql) =>
    sql`coalesce((select ${name} ${rows} and ${name} > ${after} order by ${name} limit 1),
      (select ${name} ${rows} order by ${name} limit 1))`;
  // Each turn leads to the next, until the first comes again.
  const isAgain = sql`(place > 1 and turn = first)`;
  return sql`with recursive turns (turn, place, first) as (
    select first, 1, first from (select ${next(sql`${turn}`)} as first)
    union all select ${next(sql`turns.turn`)}, place + 1, first from turns
      where turn is not null and not ${isAgain} and place < ${literal(mostTurns)}),
    picked (id) as (select r.id from turns cross join ${identifier(table)} r on r.rowid in (
      select rowid ${rows} and ${name} = turns.turn and due_at <= ${now} order by due_at, id
      limit (select cast(max(1, (${bounded(most)} + count(*) - 1) / max(1, count(*))) as integer) from turns
        where turn is not null and not ${isAgain}))
      where turns.turn is not null and not ${isAgain} and ${isReleased} limit ${bounded(most)})
    select id from picked union all select id from (${oldest}) where not exists (select 1 from picked)`;
}

/** Compares claimed rows by the order of their turns after `turn`. */
export function compareTurns(
  turn: number,
  { turn: one = 0 }: { readonly turn?: number },
  { turn: other = 0 }: { readonly turn?: number },
): number {
  return Number(one <= turn) - Number(other <= turn) || one - other;
}
