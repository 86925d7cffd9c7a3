/** Records that refer to indicator sets: the port that each feature fills for its own records. */
import { joined, type Sql, sql } from "../../db/statements.ts";
import type { Use } from "../../sales/uses.ts";

export interface SetUse {
  /** The type of the records, and their attribute that names the set. */
  readonly type: string;
  readonly attribute: string;
  /** SQL after `from`: the records that refer to the set with an id (SQL). */
  readonly rows: (id: Sql) => Sql;
}

/** The uses of one set. */
export function usesOfSet(uses: readonly SetUse[], id: string): Use[] {
  return uses.map(({ type, attribute, rows }) => ({ type, attribute, rows: rows(sql`${id}`) }));
}

/** SQL: whether any record refers to the set with an id (SQL). */
export function isUsed(uses: readonly SetUse[], id: Sql): Sql {
  const terms = uses.map(({ rows }) => sql`exists (select 1 from ${rows(id)})`);
  return sql`(${joined([sql`0`, ...terms], " or ")})`;
}
