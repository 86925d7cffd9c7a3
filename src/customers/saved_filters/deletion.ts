/** Saved filters of deleted teams. */
import { sql } from "../../db/statements.ts";
import type { TeamDeletion } from "../../identity/teams/deletion.ts";
import type { Statement } from "../../platform/database/database.ts";

/** Moves saved filters of a deleted team to the successor. Without one, only their makers and admins see them. */
export function reassignFilters({ company_id, team_id, successor_id }: TeamDeletion): Statement {
  const set = successor_id === null ? sql`kept_for = created_by` : sql`team_id = ${successor_id}`;
  return sql`update saved_filters set ${set}, version = version + 1
    where company_id = ${company_id} and team_id = ${team_id}`;
}
