/** The permissions that a body gives to a file: the company, groups and teams that may read it. */
import { type FieldError, missingReference } from "../core/errors.ts";
import { type Sql, sql } from "../db/statements.ts";
import { guardThat, type Row, type Statement } from "../platform/database/database.ts";
import type { Permission } from "./access.ts";

/** Returns each permission once, in the order in which answers show them. */
export function sortPermissions(given: readonly Permission[]): Permission[] {
  const unique = new Map(given.map(({ type, value }) => [`${type}:${value}`, { type, value }]));
  return [...unique.values()].sort((one, other) =>
    one.type === other.type ? one.value - other.value : one.type < other.type ? -1 : 1
  );
}

/** SQL: the positions of the permissions that the company does not have, as a JSON list. */
export function selectMissingPermissions(companyId: number, given: readonly Permission[]): Sql {
  const pairs = JSON.stringify(given.map(({ type, value }) => [type, value]));
  return sql`(select json_group_array(p.key) from json_each(${pairs}) p where not case p.value ->> 0
    when 'company' then p.value ->> 1 = ${companyId}
    when 'group' then exists (select 1 from groups g where g.id = p.value ->> 1 and g.company_id = ${companyId})
    else exists (select 1 from teams t where t.id = p.value ->> 1 and t.company_id = ${companyId}) end)`;
}

/** Adds an error for each permission of `selectMissingPermissions`, selected as `missing`. */
export function checkPermissions({ missing }: Row, errors: FieldError[]): void {
  for (const index of JSON.parse(missing as string) as number[]) {
    errors.push(missingReference(`permissions[${index}].value`, "company, group or team"));
  }
}

/** Rejects the batch when a group or team of the permissions was deleted meanwhile. */
export function guardPermissions(companyId: number, given: readonly Permission[]): Statement[] {
  if (given.length === 0) return [];
  return [guardThat("permissions", sql`${selectMissingPermissions(companyId, given)} = '[]'`)];
}
