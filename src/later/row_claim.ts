/** The statements that claim rows. Each claim first brings back rows that a clock that was ahead has moved away. */
import { computeFurthest } from "../core/clocks.ts";
import { stepRows } from "../db/expiry.ts";
import { isReleased } from "../db/hold.ts";
import { takeSlots } from "../db/mail_rate.ts";
import { bindRows, identifier, literal, type Sql, sql } from "../db/statements.ts";
import type { Statement } from "../platform/database/database.ts";
import { type Rows, type Turn, waitAgain } from "./rows.ts";
import { type AmongTurns, dueTurns, nextTurns, nextTurnsAmong } from "./turns.ts";

interface RowClaim {
  /** Epoch milliseconds: the present, the end of the lease, and until when rows wait whose last claim nobody recorded. */
  readonly now: number;
  readonly end: number;
  readonly again: number;
  /** Ids of the rows that this process has in hand, which no claim takes. */
  readonly inHand: readonly (string | number)[];
  /** Most rows. */
  readonly most: number;
  /** The turn that was served last. */
  readonly turn: Turn;
}

/**
 * Claims the rows that have been due longest, of the next turns where there are turns; takes their slots where
 * there is a rate; and reads `more`: whether more rows are due, and `yields`: whether other work goes first.
 * `claims` counts those since the last result. A row whose lease ran out has two: it waits once more and counts no
 * attempt, so that a process that has attempted it can record that; the third claim attempts it.
 */
export function claimRows(rows: Rows, claim: RowClaim): Statement[] {
  const { rate, turns, columns, marks, yields, mayRepeat } = rows;
  const again = mayRepeat ? literal(0) : sql`claims % 2`;
  const counted = mayRepeat ? sql`` : sql`, claims = claims + 1`;
  const table = identifier(rows.table);
  const { picked, due } = pickRows(rows, claim);
  return [
    sql`update ${table} set due_at = iif(${again}, ${claim.again}, ${claim.end}),
      attempts = attempts + 1 - ${again}${counted}${marks ? sql`, ${marks}` : sql``}
      where id in (${picked})
      returning id, attempts, ${mayRepeat ? literal(1) : sql`claims`} as claims,
        ${turns ? identifier(turns.column) : literal(0)} as turn, ${columns}`,
    ...(rate > 0 ? [takeSlots(rate, sql`changes()`)] : []),
    sql`select exists (select 1 ${due}) as more, ${yields?.(claim.now) ?? literal(0)} as yields`,
  ];
}

/** SQL: `picked`, a select of ids, and `due`, from `from` on, all that is due, also if other work goes first. */
function pickRows(
  rows: Rows,
  { now, most: limit, turn, inHand }: RowClaim,
): { readonly picked: Sql; readonly due: Sql } {
  const { turns, everywhere, yields, held } = rows;
  const free = { ...rows, waiting: isFreeRow(rows, inHand) };
  const { waiting } = free;
  const [table, index] = [identifier(rows.table), identifier(rows.index)];
  const isFree = held ? isReleased(held) : sql`true`;
  const mayClaim = yields ? sql`(${isFree} and not ${yields(now)})` : isFree;
  const most = everywhere
    ? sql`max(0, min(${limit}, ${everywhere.most} - (select count(*) from ${table} indexed by ${index}
        where ${rows.waiting} and due_at > ${now} and ${everywhere.isInHand})))`
    : bindRows(limit);
  const next = { now, most, turn, mayClaim };
  if (turns?.among) {
    const among = turns as AmongTurns;
    return {
      picked: nextTurnsAmong(free, among, next),
      due: sql`${dueTurns(free, among, now)} and ${isFree}`,
    };
  }
  const due = sql`from ${table} indexed by ${index} where ${waiting} and due_at <= ${now} and ${isFree}`;
  const oldest = sql`select id ${due} and ${mayClaim} order by due_at, id limit ${most}`;
  return { picked: turns ? nextTurns(free, turns, { ...next, oldest }) : oldest, due };
}

/** SQL: the row waits, and this process has it not in hand. */
function isFreeRow({ waiting }: Rows, inHand: RowClaim["inHand"]): Sql {
  if (inHand.length === 0) return waiting;
  return sql`${waiting} and id not in (select value from json_each(${JSON.stringify(inHand)}))`;
}

/**
 * Makes rows due at `now` that are due later than any can be: a clock that was ahead wrote that time.
 * Returns a row for each, at most `stepRows`.
 */
export function bringBack(rows: Rows, now: number): Statement {
  const found = selectWaiting(
    rows,
    sql`due_at > ${computeFurthest(now, rows.longestWait)} limit ${literal(stepRows)}`,
  );
  return sql`update ${identifier(rows.table)} set due_at = ${now} where id in (${found}) returning 1`;
}

/**
 * Makes rows due at `now` that a claim of this run has taken whose answer was lost, and does not count that attempt:
 * nobody has them in hand. `ends`: those of such claims. Another process can have claimed rows until the same
 * millisecond, so this is for rows of which a second attempt shows nobody anything.
 */
export function takeBack(
  rows: Rows,
  { now, ends, inHand }: Pick<RowClaim, "now" | "inHand"> & { readonly ends: readonly number[] },
): Statement {
  const { everywhere } = rows;
  const free = { ...rows, waiting: isFreeRow(rows, inHand) };
  const found = selectWaiting(
    free,
    sql`due_at in (select value from json_each(${JSON.stringify(ends)})) and attempts > 0
      ${everywhere ? sql`and ${everywhere.isInHand}` : sql``}`,
  );
  return sql`update ${identifier(rows.table)} set due_at = ${now}, attempts = attempts - 1${waitAgain(rows)}
    where id in (${found})`;
}

/** SQL: a select of the ids of rows that wait, `such` as it says of their due time. */
function selectWaiting({ table, index, waiting, turns }: Rows, such: Sql): Sql {
  const name = identifier(table);
  return turns?.among
    ? sql`select r.id from (${turns.among}) t cross join ${name} r indexed by ${identifier(turns.index)}
        on ${identifier("r", turns.column)} = t.turn where ${waiting} and ${such}`
    : sql`select id from ${name} indexed by ${identifier(index)} where ${waiting} and ${such}`;
}
