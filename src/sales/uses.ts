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

/** The read of `usesOf`: the number of records of each use. */
export function usesRead(uses: readonly Use[]): Statement {
  return sql`select ${
    joined(uses.map(({ type, rows }) => sql`(select count(*) from ${rows}) as "${identifier(type)}"`), ", ")
  }`;
}

/** The uses that exist, in the shape of `blocked_by`. */
export function usesOf(uses: readonly Use[], { rows: [counts] }: Result) {
  return uses.map(({ type, attribute }) => ({ type, amount: Number(counts![type]), attribute }))
    .filter(({ amount }) => amount > 0);
}

/** Rejects the batch when a use has appeared meanwhile. */
export function guardUnused(uses: readonly Use[]): Statement {
  return guardThat(
    "uses",
    joined(uses.map(({ rows }) => sql`not exists (select 1 from ${rows})`), " and "),
  );
}
