/** What the deletion of a team does to its saved filters. */
import { sql } from "../../db/statements.ts";
import type { TeamDeletion } from "../../identity/teams/deletion.ts";
import type { Statement } from "../../platform/database/database.ts";

/** Saved filters of a deleted team go to the successor; without one admins alone see them. */
export function reassignFilters({ company_id, team_id, successor_id }: TeamDeletion): Statement {
  return sql`update saved_filters set team_id = ${successor_id}, version = version + 1
    where company_id = ${company_id} and team_id = ${team_id} and ${successor_id} is not null`;
}
