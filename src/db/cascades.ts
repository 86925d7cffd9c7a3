/** The rows that go in the commit of the removal of another record, by the declarations of references. */
import type { Statement } from "../platform/database/database.ts";
import type { Effects, References, RemovableKind } from "./references.ts";
import { identifier, sql } from "./statements.ts";

/** Rows that name a removed record, by their table and column. */
export interface Cascading {
  readonly table: string;
  readonly column: string;
}

/** Returns the columns that are declared with `cascadeAtOnce` for records of the kind. */
export function listCascades(references: readonly References[], kind: RemovableKind): Cascading[] {
  return references.flatMap(({ table, columns }) =>
    Object.entries(columns).flatMap(([column, declared]) =>
      typeof declared !== "string" && isAtOnce(declared[kind]) ? [{ table, column }] : []
    )
  );
}

function isAtOnce(effects: Effects | undefined): boolean {
  return typeof effects === "object" && "atOnce" in effects;
}

/** Deletes the rows that name the record. */
export function deleteCascading(cascades: readonly Cascading[], id: number | string): Statement[] {
  return cascades.map(({ table, column }) =>
    sql`delete from ${identifier(table)} where ${identifier(column)} = ${id}`
  );
}
