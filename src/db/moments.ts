/** Stored moments in the future, in SQL. One that is further away than any of its kind counts as past: `core/clocks.ts`. */
import { computeFurthest } from "../core/clocks.ts";
import { type Sql, sql } from "./statements.ts";

/**
 * SQL: the moment (SQL of epoch milliseconds), which is at most `longest` milliseconds ahead when it is written, is
 * still to come at `now`.
 */
export function isAhead(moment: Sql, now: number, longest: number | Sql): Sql {
  return sql`(${moment} > ${now} and ${moment} <= ${composeLatest(now, longest)})`;
}

/** SQL: the moment has come; see `isAhead`. */
export function isPast(moment: Sql, now: number, longest: number | Sql): Sql {
  return sql`(${moment} <= ${now} or ${moment} > ${composeLatest(now, longest)})`;
}

function composeLatest(now: number, longest: number | Sql): Sql {
  return typeof longest === "number"
    ? sql`${computeFurthest(now, longest)}`
    : sql`${computeFurthest(now, 0)} + ${longest}`;
}
