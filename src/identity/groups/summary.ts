/** A group as part of its teams. */
import { object } from "../../core/json.ts";
import { sql } from "../../db/statements.ts";
import type { GroupRow } from "./table.ts";

export type GroupFacts = GroupRow;

/** SQL: the group `g` as JSON text; null when a left join found none. */
export const groupObject = sql`json(case when g.id is null then null else json_object('id', g.id,
  'company_id', g.company_id, 'name', g.name, 'created_at', g.created_at, 'updated_at', g.updated_at,
  'version', g.version) end)`;

export function presentGroupSummary({ id, name, created_at, updated_at }: GroupFacts) {
  return object({ id, name, created_at, updated_at });
}
