/**
 * The port for stored filters and texts that name something whose meaning ends: a custom field, an option, a team, a
 * user or a product category. Features with such filters and texts implement it.
 */
import type { CustomField } from "../../fields/custom_fields.ts";
import type { Author } from "../../db/commit.ts";
import { type Sql, sql } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";

/**
 * Returns the statements that stop the stored filters naming a record, field or option that is deleted. `names` returns
 * SQL: whether the filter in a column, JSON or null, names it. `why`: the cause, for a notification. `placeholder`: the
 * name of the placeholder that is gone.
 */
export type StopFilters = (
  author: Author,
  companyId: number,
  names: (filter: Sql) => Sql,
  why: string,
  placeholder?: string,
) => readonly Statement[];

/** Joins those of several features. */
export function joinStopFilters(...parts: readonly StopFilters[]): StopFilters {
  return (...given) => parts.flatMap((stopFilters) => stopFilters(...given));
}

/**
 * Returns the `names` of `StopFilters` for a record. `field`: the last part of the fields that have its id as value,
 * such as `team_id`. `ids`: a select of the ids. `withExists`: whether a condition changes its meaning that asks
 * whether there is a value.
 */
export function namesRecord(field: string, ids: Sql, withExists = false): (filter: Sql) => Sql {
  const exists = withExists ? sql`n.value ->> '$.operator' = 'exists' or` : sql``;
  return (filter) =>
    sql`(${holds(filter, field)} and exists (select 1 from json_tree(${filter}) n where n.type = 'object'
      and (n.value ->> '$.field' = ${field} or n.value ->> '$.field' like ${`%.${field}`})
      and (${exists} exists (select 1 from json_tree(n.value, '$.value') named
        where cast(named.atom as integer) in (${ids})))))`;
}

/** A field, and whether it is one of accounts, contacts or others. */
interface Named extends Pick<CustomField, "id" | "name"> {
  readonly owner_type: string;
}

/** Returns the `names` of `StopFilters` for a field that is deleted or gets another type. */
export function namesField(field: Named): (filter: Sql) => Sql {
  return (filter) =>
    sql`(${holdsField(filter, field)} and exists (select 1 from json_tree(${filter}) n
      where n.type = 'object' and ${isField(field)}))`;
}

/**
 * Returns the `names` of `StopFilters` for a deleted option: a condition names it, or asks whether the field has a
 * value, which changes for records that chose this option alone.
 */
export function namesOption(field: Named, option: string): (filter: Sql) => Sql {
  return (filter) =>
    sql`(${holdsField(filter, field)} and exists (select 1 from json_tree(${filter}) n
      where n.type = 'object' and ${isField(field)}
      and (n.value ->> '$.operator' = 'exists' or exists (select 1 from json_tree(n.value, '$.value') chosen
      where lower(chosen.atom) = ${option}))))`;
}

/**
 * SQL: whether the filter has the text, in any case. Few filters name a field, and to look into one takes much longer
 * than to find that.
 */
function holds(filter: Sql, text: string): Sql {
  return sql`${filter} like ${`%${text}%`}`;
}

function holdsField(filter: Sql, { id, name }: Named): Sql {
  return sql`(${holds(filter, name)} or ${holds(filter, id)})`;
}

/** SQL: whether an object `n` is a condition on the field, by each of its names in filters. */
function isField({ id, name, owner_type }: Named): Sql {
  const spaces = ["", "b2b_", "b2c_"].flatMap((kind) => [`${kind}${owner_type}.`]);
  const names = spaces.flatMap((space) =>
    ["custom_fields.", ""].flatMap((prefix) => [name, `id.${id}`].map((own) => `${space}${prefix}${own}`))
  );
  const field = sql`n.value ->> '$.field'`;
  const list = JSON.stringify(names);
  return sql`(${field} in (select value from json_each(${list}))
    or lower(${field}) in (select value from json_each(${list})))`;
}
