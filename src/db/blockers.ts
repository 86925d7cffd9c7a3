/** The records that prevent the deletion of another record because they name it, by the declarations of references. */
import { guardThat, type Result, type Statement } from "../platform/database/database.ts";
import type { Block, DeletableKind, References } from "./references.ts";
import { identifier, joinSql, type Sql, sql } from "./statements.ts";

export interface Blocker {
  /** The type of the records, and their attribute that names the other record. */
  readonly type: string;
  readonly attribute: string;
  /** SQL after `from`: the records that name the one with an id (SQL). */
  readonly rows: (id: Sql, companyId: number) => Sql;
}

/** Returns what prevents the deletion of records of a kind, by type. */
export function listBlockers(references: readonly References[], kind: DeletableKind): Blocker[] {
  return references.flatMap(({ table, columns }) =>
    Object.entries(columns).flatMap(([column, declared]) => {
      const effects = typeof declared === "string" ? undefined : declared[kind];
      return typeof effects === "object" && "block" in effects ? [makeBlocker(table, column, effects)] : [];
    })
  ).toSorted((one, other) => one.type < other.type ? -1 : 1);
}

function makeBlocker(table: string, column: string, { block, by }: Block): Blocker {
  const { attribute = column, where, company } = by;
  const more = where === undefined ? sql`` : sql` and (${{ sql: where, args: [] }})`;
  const matchParent = (id: Sql) => sql`${identifier(table, column)} = ${id}${more}`;
  const rows = (id: Sql, companyId: number) =>
    company === undefined
      ? sql`${identifier(table)} where ${matchParent(id)}`
      : sql`${identifier(table)} where ${identifier(table, company)} = ${companyId} and ${matchParent(id)}`;
  return { type: block, attribute, rows: by.rows ?? rows };
}

/** The number of records of each blocker, for one deleted record. */
export interface Blocked {
  readonly blockers: readonly Blocker[];
  readonly companyId: number;
  readonly id: string | number | null;
}

/** The read of `readImpact`. */
export function selectBlockers({ blockers, companyId, id }: Blocked): Statement {
  const counts = blockers.map(({ type, rows }) =>
    sql`(select count(*) from ${rows(sql`${id}`, companyId)}) as "${identifier(type)}"`
  );
  return sql`select ${joinSql([sql`0`, ...counts], ", ")}`;
}

/** The impact of the deletion: what prevents it. */
export function readImpact({ blockers }: Pick<Blocked, "blockers">, { rows: [counts] }: Result) {
  const blocked_by = blockers.map(({ type, attribute }) => ({
    type,
    amount: Number(counts![type]),
    attribute,
  }));
  return { blocked_by: blocked_by.filter(({ amount }) => amount > 0), deletes: [] };
}

/** Rejects the batch when a record that prevents the deletion has appeared meanwhile. */
export function guardUnblocked({ blockers, companyId, id }: Blocked): Statement {
  return guardThat("blocked", sql`not ${isBlocked(blockers, sql`${id}`, companyId)}`);
}

/** SQL: whether any record prevents the deletion of the one with an id (SQL). */
export function isBlocked(blockers: readonly Blocker[], id: Sql, companyId: number): Sql {
  const terms = blockers.map(({ rows }) => sql`exists (select 1 from ${rows(id, companyId)})`);
  return sql`(${joinSql([sql`0`, ...terms], " or ")})`;
}
