/** Changes of a case's status, as its timeline shows them. */
import { selectColumns, selectRowJson, type Sql, sql } from "../../db/statements.ts";
import { selectNameOfUser } from "../../identity/users/fragments.ts";
import { caseStatusChanges } from "./record.ts";

/** A change with the name of the user who made it. */
type StatusChange = typeof caseStatusChanges.$inferSelect & { readonly user_name: string | null };

/** SQL: the change of an id (SQL) as JSON for `presentStatusChange`. */
export function selectStatusChangeJson(id: Sql): Sql {
  return selectRowJson(
    caseStatusChanges,
    ["user_name"],
    sql`select ${selectColumns(caseStatusChanges, "change")},
      ${selectNameOfUser(sql`change.user_id`)} as user_name
      from case_status_changes change where change.id = ${id}`,
  );
}

export function presentStatusChange(json: string) {
  const change = JSON.parse(json) as StatusChange;
  const { user_id, user_name } = change;
  return {
    id: change.id,
    case_id: change.case_id,
    from: change.from_status,
    to: change.to_status,
    reason: change.reason,
    user: user_id === null ? null : { id: user_id, name: user_name ?? "" },
    created_at: change.at,
  };
}
