/** The rows that no longer name a deleted record, by the declarations of references. */
import type { Statement } from "../platform/database/database.ts";
import type { Clear, DeletableKind, Deleted, Effects, References } from "./references.ts";
import { identifier, type Sql, sql } from "./statements.ts";

/** Returns the statements that take a deleted record out of the rows of its company that name it. `at`: a timestamp. */
export type ClearNaming = (
  author: { readonly at: string },
  kind: DeletableKind,
  deleted: Deleted,
) => Statement[];

/** A column that is cleared. */
export interface Clearing {
  readonly table: string;
  readonly column: string;
  readonly how: Clear;
}

/** Makes the function of the declarations of all features. */
export function makeClearNaming(references: readonly References[]): ClearNaming {
  const listed = new Map<DeletableKind, readonly Clearing[]>();
  const list = (kind: DeletableKind) =>
    listed.get(kind) ?? listed.set(kind, listClears(references, kind)).get(kind)!;
  return ({ at }, kind, deleted) => list(kind).flatMap((clearing) => clearColumn(clearing, deleted, at));
}

/** Returns the columns that are declared with `clearAtOnce` for records of the kind, after a block also by force. */
export function listClears(references: readonly References[], kind: DeletableKind): Clearing[] {
  return references.flatMap(({ table, columns }) =>
    Object.entries(columns).flatMap(([column, declared]) => {
      const how = typeof declared === "string" ? null : findClear(declared[kind]);
      return how === null ? [] : [{ table, column, how }];
    })
  );
}

function findClear(effects: Effects | undefined): Clear | null {
  if (typeof effects !== "object") return null;
  if ("block" in effects) return findClear(effects.by.forced);
  return "atOnce" in effects && effects.then === "clear" ? effects : null;
}

/** The record that shows the change gets a new version: the row, or the record that it is a part of. */
export function clearColumn({ table, column, how }: Clearing, deleted: Deleted, at: string): Statement[] {
  const name = identifier(column);
  const { value, rows } = how.list ? clearItem(name, deleted) : clearValue(name, deleted);
  const touched = sql`updated_at = ${at}, version = version + 1`;
  if (!how.partOf) return [sql`update ${identifier(table)} set ${name} = ${value}, ${touched} where ${rows}`];
  const { table: whole, by } = how.partOf;
  return [
    sql`update ${identifier(whole)} set ${touched}
      where id in (select ${identifier(by)} from ${identifier(table)} where ${rows})`,
    sql`update ${identifier(table)} set ${name} = ${value} where ${rows}`,
  ];
}

function clearValue(column: Sql, { company_id, id }: Deleted) {
  return { value: sql`null`, rows: sql`company_id = ${company_id} and ${column} = ${id}` };
}

/** The comparison with the empty list lets a partial index find the rows. */
function clearItem(column: Sql, { company_id, id }: Deleted) {
  return {
    value: sql`(select json_group_array(each.value order by each.key) from json_each(${column}) each
      where each.value <> ${id})`,
    rows: sql`company_id = ${company_id} and ${column} <> '[]'
      and exists (select 1 from json_each(${column}) each where each.value = ${id})`,
  };
}
