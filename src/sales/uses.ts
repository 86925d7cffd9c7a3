/** The records that prevent the deletion of another record because they name it. */
import { identifier, joined, type Sql, sql } from "../db/statements.ts";
import { guardThat, type Result, type Statement } from "../platform/database/database.ts";

export interface Use {
  /** The type of the records, and their attribute that names the other record. */
  readonly type: string;
  readonly attribute: string;
  /** SQL after `from`: the records. */
  readonly rows: Sql;
}

/** The read of `impactOf`: the number of records of each use. */
export function usesRead(uses: readonly Use[]): Statement {
  const counts = uses.map(({ type, rows }) => sql`(select count(*) from ${rows}) as "${identifier(type)}"`);
  return sql`select ${joined([sql`0`, ...counts], ", ")}`;
}

/** The impact of the deletion: the uses that exist prevent it. */
export function impactOf(uses: readonly Use[], { rows: [counts] }: Result) {
  const blocked_by = uses.map(({ type, attribute }) => ({ type, amount: Number(counts![type]), attribute }));
  return { blocked_by: blocked_by.filter(({ amount }) => amount > 0), deletes: [] };
}

/** Rejects the batch when a use has appeared meanwhile. */
export function guardUnused(uses: readonly Use[]): Statement {
  return guardThat(
    "uses",
    joined([sql`1`, ...uses.map(({ rows }) => sql`not exists (select 1 from ${rows})`)], " and "),
  );
}
