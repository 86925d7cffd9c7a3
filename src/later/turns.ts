/** Turns, for example by company: many rows of one company do not delay the single row of another. */
import { identifier, literal, type Sql, sql } from "../db/statements.ts";
import type { Rows, RowTurns, Turn } from "./rows.ts";

/** Most turns that a claim looks at; those whose rows are leased or wait for a retry count too. */
const mostTurns = 64;

interface Next {
  /** Epoch milliseconds. */
  readonly now: number;
  /** Most rows. */
  readonly most: Sql;
  /** The turn that was served last. */
  readonly turn: Turn;
  /** SQL: rows may be claimed. */
  readonly mayClaim: Sql;
}

/**
 * SQL of a select of ids: the rows that have been due longest in the turns after `turn`, as many of each; after
 * the last turn the first is next. `oldest`: SQL of the rows to take when the turns looked at have none.
 */
export function nextTurns(
  { table, waiting }: Pick<Rows, "table" | "waiting">,
  { column, index }: RowTurns,
  { now, most, turn, mayClaim, oldest }: Next & { readonly oldest: Sql },
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
      limit (select cast(max(1, (${most} + count(*) - 1) / max(1, count(*))) as integer) from turns
        where turn is not null and not ${isAgain}))
      where turns.turn is not null and not ${isAgain} and ${mayClaim} limit ${most})
    select id from picked union all select id from (${oldest}) where not exists (select 1 from picked)`;
}

/** Like `nextTurns`, of the turns of `among` that have due rows. */
export function nextTurnsAmong(rows: Rows, turns: AmongTurns, { now, most, turn, mayClaim }: Next): Sql {
  const [table, by, name] = [rows.table, turns.index, turns.column].map((each) => identifier(each)) as [
    Sql,
    Sql,
    Sql,
  ];
  return sql`with turns (turn) as (select turn ${dueTurns(rows, turns, now)}
      order by turn <= ${turn}, turn limit ${literal(mostTurns)})
    select r.id from turns cross join ${table} r on r.rowid in (
      select rowid from ${table} indexed by ${by} where ${rows.waiting} and ${name} = turns.turn
      and due_at <= ${now} order by due_at, id
      limit (select cast((${most} + count(*) - 1) / max(1, count(*)) as integer) from turns))
    where ${mayClaim} limit ${most}`;
}

export type AmongTurns = RowTurns & Required<Pick<RowTurns, "among">>;

/** SQL from `from` on: the turns of `among` that have rows due at `now`. */
export function dueTurns({ table, waiting }: Rows, { among, column, index }: AmongTurns, now: number): Sql {
  return sql`from (${among}) t where exists (select 1
    from ${identifier(table)} indexed by ${identifier(index)}
    where ${waiting} and ${identifier(column)} = t.turn and due_at <= ${now})`;
}

/** Compares claimed rows by the order of their turns after `turn`. */
export function compareTurns(
  last: Turn,
  { turn: one = 0 }: { readonly turn?: Turn },
  { turn: other = 0 }: { readonly turn?: Turn },
): number {
  return Number(!isAfter(one, last)) - Number(!isAfter(other, last)) ||
    Number(isAfter(one, other)) - Number(isAfter(other, one));
}

/** Texts come after numbers, as in SQLite. */
function isAfter(one: Turn, other: Turn): boolean {
  return typeof one === typeof other ? one > other : typeof one === "string";
}
