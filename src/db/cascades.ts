/** The rows that go in the commit of the deletion of a record that they name, by the declarations of references. */
import type { Statement } from "../platform/database/database.ts";
import type { DeletableKind, Effects, NamedAs, References } from "./references.ts";
import { identifier, type Sql, sql } from "./statements.ts";

/** Returns the statements that delete the rows that go with deleted records. `ids`: SQL of the ids of the records. */
export type DeleteNaming = (kind: DeletableKind, ids: Sql) => Statement[];

/** Rows that name a deleted record, by their table and column. */
export interface Cascading {
  readonly table: string;
  readonly column: string;
  /** How further rows name these; see `References.as`. */
  readonly as?: NamedAs;
}

/** Makes the function of the declarations of all features. */
export function makeDeleteNaming(references: readonly References[]): DeleteNaming {
  const listed = new Map<DeletableKind, readonly Cascading[]>();
  const list = (kind: DeletableKind) =>
    listed.get(kind) ?? listed.set(kind, listCascades(references, kind)).get(kind)!;
  return function deleteNaming(kind: DeletableKind, ids: Sql): Statement[] {
    return list(kind).flatMap(({ table, column, as }) => {
      const rows = sql`${identifier(table)} where ${identifier(column)} in (${ids})`;
      const further = as ? deleteNaming(as.kind, sql`select ${identifier(as.key)} from ${rows}`) : [];
      return [...further, sql`delete from ${rows}`];
    });
  };
}

/** Returns the columns that are declared with `cascadeAtOnce` for records of the kind. */
export function listCascades(references: readonly References[], kind: DeletableKind): Cascading[] {
  return references.flatMap(({ table, columns, as }) =>
    Object.entries(columns).flatMap(([column, declared]) =>
      typeof declared !== "string" && isAtOnce(declared[kind])
        ? [{ table, column, ...(as ? { as } : {}) }]
        : []
    )
  );
}

function isAtOnce(effects: Effects | undefined): boolean {
  return typeof effects === "object" && "atOnce" in effects && effects.then === "cascade";
}
