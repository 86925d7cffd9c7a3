/** The group of a team. Groups show their teams, so a change of a team's group also changes the group. */
import { composeJsonMembers, sql } from "../../db/statements.ts";
import { guardChanged, type Result, type Statement } from "../../platform/database/database.ts";
import { groupMembers, type GroupRow } from "../groups/record.ts";

/** SQL: the group `g` as JSON text; null when a left join found none. */
export const groupObject = sql`json(case when g.id is null then null
  else json_object(${composeJsonMembers(Object.keys(groupMembers), "g")}) end)`;

/** A group of the company, without its teams; read with `readGroupFacts`. */
export function selectGroupFacts(companyId: number, id: number | null): Statement {
  return sql`select ${groupObject} as "group" from groups g where g.id = ${id} and g.company_id = ${companyId}`;
}

export function readGroupFacts({ rows: [row] }: Result): GroupRow | null {
  return row ? JSON.parse(row.group as string) as GroupRow : null;
}

/** Increases the versions of groups whose teams change, since a group shows its teams. */
export function touchGroups(changed: readonly GroupRow[]): Statement[] {
  return changed.flatMap(({ id, company_id, version }) => [
    sql`update groups set version = version + 1
      where id = ${id} and company_id = ${company_id} and version = ${version}`,
    guardChanged("stale"),
  ]);
}
