/** Saved filters of deleted teams. */
import { sql } from "../../db/statements.ts";
import type { TeamDeletion } from "../../identity/teams/deletion.ts";
import type { Statement } from "../../platform/database/database.ts";

/** Moves saved filters of a deleted team to the successor. Without one, only admins see them. */
export function reassignFilters({ company_id, team_id, successor_id }: TeamDeletion): Statement {
  return sql`update saved_filters set team_id = ${successor_id}, version = version + 1
    where company_id = ${company_id} and team_id = ${team_id} and ${successor_id} is not null`;
}
