/** A group as its teams show it. */
import { type Json, object } from "../../core/json.ts";
import type { GroupRow } from "./table.ts";

export type GroupFacts = GroupRow;

const keys = ["id", "company_id", "name", "created_at", "updated_at", "version"] as const;

/** SQL: the group `g` as JSON text; null where a left join found none. */
export const groupObject = `json(case when g.id is null then null else json_object(${
  keys.map((key) => `'${key}', g.${key}`).join(", ")
}) end)`;

export function presentGroupSummary({ id, name, created_at, updated_at }: GroupFacts): Json {
  return object({ id, name, created_at, updated_at });
}
