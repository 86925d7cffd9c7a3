/** The rows of cases that go, with those that hang on them. */
import { statement } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";

/** Tables whose `case_id` is the case that the row belongs to, and goes with; notes and leads aside. */
const hanging = ["tasks", "activities", "timeline_events", "case_milestones", "case_status_changes"] as const;

/** Removes the cases of these ids; no note may name them any more. */
export function caseRows(ids: readonly string[]): Statement[] {
  const json = JSON.stringify(ids);
  const without = (table: string, column: string) =>
    statement(`delete from ${table} where ${column} in (select value from json_each(?))`, json);
  return [...hanging.map((table) => without(table, "case_id")), without("cases", "id")];
}
