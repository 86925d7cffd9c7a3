/** Corrects rows that were made while a clock was ahead: they then last as long as if they were made now. */
import { computeFurthest } from "../core/clocks.ts";
import { formatTimestamp } from "../core/time.ts";
import type { Database, Statement } from "../platform/database/database.ts";
import { type Lifetime, runInSteps, stepRows } from "./expiry.ts";
import { never } from "./mails.ts";
import { identifier, joinSql, sql } from "./statements.ts";

/**
 * Moves ends that are further away than the longest lifetime of their kind, as if the rows were made at `now`
 * (epoch milliseconds). Returns the number of moved rows.
 */
export async function endInTime(
  { db }: { readonly db: Database },
  now: number,
  lifetimes: readonly Lifetime[],
): Promise<number> {
  let moved = 0;
  for (const { table, columns, longest } of lifetimes) {
    if (!longest) continue;
    const ends = { table, columns, longest: longest.ms };
    moved += await runInSteps(db, [longest.from === "now" ? cut(ends, now) : moveToNow(ends, now)]);
  }
  return moved;
}

interface Ends extends Pick<Lifetime, "table" | "columns"> {
  readonly longest: number;
}

function moveToNow({ table, columns, longest }: Ends, now: number): Statement {
  const ahead = sql`(unixepoch(created_at) * 1000 - ${now})`;
  const moved = columns.map((column) => sql`${identifier(column)} = ${identifier(column)} - ${ahead}`);
  return sql`update ${identifier(table)} set ${joinSql(moved, ", ")} where rowid in (select rowid
    from ${identifier(table)}
    where ${identifier(columns[0])} > ${computeFurthest(now, longest)}
    and created_at > ${formatTimestamp(now)}
    limit ${stepRows})`;
}

function cut({ table, columns: [end], longest }: Ends, now: number): Statement {
  return sql`update ${identifier(table)} set ${identifier(end)} = ${now + longest}
    where rowid in (select rowid
    from ${identifier(table)} where ${identifier(end)} > ${computeFurthest(now, longest)}
    and ${identifier(end)} < ${never}
    limit ${stepRows})`;
}
