/** What keeps a record from being deleted: others that name it. */
import { type Sql, statement } from "../db/statements.ts";

import { guardThat, type Result, type Statement } from "../platform/database/database.ts";

export interface Use {
  /** The kind of record that names it, and by what. */
  readonly type: string;
  readonly attribute: string;
  /** SQL: those records, as what follows `from`. */
  readonly rows: Sql;
}

/** Reads how many of each kind there are, for `usesOf`. */
export function usesRead(uses: readonly Use[]): Statement {
  const columns = uses.map(({ type, rows }) => `(select count(*) from ${rows.sql}) as "${type}"`);
  return statement(`select ${columns.join(", ")}`, ...uses.flatMap(({ rows }) => rows.args));
}

/** The kinds that there are some of, as a delete-impact lists them. */
export function usesOf(uses: readonly Use[], { rows: [counts] }: Result) {
  return uses.map(({ type, attribute }) => ({ type, amount: Number(counts![type]), attribute }))
    .filter(({ amount }) => amount > 0);
}

/** Refuses the batch when one has come since. */
export function guardUnused(uses: readonly Use[]): Statement {
  return guardThat(
    "uses",
    statement(
      uses.map(({ rows }) => `not exists (select 1 from ${rows.sql})`).join(" and "),
      ...uses.flatMap(({ rows }) => rows.args),
    ),
  );
}
